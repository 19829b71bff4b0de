"""Facts from history about a memory file: resurrected entries, differing dates, transfers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from learnings.core.due.ages import Origin
from learnings.core.entries.document import Entry

FAR_APART = 30
"""Days by which a stated date may differ from the git date before it counts as a mismatch.

A month, since people write entries days or weeks after the event; not measured.
"""

# Length of a date with a day; stated dates can be months.
_WHOLE_DATE = len("2026-01-01")


class ResurrectedEntry(NamedTuple):
    """An entry that a consolidation removed and that is back; dates are ISO or None.

    by_merge: a merge of an older branch restored it. has_replacement: it stands next to its
    replacement. Otherwise only the author knows whether it is a mistake.
    """

    identity: str
    removed_by: str
    removed_on: str | None
    returned_by: str | None
    returned_on: str | None
    by_merge: bool = False
    has_replacement: bool = False


class HistoryFacts(NamedTuple):
    """The history of a file: origins and rewrite dates by identity, and importing commits."""

    origins: Mapping[str, Origin]
    resurrected: tuple[ResurrectedEntry, ...]
    rewritten: Mapping[str, str]
    imports: frozenset[str]


def days_late(stated: str, added: str) -> int:
    """Return how many days git's date is after a stated day, or the nearest day of a month."""
    from_git = date.fromisoformat(added)
    if len(stated) >= _WHOLE_DATE:
        return (from_git - date.fromisoformat(stated[:_WHOLE_DATE])).days
    first = date.fromisoformat(f"{stated}-01")
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return (from_git - min(max(from_git, first), last)).days


class Transfer(NamedTuple):
    """A commit that removed entries; added holds its new lines in target files, by path."""

    commit: str
    date: str
    entries: tuple[Entry, ...]
    added: Mapping[str, tuple[str, ...]]


class Transfers(NamedTuple):
    """The known transfers, newest first, and the date of the last change of each target file."""

    transfers: tuple[Transfer, ...] = ()
    last_commits: Mapping[str, str] = {}
