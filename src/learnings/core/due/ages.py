"""Ages in git-active days, computed from ISO dates, which compare as text.

A git-active day is a calendar date, in the author's time zone, on which a commit reachable from
HEAD was authored. Entries do not age on other days.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from operator import gt, lt
from typing import NamedTuple

from learnings.core.entries.decisions import ESCALATED, NO_DECISIONS, Decision, Decisions
from learnings.core.entries.dialects import FOLDER
from learnings.core.entries.document import Document, Entry, digest_of, is_without_text
from learnings.core.settings.setting_values import FileSettings

COMMIT = "commit"
MOVED = "moved"
RENAMED_HEADING = "renamed-heading"
RESTORED = "restored"
UNCOMMITTED = "uncommitted"
STATED_DATE = "stated-date"
FILE_TIME = "file-time"
UNKNOWN = "unknown"

LATEST = "9999-12-31"
"""The date of a commit without a usable author date; it sorts after all others."""


class Activity(NamedTuple):
    """The active days in ascending order, and counts of commits with a future or invalid date."""

    days: tuple[str, ...]
    skewed_commits: int = 0
    undated_commits: int = 0

    @property
    def as_of(self) -> str | None:
        return self.days[-1] if self.days else None

    def after(self, date: str) -> int:
        return len(self.days) - bisect_right(self.days, date)

    def until(self, date: str) -> Activity:
        return self._replace(days=self.days[: bisect_right(self.days, date)])


NO_ACTIVITY = Activity(())


class Origin(NamedTuple):
    """The origin of an entry; date (ISO) and commit are None if unknown or uncommitted.

    gap has the days on which the entry last left its file and came back, for a restored one; the
    second is empty if it is not committed.
    """

    basis: str
    date: str | None = None
    commit: str | None = None
    reason: str | None = None
    moved_from: str | None = None
    gap: tuple[str, ...] | None = None

    @property
    def arrived(self) -> str | None:
        """The day on which the entry last came into its file, LATEST if that is uncommitted."""
        return (self.gap[-1] or LATEST) if self.gap else self.date

    @property
    def moment(self) -> str:
        """The date for comparisons: LATEST if uncommitted, empty if unknown."""
        return LATEST if self.basis == UNCOMMITTED else self.date or ""


class Consolidation(NamedTuple):
    """A commit (None for uncommitted changes and plans) and its number of removed entries.

    ended is the day on which a revert took it back.
    """

    commit: str | None
    date: str
    removed: int
    ended: str | None = None


class History(NamedTuple):
    """The git facts about a file, with origins by identity; notes explain special cases."""

    head: str
    shallow: bool
    activity: Activity
    origins: Mapping[str, Origin]
    consolidation: Consolidation | None
    notes: tuple[str, ...] = ()


class EntryAge(NamedTuple):
    """An entry, its origin and its age in active days (None if unknown).

    decision is that of an earlier consolidation about the present text. It keeps the entry out of
    batches for days_left more active days; None is until somebody decides.
    """

    entry: Entry
    origin: Origin
    active_days: int | None = None
    lower_bound: bool = False
    decision: Decision | None = None
    days_left: int | None = 0

    @property
    def rests(self) -> bool:
        return self.days_left is None or self.days_left > 0


class AgeReport(NamedTuple):
    """The ages of a file's entries, in file order, and the other facts of its history.

    newest has the identities of the newest `keep-recent` entries with text. head is empty without a
    repository; notes explain special cases.
    """

    file: str
    document: Document
    entries: tuple[EntryAge, ...]
    newest: frozenset[str]
    settings: FileSettings
    head: str
    shallow: bool
    activity: Activity
    consolidation: Consolidation | None
    notes: tuple[str, ...] = ()
    decisions: Decisions = NO_DECISIONS

    @property
    def is_folder(self) -> bool:
        return self.document.dialect.name == FOLDER

    @property
    def dates(self) -> dict[str, str | None]:
        """The dates on which entries were added, by identity; None if unknown."""
        return {age.entry.identity: age.origin.date for age in self.entries}

    @property
    def staleness(self) -> int | None:
        last = self.consolidation
        return None if last is None else self.activity.after(last.date)

    @property
    def fresh(self) -> tuple[EntryAge, ...]:
        known = (e for e in self.entries if e.active_days is not None)
        return tuple(e for e in known if (e.active_days or 0) >= self.settings.freshness)

    @property
    def candidates(self) -> tuple[EntryAge, ...]:
        return with_text(self.entries)

    @property
    def resting(self) -> tuple[EntryAge, ...]:
        """The entries that earlier decisions keep out of batches, oldest first."""
        return tuple(dated for dated in self.oldest_first if dated.rests)

    @property
    def oldest_first(self) -> tuple[EntryAge, ...]:
        """The entries by age; ties stay in order and unknown ages come last."""
        return tuple(
            sorted(
                self.entries,
                key=lambda dated: -1 if dated.active_days is None else dated.active_days,
                reverse=True,
            )
        )


def report(
    document: Document,
    history: History,
    *,
    file: str,
    settings: FileSettings,
    decisions: Decisions = NO_DECISIONS,
) -> AgeReport:
    """Compute all known ages; a plan that decided a whole batch counts as a consolidation."""
    settled, last, activity = decisions.settled, history.consolidation, history.activity
    if settled is not None and (last is None or last.date < settled):
        last = Consolidation(None, settled, 0)
    dated = []
    for entry in document.entries:
        origin = history.origins.get(entry.identity)
        if origin is not None:
            is_bound = history.shallow and origin.date is not None
            known = decisions.by_digest
            decision = known.get(digest_of(entry)) if known else None
            left = _days_left(decision, activity, settings.keep_days) if decision else 0
            days = age(origin, activity)
            dated.append(EntryAge(entry, origin, days, is_bound, decision, left))
    newest = newest_of(with_text(dated), settings.keep_recent)
    facts = history.head, history.shallow, activity, last, history.notes
    return AgeReport(file, document, tuple(dated), newest, settings, *facts, decisions)


def _days_left(decision: Decision, activity: Activity, keep_days: int) -> int | None:
    if decision.kind == ESCALATED:
        return None
    return max(0, keep_days - activity.after(decision.date))


def age(origin: Origin, activity: Activity) -> int | None:
    """Return the active days since an origin: 0 if uncommitted, None if unknown or explained."""
    if origin.basis == UNCOMMITTED:
        return 0
    return None if origin.date is None or origin.reason else activity.after(origin.date)


def with_text(entries: Sequence[EntryAge]) -> tuple[EntryAge, ...]:
    """Leave out placeholders and headings without text: they take part in no batch."""
    return tuple(dated for dated in entries if not is_without_text(dated.entry))


def newest_of(entries: Sequence[EntryAge], count: int) -> frozenset[str]:
    """Return the identities of the newest entries.

    Stated dates count if all entries have one, else those of git; file order breaks ties.
    """
    stated = [e.entry.stated or "" for e in entries]
    dates = stated if all(stated) else [e.origin.moment for e in entries]
    # Sorting is stable, also in reverse.
    falls, rises = (sum(map(compare, dates, dates[1:])) for compare in (gt, lt))
    positions = range(len(entries)) if falls > rises else range(len(entries) - 1, -1, -1)
    newest = sorted(positions, key=dates.__getitem__, reverse=True)[:count]
    return frozenset(entries[number].entry.identity for number in newest)


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
