"""Requests over HTTP by urllib3, which is an extra: import this module only to send one.

urllib3 repeats reads, follows their redirects, and repeats any request that cannot have arrived.
Added here are a bound on the total time, the refusal of other hosts, and GitHub's rate limits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Thread
from traceback import clear_frames
from typing import Any, NamedTuple, Self, TypeVar
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.exceptions import ConnectTimeoutError, HTTPError, MaxRetryError, ProxyError, SSLError

from learnings import __version__
from learnings.core.errors import UsageProblem
from learnings.surfaces.issues.access import (
    LONGEST_PAUSE,
    GitHubError,
    RetryBudget,
    Token,
    UnknownOutcome,
)

FAILED = (500, 502, 503, 504)  # the server failed, perhaps after it carried out the request
_RATE_LIMIT_WAIT = 60.0  # seconds; GitHub's documentation, for an answer that names no time
_LONGEST_WAIT = 86_400.0  # seconds; more than any budget
_MOST_REDIRECTS = 3  # a renamed repository takes one; chosen to end a circle early


class BudgetRetry(urllib3.Retry):
    """urllib3's retrying, within a budget of time and on one host."""

    budget: RetryBudget

    def new(self, **changed: Any) -> Self:  # noqa: ANN401
        """Return a changed copy, which urllib3 makes for each attempt."""
        retry = super().new(**changed)
        retry.budget = self.budget
        return retry

    def increment(self, *args: Any, **named: Any) -> Self:  # noqa: ANN401
        """Count an attempt. Raises GitHubError if another one is of no use."""
        if isinstance(named.get("error"), SSLError):
            raise GitHubError(
                f"the certificate of {self.budget.host} cannot be verified, so nothing is sent "
                "there; name the authority that has issued it with SSL_CERT_FILE"
            )
        response: urllib3.BaseHTTPResponse | None = named.get("response")
        if response and (target := response.get_redirect_location()):
            url = urljoin(args[1], target)
            if not named["_pool"].is_same_host(url):
                response.close()
                raise other_host(self.budget.host, url)
        return super().increment(*args, **named)

    def sleep(self, response: urllib3.BaseHTTPResponse | None = None) -> None:
        """Wait before the next attempt. Raises GitHubError if the budget does not allow it."""
        last = self.history[-1]
        never_sent = isinstance(last.error, (ConnectTimeoutError, ProxyError))
        silence = "cannot be reached" if never_sent else "does not answer"
        problem = f"answers {last.status}" if last.status else silence
        requested = _retry_after(response.headers) if response else None
        self.budget.wait(self.get_backoff_time(), problem, requested=requested)


def new_retry(budget: RetryBudget) -> BudgetRetry:
    """Return the retrying for a request; only GET is repeated if it may have arrived."""
    retry = BudgetRetry(
        total=None,  # the budget is the limit
        redirect=_MOST_REDIRECTS,
        allowed_methods=("GET",),
        status_forcelist=FAILED,
        backoff_factor=1,
        backoff_max=LONGEST_PAUSE,
        backoff_jitter=1,
    )
    retry.budget = budget
    return retry


