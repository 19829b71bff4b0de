"""Access to an API: the CI run, the address, the token, answers, and the time for requests."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable

_NUMBER = lazy_pattern(r"[0-9]{1,20}")  # of a run; GitHub's have 11 digits


class CiRun(NamedTuple):
    """The facts about a run; unknown text is empty and an unknown number 0.

    event is empty outside of CI. ref has the form refs/heads/NAME or refs/tags/NAME. base is the
    commit of the target branch for a pull request, and for a push the one that the branch pointed
    at before; empty for a new or deleted branch and for a tag. A run has its page at runs_url with
    its number appended. event_writes is False for events that write no issues, is_on_default True
    for those that exist on the default branch alone.
    """

    event: str
    ref: str
    repository: str
    number: int
    url: str | None
    api: str
    default_branch: str
    base: str
    in_actions: bool = False
    runs_url: str = ""
    is_pull_request: bool = False
    event_writes: bool = True
    is_on_default: bool = False

    @property
    def branch(self) -> str:
        """The branch of the run; empty for a tag or a pull request."""
        return self.ref.removeprefix("refs/heads/") if self.ref.startswith("refs/heads/") else ""


def known_commit(text: str) -> str:
    """Return the commit in an event or a variable, or "" for the zeros that stand for none."""
    return text if text.strip("0") else ""


def run_number(environ: Mapping[str, str], variable: str) -> str:
    """Return the digits of a run number, or "" if the variable has none."""
    text = environ.get(variable, "")
    return text if _NUMBER.fullmatch(text) else ""


def reason_not_to_write(
    run: CiRun, branch: str, default_branch: Callable[[], str], *, setting: str
) -> str | None:
    """Return why a run writes no issues, as the rest of a sentence, or None if it does.

    branch is the checked-out branch. default_branch is called if the event does not name it.
    setting is the option that names the branch of a detached HEAD.
    """
    if run.is_pull_request:
        return "this change is not merged; issues are updated only for the default branch"
    if not run.event_writes:
        return f"issues are not updated for the event {run.event}"
    if run.is_on_default:
        return None
    current = run.branch or ("" if run.event else branch)
    if current:
        default = run.default_branch or default_branch()
        is_default = current == default
        return None if is_default else f"{current} is not the default branch, which is {default}"
    if run.ref.startswith("refs/tags/"):
        tag = run.ref.removeprefix("refs/")
        return f"{tag} is not a branch; issues are updated only for the default branch"
    return f"no branch is checked out; set {setting} to name it"


_LONGEST_REASON = 120  # characters of a server's text in one sentence


class PlatformError(LearningsError):
    """The platform refused a request, or failed."""


class UnknownOutcome(Exception):
    """A request was sent and no answer came: check whether it was carried out."""


def server_message(document: object) -> str:
    message = document.get("message") if isinstance(document, Mapping) else None
    return shortened_reason(message) if isinstance(message, str) and message else "no reason given"


def shortened_reason(text: str) -> str:
    collapsed = printable(" ".join(text.split())).rstrip(".")
    return collapsed if len(collapsed) <= _LONGEST_REASON else collapsed[:_LONGEST_REASON] + "…"


_LOOPBACK = ("127.0.0.1", "::1", "localhost")
# DNS labels between dots, none empty or too long, or an IPv6 address.
_HOST = lazy_pattern(r"[\w-]{1,63}(?:\.[\w-]{1,63})*\.?|[0-9a-f.]*:[0-9a-f:.]*")


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
    if (
        not _HOST.fullmatch(host)
        or split.username
        or split.scheme not in ("https", "http")
        or split.query
    ):
        raise UsageProblem(f"{variable} is not a URL; use https://HOST or https://HOST/PATH")
    if split.scheme == "http" and host not in _LOOPBACK:
        raise UsageProblem(f"{variable} would send the token unencrypted; use https")
    return api.rstrip("/")


# Chosen: the minute that GitHub requests at a secondary rate limit, and another for requests.
BUDGET = 120.0  # seconds
LONGEST_PAUSE = 30.0  # seconds; the last quarter of the budget gets another attempt
_LONGEST_WAIT = 86_400.0  # seconds; more than any budget


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the requested wait in seconds; platforms never write it as a date."""
    text = headers.get("retry-after", "")
    return min(float(text), _LONGEST_WAIT) if text.isdecimal() else None


