"""The API of one repository: documents, lists of several pages, and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from learnings import requirement
from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.surfaces.issues.access import (
    GitHubError,
    RequestClock,
    RetryBudget,
    Token,
    checked_address,
    not_github,
    refusal,
)

if TYPE_CHECKING:
    from learnings.surfaces.issues.transport import Fields, Reply, Transport


JsonObject = dict[str, Any]
_MOST_PAGES = 50  # of 100 rows; chosen
# The address of the next page in the header Link, as `<https://…?page=2>; rel="next"`.
_NEXT = lazy_pattern(r'<([^<>]*)>\s*;[^<,]*\brel="?next\b')


class Client:
    """The API of a repository `owner/name`, with one budget of time for all requests."""

    def __init__(
        self, api: str, repository: str, token: Token, *, clock: RequestClock | None = None
    ) -> None:
        self.repository = repository
        self._api = checked_address(api)
        self._budget = RetryBudget(urlsplit(api).hostname or api, clock)
        self._transport = _transport(self._api, token, self._budget)

    def get(self, path: str) -> JsonObject:
        return self._object(self._send("GET", self._url(path)))

    def get_or_none(self, path: str) -> JsonObject | None:
        reply = self._send("GET", self._url(path), accepted=(404,))
        return None if reply.status == 404 else self._object(reply)

    def pages(self, path: str, query: Mapping[str, str]) -> Iterator[JsonObject]:
        """Give the JSON objects of a list, page by page. Raises GitHubError."""
        url = f"{self._url(path)}?{urlencode({**query, 'per_page': '100'})}"
        for _ in range(_MOST_PAGES):
            reply = self._send("GET", url)
            rows = reply.document
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise not_github(self._budget.host)
            yield from rows
            following = _NEXT.search(reply.headers.get("link", ""))
            if following is None:
                return
            url = following[1]
        raise GitHubError(f"{path} has more than {_MOST_PAGES} pages; close what is not needed")

    def write(self, method: str, path: str, fields: Fields) -> JsonObject:
        """Create (POST) or change (PATCH) and return something; GitHubError, UnknownOutcome."""
        return self._object(self._send(method, self._url(path), fields))

    def post_unless_there(self, path: str, fields: Fields) -> None:
        """Create something of which there can be only one. Raises GitHubError, UnknownOutcome."""
        self._send("POST", self._url(path), fields, accepted=(422,))

    def pause(self, attempt: int) -> None:
        self._budget.pause(attempt, "leaves it open what became of it")

    def _send(
        self, method: str, url: str, fields: Fields | None = None, *, accepted: tuple[int, ...] = ()
    ) -> Reply:
        reply = self._transport.send(method, url, fields)
        if reply.status >= 300 and reply.status not in accepted:
            raise refusal(reply.status, reply.document, repository=self.repository)
        return reply

    def _object(self, reply: Reply) -> JsonObject:
        if not isinstance(reply.document, dict):
            raise not_github(self._budget.host)
        return reply.document

    def _url(self, path: str) -> str:
        return f"{self._api}/repos/{quote(self.repository)}/{path}".rstrip("/")


def _transport(api: str, token: Token, budget: RetryBudget) -> Transport:
    try:
        import urllib3  # noqa: F401, PLC0415  (an extra, and slow to load)
    except ImportError:
        # By its address: the name alone may be another project on a package index.
        wanted = requirement("github")
        raise UsageProblem(
            f"the library for requests is not installed; run: pipx install --force '{wanted}' "
            "(in a virtual environment, `pip install` with the same requirement)"
        ) from None
    from learnings.surfaces.issues.transport import Transport  # noqa: PLC0415  (loads the extra)

    return Transport(api, token, budget)
