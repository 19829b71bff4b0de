"""The API of one repository: requests within a time budget, to one host, with one token.

Reads are repeated and follow redirects on the same host. Writes are repeated only if they cannot
have been carried out. urllib3 is an extra, so only functions import it.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

from learnings import __version__
from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.surfaces.issues.issues import Platform, PlatformError, Request

if TYPE_CHECKING:
    import urllib3

JsonObject = dict[str, Any]
_T = TypeVar("_T")
# Chosen: the minute that GitHub requests at a secondary rate limit, and another for requests.
BUDGET = 120.0  # seconds, for all requests of a run with their waits
_LONGEST_PAUSE = 30.0  # seconds; the last quarter of the budget gets another attempt
_LONGEST_WAIT = 86_400.0  # seconds; more than any budget
_RATE_LIMIT_WAIT = 60.0  # seconds; GitHub documents it, and GitLab counts by the minute
_CONNECT, _READ = 10, 30  # seconds, the latter between two bytes
# The server failed or (0) did not answer, perhaps after it carried out the request.
_FAILED = (0, 500, 502, 503, 504)
_NOT_SENT = "cannot be reached"
_MOST_REDIRECTS = 3  # a renamed repository takes one; chosen to end a loop early
_LARGEST = 32_000_000  # bytes; a page has 100 issues, each with 65,536 characters of up to 4 bytes
_MOST_PAGES = 50  # of 100 rows; chosen
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
# DNS labels between dots, none empty or too long, or an IPv6 address.
_HOST = lazy_pattern(r"[\w-]{1,63}(?:\.[\w-]{1,63})*\.?|[0-9a-f.]*:[0-9a-f:.]*")
# The address of the next page in a Link header, such as `<https://…?page=2>; rel="next"`.
_NEXT = lazy_pattern(r'<([^<>]*)>\s*;[^<,]*\brel="?next\b')


class UnknownOutcome(Exception):
    """A request was sent and no answer came: check whether it was carried out."""


class Token:
    """The token, sent to the server in a header and shown nowhere else."""

    __slots__ = ("_text",)

    def __init__(self, text: str, variable: str) -> None:
        """Variable is the environment variable that holds the text."""
        if not text.isascii() or not text.isprintable() or " " in text:
            raise UsageProblem(
                f"{variable} contains characters that cannot occur in a token; set it again"
            )
        self._text = text

    def __repr__(self) -> str:
        return "Token(…)"

    def header(self, words: str) -> str:
        return f"{words}{self._text}"

    def hidden_in(self, data: bytes) -> bytes:
        """Return a server's answer with the token masked, in case the server echoes it."""
        return data.replace(self._text.encode("ascii"), b"***")


def token_from(environ: Mapping[str, str], variable: str) -> Token | None:
    """Return the token of the environment, or None. Raises UsageProblem if it is malformed."""
    text = environ.get(variable, "").strip()
    return Token(text, variable) if text else None


def checked_address(api: str, variable: str) -> str:
    """Return the address of an API without its last slash. Raises UsageProblem if it is invalid."""
    try:
        split = urlsplit(api)
        host, _ = split.hostname or "", split.port
    except ValueError:
        host, split = "", urlsplit("")
    is_known = split.scheme in ("https", "http") and not split.username and not split.query
    if not (is_known and _HOST.fullmatch(host)):
        raise UsageProblem(f"{variable} is not a URL; use https://HOST or https://HOST/PATH")
    if split.scheme == "http" and host not in _LOOPBACK:
        raise UsageProblem(f"{variable} would send the token unencrypted; use https")
    return api.rstrip("/")


class RequestClock(NamedTuple):
    """The functions that read the time and wait; tests replace them."""

    elapsed: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep


class Reply(NamedTuple):
    """An answer: its status, its JSON document (None if it is not JSON), and its headers.

    If there is none, the status is 0, and problem is a verb phrase that says why.
    """

    status: int
    document: Any
    headers: Mapping[str, str]
    problem: str = ""


