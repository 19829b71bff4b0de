"""A memory read without changing it: the entries for a story, and the contents in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

from learnings.confidence import values
from learnings.confidence.entry_table import id_number
from learnings.confidence.kinds import KINDS
from learnings.confidence.overlap import as_name
from learnings.confidence.values import (
    ACTIVE,
    NEAR_ARCHIVE,
    AntiPattern,
    ConfidenceSettings,
    Memory,
    Principle,
    ScoredEntry,
    sources_of,
)
from learnings.consolidation.text.keywords import keys, words
from learnings.consolidation.text.similarity import Bm25

_PLACES = 4  # decimal places of a relevance


class BriefedEntry(NamedTuple):
    """An entry of a briefing.

    relevance is from 0 to 1, 1 for the most relevant entry; triggers are the anti-pattern's
    triggers that the story has.
    """

    entry: ScoredEntry
    relevance: Decimal
    triggers: tuple[str, ...] = ()

    @property
    def score(self) -> Decimal:
        """The ranking score."""
        return self.relevance * self.entry.confidence


class Briefing(NamedTuple):
    """The entries for a story, triggered anti-patterns first, then the highest scores.

    left_out is the number of further entries that are active and confident enough.
    """

    entries: tuple[BriefedEntry, ...]
    left_out: int


def brief(memory: Memory, story: str, settings: ConfidenceSettings) -> Briefing:
    """Return the entries relevant to the text of a story, most important first.

    Entries without a common word come last, by confidence: a briefing is not only about words.
    """
    threshold = settings.briefing_confidence_threshold
    entries = [
        entry
        for entry in memory.entries
        if entry.status == ACTIVE and entry.confidence >= threshold
    ]
    present = set(keys(story)) | {as_name(word) for word in words(story)}
    briefed = [
        BriefedEntry(entry, relevance, _triggers(entry, present))
        for entry, relevance in zip(entries, _relevances(entries, story), strict=True)
    ]
    ranked = sorted(briefed, key=_briefing_rank)
    chosen = tuple(ranked[: settings.max_briefing_entries])
    return Briefing(chosen, len(ranked) - len(chosen))


def _relevances(entries: Sequence[ScoredEntry], story: str) -> list[Decimal]:
    """Return BM25 scores of the entries for a story, scaled to 1 for the best."""
    bags = [dict.fromkeys(keys(_text(entry)), 1.0) for entry in entries]
    scores = Bm25(bags).row(dict.fromkeys(keys(story), 1.0))
    best = max(scores, default=0.0) or 1.0
    return [Decimal(str(round(score / best, _PLACES))) for score in scores]


def _text(entry: ScoredEntry) -> str:
    if isinstance(entry, Principle):
        parts = [entry.text, *entry.guidance, *entry.categories]
    elif isinstance(entry, AntiPattern):
        parts = [entry.failed_approach, entry.failure_mode, *entry.trigger_patterns]
    else:
        parts = [entry.text, *entry.applies_to]
    return "\n".join((*parts, *entry.tags))


def _triggers(entry: ScoredEntry, present: set[str]) -> tuple[str, ...]:
    """Return the triggers of an anti-pattern whose words are all in a story."""
    triggers = entry.trigger_patterns if isinstance(entry, AntiPattern) else ()
    wanted = {trigger: set(keys(trigger)) or {as_name(trigger)} for trigger in triggers}
    return tuple(trigger for trigger, needed in wanted.items() if needed <= present)


def _briefing_rank(briefed: BriefedEntry) -> tuple[bool, Decimal, Decimal, str, int]:
    entry = briefed.entry
    number = id_number(entry.id)
    return not briefed.triggers, -briefed.score, -entry.confidence, entry.id[:2], number


STRONGEST = 5
"""Number of most confident entries to show."""

_CERTAIN = Decimal(1)
_MONTH = len("2026-04")


class KindCount(NamedTuple):
    """The entries of one file by status, and the maximum active ones; key is its list."""

    key: str
    active: int
    archived: int
    superseded: int
    limit: int


class MonthlyGrowth(NamedTuple):
    """The number of entries created in a month (`2026-04`), and the total up to its end."""

    month: str
    created: int
    total: int


class Statistics(NamedTuple):
    """The state of a memory.

    near_archive are active entries with a confidence below NEAR_ARCHIVE, lowest first. certain is
    the number of active entries at 1, which no further story can distinguish.
    """

    kinds: tuple[KindCount, ...]
    strongest: tuple[ScoredEntry, ...]
    near_archive: tuple[ScoredEntry, ...]
    certain: int
    growth: tuple[MonthlyGrowth, ...]

    @property
    def active(self) -> int:
        """The number of active entries of all kinds."""
        return sum(kind.active for kind in self.kinds)


def statistics(memory: Memory, settings: ConfidenceSettings) -> Statistics:
    """Count the entries of a memory."""
    active = [entry for entry in memory.entries if entry.status == values.ACTIVE]
    near = [entry for entry in active if entry.confidence < NEAR_ARCHIVE]
    return Statistics(
        tuple(_count(kind.key, getattr(memory, kind.key), kind.limit(settings)) for kind in KINDS),
        tuple(sorted(active, key=_strength)[:STRONGEST]),
        tuple(sorted(near, key=_strength, reverse=True)),
        sum(entry.confidence >= _CERTAIN for entry in active),
        _growth(memory.entries),
    )


def _count(key: str, entries: Sequence[ScoredEntry], limit: int) -> KindCount:
    counts = Counter(entry.status for entry in entries)
    active, archived, superseded = (counts[status] for status in values.STATUSES)
    return KindCount(key, active, archived, superseded, limit)


def _strength(entry: ScoredEntry) -> tuple[Decimal, int, str, int]:
    return -entry.confidence, -sources_of(entry), entry.id[:2], id_number(entry.id)


def _growth(entries: Sequence[ScoredEntry]) -> tuple[MonthlyGrowth, ...]:
    """Return the months in which entries were created, without undated entries."""
    months = sorted(Counter(entry.created[:_MONTH] for entry in entries if entry.created).items())
    totals = accumulate(created for _, created in months)
    return tuple(
        MonthlyGrowth(month, created, total)
        for (month, created), total in zip(months, totals, strict=True)
    )
