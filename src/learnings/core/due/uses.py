"""The use of an entry: the days on which the files it names were changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from learnings.core.due.ages import Activity, EntryAge

LONG_UNUSED = 40
"""Active days without a change to the files an entry names that are worth mentioning.

Chosen, as about two months of work: evidence for a person's decision, never a verdict.
"""


class EntryUse(NamedTuple):
    """The days after an entry was written on which the files it names were changed.

    active_days counts these days; last is the newest (ISO) or None. idle is the number of active
    days since then, or since the entry was written.
    """

    active_days: int
    last: str | None
    idle: int

    @property
    def is_long_unused(self) -> bool:
        """True if the files that the entry names have not changed for a long time."""
        return self.idle >= LONG_UNUSED


def use_of(entry: EntryAge, days: Collection[str], activity: Activity) -> EntryUse | None:
    """Return the use of an entry, or None if its age is unknown.

    days (ISO) are the dates on which the files it names were changed.
    """
    added = entry.origin.date
    if added is None or entry.active_days is None:
        return None
    later = sorted(day for day in {*days} if day > added)
    last = later[-1] if later else None
    return EntryUse(len(later), last, activity.after(last or added))