class Client:
    """The API of a repository, with one time budget for all requests."""

    def __init__(
        self,
        platform: Platform,
        address: str,
        repository: str,
        token: Token,
        *,
        clock: RequestClock | None = None,
    ) -> None:
        self.repository = repository
        self._platform = platform
        self._token = token
        self._address = checked_address(address, platform.address_variable)
        self._base = platform.base(self._address, repository)
        self._host = urlsplit(self._address).hostname or self._address
        self._clock = clock or RequestClock()
        self._end = self._clock.elapsed() + BUDGET
        try:
            import urllib3  # noqa: F401, PLC0415  (an extra, and slow to load)
        except ImportError:
            raise UsageProblem(
                "urllib3 is not installed; run: pipx inject learnings 'urllib3>=2.2,<3' "
                "(in a virtual environment: pip install 'urllib3>=2.2,<3')"
            ) from None
        self._pool = _pool(self._address)
        self._is_same_host = self._pool.connection_from_url(self._address).is_same_host

    # Documents.

    def get(self, path: str) -> JsonObject:
        return self._object(self._accepted("GET", self._url(path)))

    def get_or_none(self, path: str) -> JsonObject | None:
        reply = self._accepted("GET", self._url(path), accepted=404)
        return None if reply.status == 404 else self._object(reply)

    def pages(self, path: str, query: Mapping[str, str]) -> Iterator[JsonObject]:
        """Yield the JSON objects of a list, page by page. Raises PlatformError."""
        url = f"{self._url(path)}?{urlencode({**query, 'per_page': '100'})}"
        for _ in range(_MOST_PAGES):
            reply = self._accepted("GET", url)
            rows = reply.document
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise self._platform.unexpected(self._host)
            yield from rows
            following = _next_page(url, reply.headers)
            if following is None:
                return
            url = following
        raise PlatformError(f"{path} has more than {_MOST_PAGES} pages; close or delete some")

    def write(self, method: str, path: str, fields: Mapping[str, Any]) -> JsonObject:
        """Create or change something and return it. Raises PlatformError, UnknownOutcome."""
        return self._object(self._accepted(method, self._url(path), fields))

    # The repository and its issues.

    def default_branch(self) -> str:
        """Return the name of the default branch."""
        name = self.get("").get("default_branch")
        if not isinstance(name, str):
            raise self._platform.unexpected(self._host)
        return name

    def newest_commit(self, branch: str) -> str | None:
        """Return the newest commit of a branch, or None if it cannot be seen."""
        name, field = self._platform.commit
        document = self.get_or_none(self._platform.branch.format(quote(branch, safe="")))
        newest = (document or {}).get(name)
        commit = newest.get(field) if isinstance(newest, dict) else None
        return commit if isinstance(commit, str) else None

    def create(self, requests: Sequence[Request], label: str) -> JsonObject:
        """Send the requests that create an issue, and return it."""
        platform, (*first, last) = self._platform, requests
        method, path, fields = last[:3]
        if platform.new_label and self.get_or_none(f"labels/{quote(label, safe='')}") is None:
            self._accepted("POST", self._url(first[0].path), first[0].fields, accepted=422)
        names = fields.get(platform.people, ()) if platform.members else ()
        people = {platform.people: [*map(self._member, names)]} if names else {}
        return self.write(method, path, {**fields, **people})

    def _member(self, name: str) -> int:
        """Return the id of a member. Raises PlatformError if the project has no such member."""
        for member in self.pages(self._platform.members, {"query": name}):
            account, number = member.get("username"), member.get("id")
            if not isinstance(account, str) or type(number) is not int:
                raise self._platform.unexpected(self._host)
            if account.casefold() == name.casefold():
                return number
        raise PlatformError(
            f"{name} is not a member of project {self.repository}; correct `assignees` in the "
            "issue settings"
        )

    def pause(self, attempt: int, problem: str = "did not confirm the change") -> None:
        """Wait before another attempt, longer each time, with jitter; not before the first one."""
        seconds = min(_LONGEST_PAUSE, 2.0**attempt) * random.uniform(1, 1.25)  # noqa: S311  (no secret)
        self._wait(seconds if attempt else 0, problem)

    def _accepted(
        self, method: str, url: str, fields: Mapping[str, Any] | None = None, *, accepted: int = 0
    ) -> Reply:
        reply = self._send(method, url, fields)
        if reply.status >= 300 and reply.status != accepted:
            raise self._platform.refusal(reply.status, reply.document, repository=self.repository)
        return reply

    def _object(self, reply: Reply) -> JsonObject:
        if not isinstance(reply.document, dict):
            raise self._platform.unexpected(self._host)
        return reply.document

    def _url(self, path: str) -> str:
        return f"{self._base}/{path}".rstrip("/")

    # Requests.

    def _send(self, method: str, url: str, fields: Mapping[str, Any] | None) -> Reply:
        """Send a request until it has an answer that counts.

        Raises PlatformError, or UnknownOutcome if a write may have been carried out.
        """
        attempt, redirects, is_read = 0, 0, method == "GET"
        url = self._on_host(url, self._address)
        while True:
            reply = self._attempt(method, url, fields)
            requested = _requested_wait(reply, self._clock.now())
            target = reply.headers.get("location") if is_read else None
            if requested is None and not target and reply.status not in _FAILED:
                return reply
            problem = reply.problem or f"returned {reply.status}"
            if not is_read and problem != _NOT_SENT and reply.status in _FAILED:
                raise UnknownOutcome
            if target:
                url, redirects = self._on_host(target, url), redirects + 1
                if redirects > _MOST_REDIRECTS:
                    variable = self._platform.address_variable
                    raise PlatformError(f"{self._host} redirects in a loop; check {variable}")
            elif requested is not None:
                self._wait(requested, f"{problem} and asked to wait {requested:.0f} seconds")
            else:
                self.pause(attempt, problem)
                attempt += 1

    def _attempt(self, method: str, url: str, fields: Mapping[str, Any] | None) -> Reply:
        from urllib3 import exceptions as errors  # noqa: PLC0415  (an extra)

        self._wait(0, "did not answer")
        try:
            return _within(self._left, lambda: self._once(method, url, fields))
        except errors.SSLError:
            raise PlatformError(
                f"the certificate of {self._host} cannot be verified, so nothing was sent; set "
                "SSL_CERT_FILE to the certificate of its authority"
            ) from None
        except (errors.ConnectTimeoutError, errors.NewConnectionError, errors.ProxyError):
            return Reply(0, None, {}, _NOT_SENT)
        except (TimeoutError, errors.HTTPError):
            return Reply(0, None, {}, "did not answer")

    def _once(self, method: str, url: str, fields: Mapping[str, Any] | None) -> Reply:
        import urllib3  # noqa: PLC0415  (an extra)

        name, words = self._platform.token_header
        agent = {"User-Agent": f"learnings/{__version__}"}
        answer = self._pool.request(
            method,
            url,
            json=fields,
            headers={**agent, **self._platform.headers, name: self._token.header(words)},
            redirect=False,
            retries=False,
            timeout=urllib3.Timeout(connect=_CONNECT, read=_READ),
            preload_content=False,
        )
        data = self._token.hidden_in(answer.read(_LARGEST))
        answer.release_conn()
        try:
            document = json.loads(data) if data else None
        except (ValueError, RecursionError):
            document = None
        return Reply(answer.status, document, answer.headers)

    def _on_host(self, url: str, base: str) -> str:
        """Return an address as absolute. Raises PlatformError if it is on another host."""
        host = "nowhere"
        try:
            full = urljoin(base, url)
            host = urlsplit(full).hostname or host
            if self._is_same_host(full):
                return full
        except ValueError:  # also of urllib3, for an invalid address
            pass
        raise PlatformError(
            f"{self._host} redirects to {host}, and the token is not sent there; set "
            f"{self._platform.address_variable} to the intended host"
        )

    @property
    def _left(self) -> float:
        """The remaining seconds."""
        return self._end - self._clock.elapsed()

    def _wait(self, seconds: float, problem: str) -> None:
        """Wait. Raises PlatformError if that exceeds the budget; problem is a verb phrase."""
        if seconds >= self._left:
            raise PlatformError(
                f"gave up: {self._host} {problem}, and the limit for all requests is "
                f"{BUDGET:.0f} seconds; try again later"
            )
        if seconds:
            self._clock.sleep(seconds)