def limit_wait(headers: Mapping[str, str], now: float, *, prefix: str) -> float | None:
    """Return the seconds until a rate limit is over, if headers say it.

    The names of the headers of the limit begin with the prefix; now is in seconds since 1970.
    """
    requested = retry_after(headers)
    end = headers.get(f"{prefix}-reset", "")
    if requested is None and headers.get(f"{prefix}-remaining") == "0" and end.isdecimal():
        return min(max(1.0, float(end) - now), _LONGEST_WAIT)
    return requested


# The address of the next page in a Link header, such as `<https://…?page=2>; rel="next"`.
_NEXT = lazy_pattern(r'<([^<>]*)>\s*;[^<,]*\brel="?next\b')


def next_link(headers: Mapping[str, str]) -> str | None:
    """Return the address of the next page from a Link header."""
    following = _NEXT.search(headers.get("link", ""))
    return following[1] if following else None


class Api(Protocol):
    """The parts of calling an API that differ between platforms.

    token_header is a header name and the words before the token.
    """

    name: str
    token_variable: str
    address_variable: str
    headers: Mapping[str, str]
    token_header: tuple[str, str]

    def base(self, address: str, repository: str) -> str:
        """Return the address of a repository in the API."""

    def next_page(self, url: str, headers: Mapping[str, str]) -> str | None:
        """Return the address of the page after `url`; header names are case-insensitive."""
        del url
        return next_link(headers)

    def wait(
        self, status: int, document: object, headers: Mapping[str, str], now: float
    ) -> float | None:
        """Return the seconds until a rate limit is over, or None; now is in seconds since 1970."""

    def refusal(self, status: int, document: object, *, repository: str) -> PlatformError:
        """Return a sentence about an answer that refuses a request."""

    def unexpected(self, host: str = "the server") -> PlatformError:
        """Return a sentence about an answer of an unexpected shape."""


class RequestClock(NamedTuple):
    """The functions that read the time and wait; tests replace them."""

    elapsed: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep


class RetryBudget:
    """The total time for all requests of a run to one host, waiting included."""

    def __init__(self, host: str, address_variable: str, clock: RequestClock | None) -> None:
        self.host = host
        self.address_variable = address_variable
        self.clock = clock or RequestClock()
        self._end = self.clock.elapsed() + BUDGET

    @property
    def left(self) -> float:
        """The remaining seconds."""
        return self._end - self.clock.elapsed()

    def other_host(self, url: str = "") -> PlatformError:
        """Return a sentence about an address on another host."""
        return PlatformError(
            f"{self.host} redirects to {urlsplit(url).hostname or 'nowhere'}, and the token is not "
            f"sent there; set {self.address_variable} to the intended host"
        )

    def wait(self, seconds: float, problem: str, *, requested: float | None = None) -> None:
        """Wait before another attempt. Raises PlatformError if that exceeds the budget.

        problem is a verb phrase such as `returned 502`; a wait requested by the host takes
        precedence.
        """
        if requested is not None:
            seconds, problem = requested, f"{problem} and asked to wait {requested:.0f} seconds"
        if seconds >= self.left:
            raise PlatformError(
                f"gave up: {self.host} {problem}, and the limit for all requests is "
                f"{BUDGET:.0f} seconds; try again later"
            )
        if seconds:
            self.clock.sleep(seconds)

    def pause(self, attempt: int, problem: str) -> None:
        """Wait longer before each attempt (from 0), with jitter."""
        self.wait(min(LONGEST_PAUSE, 2.0**attempt) * random.uniform(1, 1.25), problem)  # noqa: S311
