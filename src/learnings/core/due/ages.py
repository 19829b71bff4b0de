"""Ages in git-active days: dates and an as-of in, ages and staleness out.

A git-active day is a calendar date, in the author's own time zone, on which at least one commit
reachable from HEAD was authored. Days without commits age nothing. All dates are ISO text
(`2026-03-11`), so that they compare as text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import gt, lt
from typing import NamedTuple, Protocol, TypeVar

from learnings.core.entries.decisions import NO_DECISIONS, Decision, Decisions
from learnings.core.entries.dialects import FOLDER
from learnings.core.entries.digests import digest_of
from learnings.core.entries.document import Document, Entry

COMMIT = "commit"
MOVED = "moved"
RENAMED_HEADING = "renamed-heading"
UNCOMMITTED = "uncommitted"
STATED_DATE = "stated-date"
FILE_TIME = "file-time"
UNKNOWN = "unknown"

LATEST = "9999-12-31"
"""The day of a commit whose author date cannot be used: it sorts after all others."""


class Activity(NamedTuple):
    """The active days that count, ascending, and the commits that do not count.

    skewed_commits is the number of those whose clock is ahead, undated_commits of those without an
    author date that can be read.
    """

    days: tuple[str, ...]
    skewed_commits: int = 0
    undated_commits: int = 0

    @property
    def as_of(self) -> str | None:
        """The newest day that counts; None where none does."""
        return self.days[-1] if self.days else None

    def after(self, date: str) -> int:
        """Return the number of active days strictly after a date."""
        return len(self.days) - bisect_right(self.days, date)

    def before_last(self, days: int) -> str:
        """Return the date such that what is older has at least a number of active days after it."""
        if days <= 0:
            return f"{LATEST}~"
        return self.days[-days] if days <= len(self.days) else ""

    def until(self, date: str) -> Activity:
        """Return the activity as it was at the end of a date."""
        return self._replace(days=self.days[: bisect_right(self.days, date)])


class Origin(NamedTuple):
    """When and by which commit an entry came into its file, and what that rests on.

    basis is one of the constants above. date (ISO text) and commit are None for an uncommitted
    entry and where nothing is known; reason says why there is no age. moved_from is the file that a
    moved entry came from.
    """

    basis: str
    date: str | None = None
    commit: str | None = None
    reason: str | None = None
    moved_from: str | None = None

    @property
    def moment(self) -> str:
        """The date to compare by: LATEST for an uncommitted entry, empty where it is unknown."""
        return LATEST if self.basis == UNCOMMITTED else self.date or ""


class Consolidation(NamedTuple):
    """A commit that consolidated a file, its author date and how many entries it removed.

    commit is None for what is not committed yet, which counts as of today, and for a plan that
    decided a whole batch, by its date.
    """

    commit: str | None
    date: str
    removed: int


class History(NamedTuple):
    """What git says about one file: the facts that ages and verdicts are computed from.

    head is the commit it ends at. origins are by identity. notes are sentences that say why this
    history differs from the repository's own (replace refs, grafts, ignored authors …).
    """

    head: str
    shallow: bool
    activity: Activity
    origins: Mapping[str, Origin]
    consolidation: Consolidation | None
    notes: tuple[str, ...] = ()


class EntryAge(NamedTuple):
    """An entry with its origin and its age in active days; None where that is unknown.

    lower_bound says that the age is at least that, because the history is incomplete.
    """

    entry: Entry
    origin: Origin
    active_days: int | None
    lower_bound: bool = False


class Dated(Protocol):
    """An entry with its origin."""

    @property
    def entry(self) -> Entry: ...
    @property
    def origin(self) -> Origin: ...


D = TypeVar("D", bound=Dated)


class AgeReport(NamedTuple):
    """The ages of the entries of one file, in file order, and what was decided about them."""

    file: str
    document: Document
    history: History
    entries: tuple[EntryAge, ...]
    freshness: int
    decisions: Decisions = NO_DECISIONS

    @property
    def is_folder(self) -> bool:
        """True if each entry is a file: of a folder a session reads the index alone."""
        return self.document.dialect.name == FOLDER

    @property
    def lines(self) -> int:
        """The number of lines of the whole file, or of its entries beside a log."""
        return self.document.memory_lines

    @property
    def staleness(self) -> int | None:
        """Active days since the last consolidation; None where there was none."""
        last = self.history.consolidation
        return None if last is None else self.history.activity.after(last.date)

    @property
    def fresh(self) -> tuple[EntryAge, ...]:
        """The entries that are at least `freshness` active days old."""
        known = (e for e in self.entries if e.active_days is not None)
        return tuple(e for e in known if (e.active_days or 0) >= self.freshness)

    @property
    def decided(self) -> Mapping[str, Decision]:
        """The decisions about entries that have not changed since, by identity."""
        known = self.decisions.by_digest
        digests = ((e.entry.identity, digest_of(e.entry)) for e in self.entries) if known else ()
        return {identity: known[digest] for identity, digest in digests if digest in known}

    @property
    def oldest_first(self) -> tuple[EntryAge, ...]:
        """The entries by age, oldest first; ties in file order; unknown ages at the end."""
        return oldest_first(self.entries)


def report(
    document: Document,
    history: History,
    *,
    file: str,
    freshness: int,
    decisions: Decisions = NO_DECISIONS,
) -> AgeReport:
    """Compute the age of every entry that the history knows of.

    Entries that the history leaves out (those later than its as-of) are left out here too. A plan
    that decided a whole batch is a consolidation, however few entries left.
    """
    settled, last = decisions.settled, history.consolidation
    if settled is not None and (last is None or last.date < settled):
        history = history._replace(consolidation=Consolidation(None, settled, 0))
    entries = tuple(
        EntryAge(
            entry,
            origin,
            age(origin, history.activity),
            lower_bound=history.shallow and origin.date is not None,
        )
        for entry in document.entries
        if (origin := history.origins.get(entry.identity)) is not None
    )
    return AgeReport(file, document, history, entries, freshness, decisions)


def age(origin: Origin, activity: Activity) -> int | None:
    """Return the number of active days strictly after the day of an origin.

    An uncommitted entry is 0 days old; an unknown origin has no age, nor has any with a reason.
    """
    if origin.basis == UNCOMMITTED:
        return 0
    return None if origin.date is None or origin.reason else activity.after(origin.date)


def oldest_first(entries: Sequence[EntryAge]) -> tuple[EntryAge, ...]:
    """Sort by age, oldest first; ties stay in file order; unknown ages come last."""
    return tuple(
        sorted(entries, key=lambda e: -1 if e.active_days is None else e.active_days, reverse=True)
    )


def newest_first(entries: Sequence[D]) -> tuple[D, ...]:
    """Sort by what is newer: stated dates where every entry has one, else dates from git.

    What they leave equal is decided by the direction of the file: newest first where stated
    dates (else dates from git) fall down the file.
    """
    stated = [e.entry.stated or "" for e in entries]
    dates = stated if all(stated) else [e.origin.moment for e in entries]
    # Sorting keeps the order of what is equal, in reverse as well.
    positions = range(len(entries)) if _falls(dates) else range(len(entries) - 1, -1, -1)
    return tuple(entries[n] for n in sorted(positions, key=dates.__getitem__, reverse=True))


def _falls(dates: Sequence[str]) -> bool:
    """Return True if dates get older down the file more often than they get newer."""
    falls: int = sum(map(gt, dates, dates[1:]))
    rises: int = sum(map(lt, dates, dates[1:]))
    return falls > rises