def _requested_wait(reply: Reply, now: float) -> float | None:
    """Return the seconds until a limit is over or the server is back, if an answer says it.

    Platforms never write the wait as a date. now is in seconds since 1970.
    """
    status, document, headers = reply[:3]
    if status not in (403, 429, *_FAILED):
        return None
    text = headers.get("retry-after", "")
    if text.isdecimal():
        return min(float(text), _LONGEST_WAIT)
    for prefix in ("x-ratelimit", "ratelimit") if status not in _FAILED else ():
        end = headers.get(f"{prefix}-reset", "")
        if headers.get(f"{prefix}-remaining") == "0" and end.isdecimal():
            return min(max(1.0, float(end) - now), _LONGEST_WAIT)
    message = document.get("message") if isinstance(document, Mapping) else None
    is_limit = status == 429 or (status == 403 and "rate limit" in str(message))
    return _RATE_LIMIT_WAIT if is_limit else None


def _next_page(url: str, headers: Mapping[str, str]) -> str | None:
    """Return the address of the page after `url`; header names are case-insensitive."""
    page = headers.get("x-next-page")  # of GitLab, except for keyset pagination
    if page is None:
        following = _NEXT.search(headers.get("link", ""))
        return following[1] if following else None
    split = urlsplit(url)
    query = urlencode(dict(parse_qsl(split.query)) | {"page": page})
    return split._replace(query=query).geturl() if page.isdecimal() else None


def _within(seconds: float, work: Callable[[], _T]) -> _T:
    """Return the result of some work, or abandon it after `seconds` and raise TimeoutError.

    A timeout of a socket bounds only the wait between two bytes, not resolving a name.
    """
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  (result() raises it)
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result(seconds)


def _pool(api: str) -> urllib3.PoolManager:
    """Return connections, through the proxy of the environment if it names one.

    The UsageProblem for an invalid address does not show it: it can hold a password.
    """
    import urllib3  # noqa: PLC0415  (an extra)

    split = urlsplit(api)
    proxy = getproxies().get(split.scheme)
    if not proxy or split.scheme == "http" or proxy_bypass(split.hostname or ""):
        return urllib3.PoolManager()
    try:
        split = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if not split.hostname or split.port == 0:
            raise ValueError("no host")  # noqa: TRY301  (like urllib3 for other addresses)
        login = f"{unquote(split.username or '')}:{unquote(split.password or '')}"
        headers = urllib3.make_headers(proxy_basic_auth=login) if split.username else None
        address = f"{split.scheme}://{split.netloc.rpartition('@')[2]}"
        return urllib3.ProxyManager(address, proxy_headers=headers)
    except (ValueError, urllib3.exceptions.HTTPError):
        name = f"{urlsplit(api).scheme}_proxy"
        raise UsageProblem(
            f"{name} is not the URL of an HTTP proxy; use http://HOST:PORT, or unset it"
        ) from None
