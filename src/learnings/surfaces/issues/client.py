"""The API of one repository: documents, paged lists, and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from learnings.core.errors import UsageProblem
from learnings.surfaces.issues import access

if TYPE_CHECKING:
    from learnings.surfaces.issues.transport import Fields, Reply


JsonObject = dict[str, Any]
_MOST_PAGES = 50  # of 100 rows; chosen


class Client:
    """The API of a repository, with one time budget for all requests."""

    def __init__(
        self,
        api: access.Api,
        address: str,
        repository: str,
        token: access.Token,
        *,
        clock: access.RequestClock | None = None,
    ) -> None:
        self.repository = repository
        self._api = api
        address = access.checked_address(address, api.address_variable)
        self._base = api.base(address, repository)
        host = urlsplit(address).hostname or address
        self._budget = access.RetryBudget(host, api.address_variable, clock)
        try:
            import urllib3  # noqa: F401, PLC0415  (an extra, and slow to load)
        except ImportError:
            raise UsageProblem(
                "urllib3 is not installed; run: pipx inject learnings 'urllib3>=2.2,<3' "
                "(in a virtual environment: pip install 'urllib3>=2.2,<3')"
            ) from None
        from learnings.surfaces.issues.transport import Transport  # noqa: PLC0415  (loads the extra)

        self._transport = Transport(api, address, token, self._budget)

    def get(self, path: str) -> JsonObject:
        return self._object(self._send("GET", self._url(path)))

    def get_or_none(self, path: str) -> JsonObject | None:
        reply = self._send("GET", self._url(path), accepted=(404,))
        return None if reply.status == 404 else self._object(reply)

    def pages(self, path: str, query: Mapping[str, str]) -> Iterator[JsonObject]:
        """Yield the JSON objects of a list, page by page. Raises PlatformError."""
        url = f"{self._url(path)}?{urlencode({**query, 'per_page': '100'})}"
        for _ in range(_MOST_PAGES):
            reply = self._send("GET", url)
            rows = reply.document
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise self._api.unexpected(self._budget.host)
            yield from rows
            following = self._api.next_page(url, reply.headers)
            if following is None:
                return
            url = following
        raise access.PlatformError(
            f"{path} has more than {_MOST_PAGES} pages; close or delete some"
        )

    def write(self, method: str, path: str, fields: Fields) -> JsonObject:
        """Create or change something and return it. Raises PlatformError, UnknownOutcome."""
        return self._object(self._send(method, self._url(path), fields))

    def post_unless_there(self, path: str, fields: Fields) -> None:
        """Create something that can exist only once. Raises PlatformError, UnknownOutcome."""
        self._send("POST", self._url(path), fields, accepted=(422,))

    def pause(self, attempt: int) -> None:
        self._budget.pause(attempt, "did not confirm the change")

    def _send(
        self, method: str, url: str, fields: Fields | None = None, *, accepted: tuple[int, ...] = ()
    ) -> Reply:
        reply = self._transport.send(method, url, fields)
        if reply.status >= 300 and reply.status not in accepted:
            raise self._api.refusal(reply.status, reply.document, repository=self.repository)
        return reply

    def _object(self, reply: Reply) -> JsonObject:
        if not isinstance(reply.document, dict):
            raise self._api.unexpected(self._budget.host)
        return reply.document

    def _url(self, path: str) -> str:
        return f"{self._base}/{path}".rstrip("/")
