"""When a compaction is due: enough raw files that no theme knows yet."""

from __future__ import annotations

from typing import NamedTuple

FIRST, MORE = 5, 3
"""Valid raw files for a first compaction, and new ones for each, as the protocol has them."""


class Trigger(NamedTuple):
    """The numbers that decide: valid raw files, those that INDEX covers; strict as configured."""

    valid: int
    processed: int
    strict: bool = False

    @property
    def new(self) -> int:
        """Valid raw files since the last compaction, never below 0."""
        return max(self.valid - self.processed, 0)

    @property
    def is_due(self) -> bool:
        """True if enough is new. With nothing new nothing is due, however many files there are.

        Read literally the protocol is due for ever from FIRST files on: strict does that, as long
        as any file is new.
        """
        is_first = self.valid >= FIRST and (self.processed == 0 or self.strict)
        return self.new > 0 and (is_first or self.new >= MORE)
