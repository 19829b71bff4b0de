"""What the history of a memory file shows: entries that came back, dates that differ, transfers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from learnings.core.due.ages import Origin
from learnings.core.entries.document import Entry

FAR_APART = 30
"""Days by which a stated date may differ from the one in git; more than that is a mismatch.

A month, since entries are written down days or weeks after what they tell; not measured.
"""

# Characters of a date with a day; stated dates may be months.
_WHOLE_DATE = len("2026-01-01")


class ResurrectedEntry(NamedTuple):
    """An entry that a consolidation removed and that is in the file again.

    Dates are author dates, ISO text, None where they cannot be read. returned_by and returned_on
    are None where it came back in the working tree only. by_merge says that a merge of an older
    branch brought it back; has_replacement says that a commit put it back next to what the
    consolidation had written for it. With neither, only its author knows if it came back by
    mistake.
    """

    identity: str
    removed_by: str
    removed_on: str | None
    returned_by: str | None
    returned_on: str | None
    by_merge: bool = False
    has_replacement: bool = False


class HistoryFacts(NamedTuple):
    """What the rules that need git know of a file.

    origins are by identity, and so is rewritten: the date on which the first line of an entry got
    its present words, known only where the stated date is far later than the origin. imports are
    commits that brought entries from elsewhere, with the dates they had there.
    """

    origins: Mapping[str, Origin]
    resurrected: tuple[ResurrectedEntry, ...]
    rewritten: Mapping[str, str]
    imports: frozenset[str]


def days_late(stated: str, added: str) -> int:
    """Return by how many days a date from git is later than a stated one; negative: earlier.

    A stated month counts as its day nearest to the date from git. Both are ISO text; a time of
    day is ignored.
    """
    from_git = date.fromisoformat(added)
    if len(stated) >= _WHOLE_DATE:
        return (from_git - date.fromisoformat(stated[:_WHOLE_DATE])).days
    first = date.fromisoformat(f"{stated}-01")
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return (from_git - min(max(from_git, first), last)).days


class Transfer(NamedTuple):
    """A commit that removed entries from a learnings file.

    date is its author date, ISO text. added holds the lines that the same commit added to target
    files, by path.
    """

    commit: str
    date: str
    entries: tuple[Entry, ...]
    added: Mapping[str, tuple[str, ...]]


class Transfers(NamedTuple):
    """The known transfers into target files, newest first.

    last_commits holds the author date of the last commit that changed each target file, ISO text by
    path; files that no commit changed, or none of the newest ones, are not among them.
    """

    transfers: tuple[Transfer, ...] = ()
    last_commits: Mapping[str, str] = {}
