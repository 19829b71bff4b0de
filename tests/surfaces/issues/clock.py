"""A clock that stands still until somebody waits."""

from __future__ import annotations

from learnings.surfaces.issues.client import RequestClock

NOW = 1_777_626_000.0


class Standing:
    """A time that passes only by waiting; waits are recorded."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    @property
    def clock(self) -> RequestClock:
        return RequestClock(
            elapsed=lambda: sum(self.waits), now=lambda: NOW + sum(self.waits), sleep=self.sleep
        )
