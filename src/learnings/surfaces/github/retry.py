"""Waiting before another attempt: as long as is asked for, and never beyond a bound."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import NamedTuple

from learnings.surfaces.github.errors import GitHubError
from learnings.surfaces.github.transport import Reply

PATIENCE = 120.0  # seconds for all requests of a run together, waiting included
PASSING = (500, 502, 503, 504)
_LONGEST_PAUSE = 30.0


class Clock(NamedTuple):
    """How time passes; tests have one of their own."""

    passed: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep


class RetryBudget:
    """The time that is left for the requests of a run; it begins with the first look at it."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self._until = self.clock.passed() + PATIENCE

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._until - self.clock.passed()

    def pause(self, attempt: int, trouble: str, *, asked_for: float | None = None) -> None:
        """Wait before another attempt (from 0); raises GitHubError where that would take too long.

        trouble is what made it necessary, as `github.com answers 502`.
        """
        usual = min(_LONGEST_PAUSE, 2.0**attempt) * random.uniform(0.75, 1.25)  # noqa: S311
        seconds = usual if asked_for is None else asked_for
        if seconds > self.left:
            desired = "" if asked_for is None else f" and asks to wait {seconds:.0f} seconds"
            raise GitHubError(
                f"{trouble}{desired}, and the {PATIENCE:.0f} seconds for this are over; "
                "try again later"
            )
        self.clock.sleep(seconds)


def asked_to_wait(reply: Reply, now: float) -> float | None:
    """The seconds that an answer asks to wait for; None where it is no matter of waiting."""
    if reply.status not in (403, 429, *PASSING):
        return None
    after = reply.headers.get("retry-after", "")
    if after.isdecimal():
        return float(after)
    if reply.status in PASSING:
        return None
    reset = reply.headers.get("x-ratelimit-reset", "")
    if reply.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return max(1.0, float(reset) - now)
    is_limit = reply.status == 429 or "rate limit" in json.dumps(reply.document)
    return 60.0 if is_limit else None  # what GitHub asks for where it names no time
