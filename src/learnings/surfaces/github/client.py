"""Requests to GitHub: to one host only, within a bound of time, repeated where that is safe."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode, urljoin

from learnings import __version__
from learnings.surfaces.github.addresses import checked_address, host_of, on_same_host
from learnings.surfaces.github.errors import GitHubError, UnknownOutcome, refusal
from learnings.surfaces.github.retry import PASSING, Clock, RetryBudget, asked_to_wait
from learnings.surfaces.github.transport import NoResponse, Reply, Token, Wire

Fields = Mapping[str, Any]
Document = dict[str, Any]
_MOST_PAGES = 50
_MOST_REDIRECTS = 3
_REDIRECTS = (301, 302, 307, 308)
_NEXT = re.compile(r'<([^>]*)>\s*;[^,]*\brel="?next\b')


class Client:
    """The API of a repository `owner/name`; all requests together take PATIENCE seconds at most."""

    def __init__(
        self, api: str, repository: str, token: Token, *, clock: Clock | None = None
    ) -> None:
        self.repository = repository
        self._api = checked_address(api)
        self._patience = RetryBudget(clock)
        self._wire = Wire(token, user_agent=f"learnings/{__version__}")

    def get(self, path: str) -> Document:
        """Ask for one document. Raises GitHubError."""
        return self._object(self._ask("GET", self._url(path), None))

    def get_or_none(self, path: str) -> Document | None:
        """Ask for one document that need not be there. Raises GitHubError."""
        reply = self._ask("GET", self._url(path), None, accepted=(404,))
        return None if reply.status == 404 else self._object(reply)

    def pages(self, path: str, query: Mapping[str, str]) -> Iterator[Document]:
        """Give the rows of a list, page by page. Raises GitHubError."""
        url = f"{self._url(path)}?{urlencode({**query, 'per_page': '100'})}"
        for _ in range(_MOST_PAGES):
            reply = self._ask("GET", url, None)
            if not isinstance(reply.document, list):
                raise self._no_api()
            yield from reply.document
            found = _NEXT.search(reply.headers.get("link", ""))
            if found is None:
                return
            url = on_same_host(urljoin(url, found[1]), self._api)
        raise GitHubError(f"{path} has more than {_MOST_PAGES} pages; close what is not needed")

    def patch(self, path: str, fields: Fields) -> Document:
        """Change something to a state; done twice it is the same. Raises GitHubError."""
        return self._object(self._ask("PATCH", self._url(path), fields))

    def post(self, path: str, fields: Fields) -> Document:
        """Make something. Raises GitHubError, or UnknownOutcome where it may have been made."""
        return self._object(self._ask("POST", self._url(path), fields))

    def post_unless_there(self, path: str, fields: Fields) -> None:
        """Make something of which there can be one only. Raises GitHubError, UnknownOutcome."""
        self._ask("POST", self._url(path), fields, accepted=(422,))

    def pause(self, attempt: int) -> None:
        """Wait before another look (from 0); raises GitHubError where that would take too long."""
        self._patience.pause(attempt, f"{host_of(self._api)} leaves it open what became of it")

    def _ask(
        self, method: str, url: str, fields: Fields | None, *, accepted: tuple[int, ...] = ()
    ) -> Reply:
        attempt = 0
        while True:
            reply = self._answer(method, url, fields)
            if reply is not None and (reply.status < 300 or reply.status in accepted):
                return reply
            wait = asked_to_wait(reply, self._patience.clock.now()) if reply else None
            if reply and wait is None and reply.status not in PASSING:
                raise refusal(reply.status, reply.document, repository=self.repository)
            if method == "POST" and (reply is None or _may_be_done(reply)):
                raise UnknownOutcome
            self._patience.pause(attempt, self._trouble(reply), asked_for=wait)
            attempt += 1

    def _answer(self, method: str, url: str, fields: Fields | None) -> Reply | None:
        """Send once, following redirects on the same host; None where no answer came."""
        body = None if fields is None else json.dumps(fields).encode()
        for _ in range(_MOST_REDIRECTS + 1):
            left = self._patience.left
            if left <= 0:
                self._patience.pause(0, self._trouble(None))
            try:
                reply = self._wire.send(method, url, body, seconds=left)
            except NoResponse as failed:
                return Reply(503, None, {}, never_sent=True) if failed.never_sent else None
            target = reply.headers.get("location", "")
            if reply.status not in _REDIRECTS or not target:
                return reply
            url = on_same_host(urljoin(url, target), self._api)
        raise GitHubError(f"{host_of(self._api)} redirects in a circle; check GITHUB_API_URL")

    def _trouble(self, reply: Reply | None) -> str:
        if reply is None:
            return f"{host_of(self._api)} does not answer"
        what = "cannot be reached" if reply.never_sent else f"answers {reply.status}"
        return f"{host_of(self._api)} {what}"

    def _object(self, reply: Reply) -> Document:
        if not isinstance(reply.document, dict):
            raise self._no_api()
        return reply.document

    def _no_api(self) -> GitHubError:
        return GitHubError(
            f"{host_of(self._api)} does not answer as GitHub does; check GITHUB_API_URL, which "
            "ends in /api/v3 on a server of your own"
        )

    def _url(self, path: str) -> str:
        return f"{self._api}/repos/{quote(self.repository)}/{path}".rstrip("/")


def _may_be_done(reply: Reply) -> bool:
    return reply.status in PASSING and not reply.never_sent