def rate_limit_wait(
    status: int, document: object, headers: Mapping[str, str], now: float
) -> float | None:
    """Return the seconds until a rate limit is over, or None; now is in seconds since 1970."""
    if status not in (403, 429):
        return None
    requested = _retry_after(headers)
    if requested is not None:
        return requested
    end = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and end.isdecimal():
        return min(max(1.0, float(end) - now), _LONGEST_WAIT)
    message = document.get("message") if isinstance(document, Mapping) else None
    is_limit = status == 429 or "rate limit" in str(message)
    return _RATE_LIMIT_WAIT if is_limit else None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the requested wait in seconds; GitHub never writes it as a date."""
    text = headers.get("retry-after", "")
    return min(float(text), _LONGEST_WAIT) if text.isdecimal() else None


def other_host(host: str, url: str = "") -> GitHubError:
    return GitHubError(
        f"{host} redirects to {urlsplit(url).hostname or 'nowhere'}, where the token is not sent; "
        "set GITHUB_API_URL to the host that is meant"
    )


Fields = Mapping[str, Any]
_T = TypeVar("_T")
_TIMEOUT = urllib3.Timeout(connect=10, read=30)  # seconds, the latter between two bytes
_HEADERS = {
    "Accept": "application/vnd.github+json",
    "User-Agent": f"learnings/{__version__}",
    "X-GitHub-Api-Version": "2022-11-28",
}
_LARGEST = 32_000_000  # bytes; a page has 100 issues, each with 65,536 characters of up to 4 bytes


class Reply(NamedTuple):
    """An answer: its status, its JSON document (None if it is not JSON), and its headers."""

    status: int
    document: Any
    headers: Mapping[str, str]


class Transport:
    def __init__(self, api: str, token: Token, budget: RetryBudget) -> None:
        self._api = api
        self._token = token
        self._budget = budget
        self._pool = _pool(api)
        self._is_same_host = self._pool.connection_from_url(api).is_same_host
        self._retry = new_retry(budget)

    def send(self, method: str, url: str, fields: Fields | None = None) -> Reply:
        """Send a request, repeating it if that is safe; redirects are followed for GET only.

        Raises GitHubError, or UnknownOutcome if anything but GET may have been carried out.
        """
        attempt = 0
        while True:
            self._budget.wait(0, "does not answer")
            try:
                reply = _within(self._budget.left, lambda: self._sent(method, url, fields))
            except MaxRetryError:
                problem = f"{self._budget.host} redirects in a circle; check GITHUB_API_URL"
                raise GitHubError(problem) from None
            except ValueError as error:  # also from urllib3, for what is not an address
                clear_frames(error.__traceback__)  # urllib3 leaves that answer open
                raise other_host(self._budget.host) from None
            except (TimeoutError, HTTPError):  # urllib3 repeats no answer that breaks off
                if method != "GET":
                    raise UnknownOutcome from None
                self._budget.pause(attempt, "does not answer")
                attempt += 1
                continue
            requested = rate_limit_wait(
                reply.status, reply.document, reply.headers, self._budget.clock.now()
            )
            if requested is None:
                return reply
            self._budget.wait(0, f"answers {reply.status}", requested=requested)

    def _sent(self, method: str, url: str, fields: Fields | None) -> Reply:
        url = urljoin(self._api, url)
        if not self._is_same_host(url):
            raise other_host(self._budget.host, url)
        answer = self._pool.request(
            method,
            url,
            json=fields,
            headers={**_HEADERS, "Authorization": self._token.header()},
            redirect=method == "GET",
            retries=self._retry,
            timeout=_TIMEOUT,
            preload_content=False,
        )
        data = self._token.hidden_in(answer.read(_LARGEST))
        answer.release_conn()
        if answer.status in FAILED:
            raise UnknownOutcome
        return Reply(answer.status, _json_or_none(data), answer.headers)


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
    split = urlsplit(api)
    proxy = getproxies().get(split.scheme)
    if not proxy or split.scheme == "http" or proxy_bypass(split.hostname or ""):
        return urllib3.PoolManager()
    try:
        split = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if not split.hostname or split.port == 0:
            raise ValueError("no host")  # noqa: TRY301  (as urllib3 does for other addresses)
        login = f"{unquote(split.username or '')}:{unquote(split.password or '')}"
        headers = urllib3.make_headers(proxy_basic_auth=login) if split.username else None
        address = f"{split.scheme}://{split.netloc.rpartition('@')[2]}"
        return urllib3.ProxyManager(address, proxy_headers=headers)
    except (ValueError, HTTPError):
        name = f"{urlsplit(api).scheme}_proxy"
        raise UsageProblem(
            f"{name} does not hold the address of a proxy for HTTP; write http://HOST:PORT, or "
            "unset it"
        ) from None


def _json_or_none(data: bytes) -> Any:  # noqa: ANN401
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None
