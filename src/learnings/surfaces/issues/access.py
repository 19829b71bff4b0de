"""Access to the API of GitHub: its address, the token, the time for all requests, and refusals."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable

_LONGEST_REASON = 120  # characters of a server's text in one sentence


class GitHubError(LearningsError):
    """GitHub refused a request, or failed."""


class UnknownOutcome(Exception):
    """A request was sent and no answer came: check whether it was carried out."""


def not_github(host: str = "the server") -> GitHubError:
    return GitHubError(
        f"{host} does not answer as GitHub does; check GITHUB_API_URL, which ends in /api/v3 on a "
        "server of your own"
    )


def refusal(status: int, document: object, *, repository: str) -> GitHubError:
    if 300 <= status < 400:
        return GitHubError(
            f"GitHub has another address for {repository}, and nothing is written there; set "
            "GITHUB_REPOSITORY to the name that it has now"
        )
    grant = "give the job `permissions: issues: write`, or the token that right"
    sentences = {
        401: "GITHUB_TOKEN is not valid any more, or belongs to another server; set a new one",
        403: f"the token may not do this in {repository}; {grant}",
        404: f"there is no repository {repository} that this token can see; check "
        f"GITHUB_REPOSITORY and {grant}",
        410: f"issues are switched off in {repository}; switch them on in its settings, or use "
        "`learnings notify file`",
        422: f"GitHub refuses the content ({_fields(document)}); correct that in the settings of "
        "the issue",
    }
    default = f"GitHub answers {status} ({_server_message(document)}); try again later"
    return GitHubError(sentences.get(status, default))


def _server_message(document: object) -> str:
    message = document.get("message") if isinstance(document, Mapping) else None
    return _shortened_reason(message) if isinstance(message, str) and message else "no reason given"


def _fields(document: object) -> str:
    """Return the refused fields, as `assignees: invalid`."""
    errors = document.get("errors") if isinstance(document, Mapping) else None
    fields = [
        f"{error.get('field', error.get('resource', 'request'))}: {error.get('code', 'invalid')}"
        for error in (errors if isinstance(errors, list) else [])
        if isinstance(error, Mapping)
    ]
    return _shortened_reason(", ".join(fields)) if fields else _server_message(document)


def _shortened_reason(text: str) -> str:
    collapsed = printable(" ".join(text.split())).rstrip(".")
    return collapsed if len(collapsed) <= _LONGEST_REASON else collapsed[:_LONGEST_REASON] + "…"


_LOOPBACK = ("127.0.0.1", "::1", "localhost")
# DNS labels between dots, none empty or too long, or an IPv6 address.
_HOST = lazy_pattern(r"[\w-]{1,63}(?:\.[\w-]{1,63})*\.?|[0-9a-f.]*:[0-9a-f:.]*")


class Token:
    """The token, sent to the server in a header and shown nowhere else."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not text.isascii() or not text.isprintable() or " " in text:
            raise UsageProblem("GITHUB_TOKEN holds characters that no token has; set it anew")
        self._text = text

    def __repr__(self) -> str:
        return "Token(…)"

    def header(self) -> str:
        return f"Bearer {self._text}"

    def hidden_in(self, data: bytes) -> bytes:
        """Return a server's answer with the token masked, in case the server echoes it."""
        return data.replace(self._text.encode("ascii"), b"***")


def token_from(environ: Mapping[str, str]) -> Token | None:
    """Return the token of the environment, or None. Raises UsageProblem if it is malformed."""
    text = environ.get("GITHUB_TOKEN", "").strip()
    return Token(text) if text else None


def checked_address(api: str) -> str:
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
        raise UsageProblem(
            "GITHUB_API_URL is not an address; write https://HOST or https://HOST/PATH"
        )
    if split.scheme == "http" and host not in _LOOPBACK:
        raise UsageProblem("GITHUB_API_URL would send the token unencrypted; write it with https")
    return api.rstrip("/")


# Chosen: the minute that GitHub asks for at a secondary rate limit, and as much again for requests.
BUDGET = 120.0  # seconds
LONGEST_PAUSE = 30.0  # seconds; so that the last quarter of the budget sees another attempt


class RequestClock(NamedTuple):
    """The functions that read the time and wait; tests replace them."""

    elapsed: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep


class RetryBudget:
    """The total time for all requests of a run to one host, waiting included."""

    def __init__(self, host: str, clock: RequestClock | None = None) -> None:
        self.host = host
        self.clock = clock or RequestClock()
        self._end = self.clock.elapsed() + BUDGET

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._end - self.clock.elapsed()

    def wait(self, seconds: float, problem: str, *, requested: float | None = None) -> None:
        """Wait before another attempt. Raises GitHubError if that exceeds the budget.

        problem is a verb phrase, as `answers 502`; a wait that the host requested takes precedence.
        """
        if requested is not None:
            seconds, problem = requested, f"{problem} and asks to wait {requested:.0f} seconds"
        if seconds >= self.left:
            raise GitHubError(
                f"{self.host} {problem}, and the {BUDGET:.0f} seconds for this are over; "
                "try again later"
            )
        if seconds:
            self.clock.sleep(seconds)

    def pause(self, attempt: int, problem: str) -> None:
        """Wait longer before each attempt (from 0), with jitter."""
        self.wait(min(LONGEST_PAUSE, 2.0**attempt) * random.uniform(1, 1.25), problem)  # noqa: S311
