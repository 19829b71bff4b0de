"""The contents of a memory in numbers: `learnings memory stats`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

from learnings.confidence import values
from learnings.confidence.entry_table import id_number
from learnings.confidence.kinds import KINDS
from learnings.confidence.scoring import NEAR_ARCHIVE, ConfidenceSettings
from learnings.confidence.values import Memory, ScoredEntry, sources_of

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
