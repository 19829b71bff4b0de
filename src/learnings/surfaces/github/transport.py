"""One request over HTTP, by urllib3; the only place that knows the token's text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from learnings.core.errors import UsageProblem
from learnings.surfaces.github.deadline import within
from learnings.surfaces.github.errors import GitHubError

_LONGEST_CONNECT = 10.0
_LONGEST_READ = 30.0  # seconds between two bytes
_LARGEST = 32_000_000  # bytes of an answer
MISSING = (
    "the library for requests is not installed; install learnings with its extra: "
    "pip install 'learnings[github]'"
)

UNVERIFIED = (
    "the certificate of {host} cannot be verified, so nothing is sent there; name the authority "
    "that has issued it with SSL_CERT_FILE"
)


class Token:
    """A secret that shows itself to nobody but its header."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not text.isascii() or not text.isprintable() or " " in text:
            raise UsageProblem("GITHUB_TOKEN holds characters that no token has; set it anew")
        self._text = text

    def __repr__(self) -> str:
        return "Token(…)"

    def header(self) -> str:
        """The value of the header Authorization."""
        return f"Bearer {self._text}"

    def hidden_in(self, data: bytes) -> bytes:
        """What a server sent, without the token: whoever echoes it does not get it into a log."""
        return data.replace(self._text.encode("ascii"), b"***")


class Reply(NamedTuple):
    """An answer: its headers by lower-case name; never_sent where it stands for a failure."""

    status: int
    document: Any
    headers: Mapping[str, str]
    never_sent: bool = False


class NoResponse(Exception):
    """No answer came; never_sent where the request cannot have arrived either."""

    def __init__(self, *, never_sent: bool) -> None:
        super().__init__()
        self.never_sent = never_sent


class Wire:
    """The connections of a run."""

    def __init__(self, token: Token, *, user_agent: str) -> None:
        self._token = token
        self._user_agent = user_agent
        self._pools: dict[str | None, Any] = {}

    def send(self, method: str, url: str, body: bytes | None, *, seconds: float) -> Reply:
        """Send once, follow nothing, and give it `seconds` for all of it, however it drips.

        Raises NoResponse, GitHubError; UsageProblem without library.
        """
        library = _library()
        try:
            return within(seconds, lambda: self._sent(library, method, url, body, seconds))
        except TimeoutError:
            raise NoResponse(never_sent=False) from None

    def _sent(
        self,
        library: Any,  # noqa: ANN401  (a module)
        method: str,
        url: str,
        body: bytes | None,
        seconds: float,
    ) -> Reply:
        timeout = library.Timeout(
            connect=min(_LONGEST_CONNECT, seconds), read=min(_LONGEST_READ, seconds)
        )
        try:
            answer = self._pool(library, url).request(
                method,
                url,
                body=body,
                headers=self._headers(body),
                redirect=False,
                retries=False,
                timeout=timeout,
                preload_content=False,
            )
            data = self._token.hidden_in(answer.read(_LARGEST))
            answer.release_conn()
        except library.exceptions.SSLError:
            raise GitHubError(UNVERIFIED.format(host=urlsplit(url).hostname)) from None
        except (library.exceptions.NewConnectionError, library.exceptions.ConnectTimeoutError):
            raise NoResponse(never_sent=True) from None
        except library.exceptions.HTTPError:
            raise NoResponse(never_sent=False) from None
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Reply(answer.status, _document(data), headers)

    def _headers(self, body: bytes | None) -> dict[str, str]:
        sent = {
            "Accept": "application/vnd.github+json",
            "Authorization": self._token.header(),
            "User-Agent": self._user_agent,
            "X-GitHub-Api-Version": "2022-11-28",
        }
        return sent if body is None else sent | {"Content-Type": "application/json"}

    def _pool(self, library: Any, url: str) -> Any:  # noqa: ANN401
        split = urlsplit(url)
        is_here = split.scheme == "http" or proxy_bypass(split.hostname or "")
        proxy = None if is_here else getproxies().get(split.scheme)
        if proxy not in self._pools:
            self._pools[proxy] = _by_proxy(library, proxy) if proxy else library.PoolManager()
        return self._pools[proxy]


def _by_proxy(library: Any, proxy: str) -> Any:  # noqa: ANN401
    """Connections by way of a proxy, which sees the host and its own password, nothing else."""
    split = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    headers = None
    if split.username:
        login = f"{unquote(split.username)}:{unquote(split.password or '')}"
        headers = library.make_headers(proxy_basic_auth=login)
    address = f"{split.scheme}://{split.netloc.rpartition('@')[2]}"
    return library.ProxyManager(address, proxy_headers=headers)


def _library() -> Any:  # noqa: ANN401  (a module)
    try:
        import urllib3  # noqa: PLC0415  (an extra, and slow to load)
    except ImportError:
        raise UsageProblem(MISSING) from None
    return urllib3


def _document(data: bytes) -> Any:  # noqa: ANN401
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None
