"""Which requests are repeated, when, and where redirects may lead; imports urllib3.

urllib3 itself repeats what reads, follows its redirects (without the token, if they lead to another
host), and repeats any request that cannot have arrived. Added here are a bound for the time of it
all, the refusal of other hosts, and GitHub's rate limits, which have the status 403 or 429.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urljoin, urlsplit

import urllib3
from urllib3.exceptions import ConnectTimeoutError, ProxyError, SSLError

from learnings.surfaces.github.budget import LONGEST_PAUSE, RetryBudget
from learnings.surfaces.github.errors import GitHubError

FAILED = (500, 502, 503, 504)  # the server failed, perhaps after it did what it was asked for
_RATE_LIMIT_WAIT = 60.0  # seconds; what GitHub's documentation says where an answer names no time
_LONGEST_WAIT = 86_400.0  # seconds; what is longer is more than any budget, however long it is
_MOST_REDIRECTS = 3  # a renamed repository takes one; chosen to end a circle early


class BudgetRetry(urllib3.Retry):
    """Retrying as urllib3 does it, within a budget of time and on one host."""

    budget: RetryBudget

    def new(self, **changed: Any) -> Self:  # noqa: ANN401
        """Return a copy with something changed, as urllib3 makes one for each attempt."""
        retry = super().new(**changed)
        retry.budget = self.budget
        return retry

    def increment(self, *args: Any, **named: Any) -> Self:  # noqa: ANN401
        """Count an attempt. Raises GitHubError where another one is of no use."""
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
        """Wait before the next attempt. Raises GitHubError where the budget does not allow it."""
        last = self.history[-1]
        never_sent = isinstance(last.error, (ConnectTimeoutError, ProxyError))
        silence = "cannot be reached" if never_sent else "does not answer"
        problem = f"answers {last.status}" if last.status else silence
        requested = _retry_after(response.headers) if response else None
        self.budget.wait(self.get_backoff_time(), problem, requested=requested)


def new_retry(budget: RetryBudget) -> BudgetRetry:
    """Return the retrying for a request; only reading is repeated where it may have arrived."""
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
    """Return the seconds to wait until a rate limit is over; None for an answer that names none.

    now is in seconds since 1970, as GitHub names the end of a limit.
    """
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
    """Return the seconds that an answer asks to wait; GitHub never writes them as a date."""
    text = headers.get("retry-after", "")
    return min(float(text), _LONGEST_WAIT) if text.isdecimal() else None


def other_host(host: str, url: str = "") -> GitHubError:
    """Return the refusal to send anything to another host than that of the API."""
    return GitHubError(
        f"{host} redirects to {urlsplit(url).hostname or 'nowhere'}, where the token is not sent; "
        "set GITHUB_API_URL to the host that is meant"
    )
