"""The time for the requests of a run: how much is left, and waiting within it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import NamedTuple

from learnings.surfaces.github.errors import GitHubError

# Chosen, not measured: the minute that GitHub asks for at a secondary rate limit, and as much
# again for the requests; beyond that, the next run of the workflow is the better attempt.
BUDGET = 120.0  # seconds
LONGEST_PAUSE = 30.0  # seconds; so that the last quarter of the budget sees another attempt


class Clock(NamedTuple):
    """How time passes; tests have one of their own."""

    elapsed: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep


class RetryBudget:
    """The time for all requests of a run to one host together, waiting included."""

    def __init__(self, host: str, clock: Clock | None = None) -> None:
        self.host = host
        self.clock = clock or Clock()
        self._end = self.clock.elapsed() + BUDGET

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._end - self.clock.elapsed()

    def wait(self, seconds: float, problem: str, *, requested: float | None = None) -> None:
        """Wait before another attempt; raises GitHubError where that would take too long.

        problem is what the host does, as `answers 502`. requested wins over seconds: it is what
        the host has asked to wait.
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
        """Wait longer before each attempt (from 0), and two runs for different times."""
        self.wait(min(LONGEST_PAUSE, 2.0**attempt) * random.uniform(1, 1.25), problem)  # noqa: S311
