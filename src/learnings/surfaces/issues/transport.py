"""HTTP requests with urllib3, which is an extra: import this module only to send one.

urllib3 repeats reads, follows their redirects, and repeats any request that cannot have arrived.
This module adds a bound on the total time, the refusal of other hosts, and rate limits.
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
from learnings.surfaces.issues import access

FAILED = (500, 502, 503, 504)  # the server failed, perhaps after it carried out the request
_MOST_REDIRECTS = 3  # a renamed repository takes one; chosen to end a loop early


class BudgetRetry(urllib3.Retry):
    """The retries of urllib3, within a time budget and on one host."""

    budget: access.RetryBudget

    def new(self, **changed: Any) -> Self:  # noqa: ANN401
        """Return a changed copy; urllib3 makes one for each attempt."""
        retry = super().new(**changed)
        retry.budget = self.budget
        return retry

    def increment(self, *args: Any, **named: Any) -> Self:  # noqa: ANN401
        """Count an attempt. Raises PlatformError if another one is of no use."""
        if isinstance(named.get("error"), SSLError):
            raise access.PlatformError(
                f"the certificate of {self.budget.host} cannot be verified, so nothing was "
                f"sent; set SSL_CERT_FILE to the certificate of its authority"
            )
        response: urllib3.BaseHTTPResponse | None = named.get("response")
        if response and (target := response.get_redirect_location()):
            url = urljoin(args[1], target)
            if not named["_pool"].is_same_host(url):
                response.close()
                raise self.budget.other_host(url)
        return super().increment(*args, **named)

    def sleep(self, response: urllib3.BaseHTTPResponse | None = None) -> None:
        """Wait before the next attempt. Raises PlatformError if the budget does not allow it."""
        last = self.history[-1]
        never_sent = isinstance(last.error, (ConnectTimeoutError, ProxyError))
        silence = "cannot be reached" if never_sent else "did not answer"
        problem = f"returned {last.status}" if last.status else silence
        requested = access.retry_after(response.headers) if response else None
        self.budget.wait(self.get_backoff_time(), problem, requested=requested)


Fields = Mapping[str, Any]
_T = TypeVar("_T")
_TIMEOUT = urllib3.Timeout(connect=10, read=30)  # seconds, the latter between two bytes
_AGENT = {"User-Agent": f"learnings/{__version__}"}
_LARGEST = 32_000_000  # bytes; a page has 100 issues, each with 65,536 characters of up to 4 bytes


class Reply(NamedTuple):
    """An answer: its status, its JSON document (None if it is not JSON), and its headers."""

    status: int
    document: Any
    headers: Mapping[str, str]


class Transport:
    def __init__(
        self, api: access.Api, address: str, token: access.Token, budget: access.RetryBudget
    ) -> None:
        self._api = api
        self._address = address
        self._token = token
        self._budget = budget
        self._pool = _pool(address)
        self._is_same_host = self._pool.connection_from_url(address).is_same_host
        self._retry = BudgetRetry(
            total=None,  # the budget is the limit
            redirect=_MOST_REDIRECTS,
            allowed_methods=("GET",),  # others may have arrived
            status_forcelist=FAILED,
            backoff_factor=1,
            backoff_max=access.LONGEST_PAUSE,
            backoff_jitter=1,
        )
        self._retry.budget = budget

    def send(self, method: str, url: str, fields: Fields | None = None) -> Reply:
        """Send a request, repeating it if that is safe; redirects are followed for GET only.

        Raises PlatformError, or UnknownOutcome if anything but GET may have been carried out.
        """
        attempt = 0
        while True:
            self._budget.wait(0, "did not answer")
            try:
                reply = _within(self._budget.left, lambda: self._sent(method, url, fields))
            except MaxRetryError:
                variable = self._budget.address_variable
                problem = f"{self._budget.host} redirects in a loop; check {variable}"
                raise access.PlatformError(problem) from None
            except ValueError as error:  # urllib3 also raises it for an invalid address
                clear_frames(error.__traceback__)  # urllib3 leaves that answer open
                raise self._budget.other_host() from None
            except (TimeoutError, HTTPError):  # urllib3 does not repeat a truncated answer
                if method != "GET":
                    raise access.UnknownOutcome from None
                self._budget.pause(attempt, "did not answer")
                attempt += 1
                continue
            requested = self._api.wait(*reply, self._budget.clock.now())
            if requested is None:
                return reply
            self._budget.wait(0, f"returned {reply.status}", requested=requested)

    def _sent(self, method: str, url: str, fields: Fields | None) -> Reply:
        url = urljoin(self._address, url)
        if not self._is_same_host(url):
            raise self._budget.other_host(url)
        name, words = self._api.token_header
        answer = self._pool.request(
            method,
            url,
            json=fields,
            headers={**_AGENT, **self._api.headers, name: self._token.header(words)},
            redirect=method == "GET",
            retries=self._retry,
            timeout=_TIMEOUT,
            preload_content=False,
        )
        data = self._token.hidden_in(answer.read(_LARGEST))
        answer.release_conn()
        if answer.status in FAILED:
            raise access.UnknownOutcome
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
            raise ValueError("no host")  # noqa: TRY301  (like urllib3 for other addresses)
        login = f"{unquote(split.username or '')}:{unquote(split.password or '')}"
        headers = urllib3.make_headers(proxy_basic_auth=login) if split.username else None
        address = f"{split.scheme}://{split.netloc.rpartition('@')[2]}"
        return urllib3.ProxyManager(address, proxy_headers=headers)
    except (ValueError, HTTPError):
        name = f"{urlsplit(api).scheme}_proxy"
        raise UsageProblem(
            f"{name} is not the URL of an HTTP proxy; use http://HOST:PORT, or unset it"
        ) from None


def _json_or_none(data: bytes) -> Any:  # noqa: ANN401
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None
