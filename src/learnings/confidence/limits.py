"""Steps 6 and 7: one entry for one thing, none below the threshold, and not too many."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from learnings.confidence.entry_table import EntryTable, number_of
from learnings.confidence.overlap import SAME, are_near, content_words
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import (
    ARCHIVED,
    BELOW_THRESHOLD,
    MERGED,
    ROTATED,
    AnyEntry,
    Change,
    Entry,
)


def merge_same(table: EntryTable[AnyEntry]) -> list[Change]:
    """Let one of several active entries stay that say the same: the most confident one.

    Of equals that with more sources, then the older one (without a date it is the oldest), then
    that with the lower id. Pairs that an earlier call on the same table compared are left out.
    """
    unseen = table.take_unseen()
    changes: list[Change] = []
    kept: dict[str, frozenset[str]] = {}
    kept_unseen: dict[str, frozenset[str]] = {}
    for entry in sorted(table.active, key=_keeping_rank) if unseen else ():
        words = content_words(table.kind.says(entry))
        others = kept if entry.id in unseen else kept_unseen
        same = next((name for name, more in others.items() if are_near(words, more, SAME)), None)
        if same is None:
            kept[entry.id] = words
            if entry.id in unseen:
                kept_unseen[entry.id] = words
        else:
            changes.append(_merge(table, table[same], entry))
    return changes


def _merge(table: EntryTable[AnyEntry], entry: AnyEntry, other: AnyEntry) -> Change:
    table.replace(entry.united(other))
    table.replace(other._replace(status=table.kind.merged_status))
    confidence, reason = other.confidence, f"{entry.id} says the same"
    return Change(MERGED, other.id, confidence, confidence, reason=reason)


def archive_low(table: EntryTable[AnyEntry], settings: ConfidenceSettings) -> list[Change]:
    """Archive the active entries whose confidence is below the threshold."""
    threshold = settings.confidence_archive
    low = [entry for entry in table.active if entry.confidence < threshold]
    return _archive(table, low, BELOW_THRESHOLD, f"its confidence is below {threshold}")


def rotate(table: EntryTable[AnyEntry], settings: ConfidenceSettings) -> list[Change]:
    """Archive the least confident entries of those that are too many.

    Of equals the one that was reinforced or created longest ago, then that with fewer sources,
    then that with the higher id.
    """
    limit, active = table.kind.limit(settings), table.active
    surplus = sorted(active, key=_rotating_rank)[: max(0, len(active) - limit)]
    return _archive(table, surplus, ROTATED, f"more than {limit} are active")


def _archive(
    table: EntryTable[AnyEntry], entries: Iterable[AnyEntry], action: str, reason: str
) -> list[Change]:
    changes = []
    for entry in entries:
        table.replace(entry._replace(status=ARCHIVED))
        confidence = entry.confidence
        changes.append(Change(action, entry.id, confidence, confidence, reason=reason))
    return changes


def _keeping_rank(entry: Entry) -> tuple[Decimal, int, str, int, str]:
    number = number_of(entry.id)
    return -entry.confidence, -entry.sources, entry.created or "", number, entry.id


def _rotating_rank(entry: Entry) -> tuple[Decimal, str, int, int]:
    return entry.confidence, entry.last_date, entry.sources, -number_of(entry.id)
