"""What a verdict is computed from: the size of a file, and when its entries were added."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.due.ages import LATEST, Activity, AgeReport, Consolidation, Dated, newest_first


class Contents(NamedTuple):
    """The lines of a text, the identities of its entries, and the dates on which they were added.

    added and recent are ISO text, ascending; entries whose date is unknown are left out, and those
    that are not committed have LATEST. recent belongs to the newest `keep-recent` entries.
    """

    lines: int
    identities: frozenset[str]
    added: tuple[str, ...]
    recent: tuple[str, ...]

    @property
    def committed(self) -> tuple[str, ...]:
        """The dates of the entries that are committed."""
        return self.added[: bisect_left(self.added, LATEST)]


def contents_of(lines: int, entries: Sequence[Dated], *, keep_recent: int) -> Contents:
    """Return what counts of a text with a number of lines and these entries, in file order."""
    identities = frozenset(dated.entry.identity for dated in entries)
    recent = newest_first(entries)[:keep_recent]
    return Contents(lines, identities, _dates(entries), _dates(recent))


def _dates(entries: Sequence[Dated]) -> tuple[str, ...]:
    return tuple(sorted(dated.origin.moment for dated in entries if dated.origin.moment))


class Situation(NamedTuple):
    """The contents of a file at the end of the newest active day, and its last consolidation."""

    contents: Contents
    activity: Activity
    consolidation: Consolidation | None

    @property
    def counting_from(self) -> str | None:
        """The day staleness counts from: the last consolidation, else the oldest entry."""
        last = self.consolidation
        return last.date if last is not None else next(iter(self.contents.added), None)

    def count_fresh(self, dates: Sequence[str], freshness: int) -> int:
        """Return how many of ascending dates are at least `freshness` active days ago."""
        return bisect_left(dates, self.activity.before_last(freshness))


def situation_of(report: AgeReport, *, keep_recent: int) -> Situation:
    """Return the situation that a report is about."""
    contents = contents_of(report.lines, report.entries, keep_recent=keep_recent)
    return Situation(contents, report.history.activity, report.history.consolidation)
