"""Steps 6 and 7: one entry for one thing, none below the threshold, and not too many."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from learnings.confidence.entry_table import EntryTable, number_of
from learnings.confidence.kinds import Kind
from learnings.confidence.overlap import SAME, content_words, jaccard
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

_NO_DATE = "~"  # behind every date


def merge_same(table: EntryTable[AnyEntry]) -> list[Change]:
    """Let one of several active entries stay that say the same: the most confident one.

    Of equals that with more sources, then the older one, then that with the lower id. Pairs that
    were compared by an earlier call on the same table are left out.
    """
    changes: list[Change] = []
    unseen = table.take_unseen()
    kept: list[AnyEntry] = []
    for entry in sorted(table.active, key=_keeping_rank) if unseen else ():
        others = kept if entry.id in unseen else [item for item in kept if item.id in unseen]
        same = next((other for other in others if _says_same(table.kind, other, entry)), None)
        if same is None:
            kept.append(entry)
            continue
        united = same.united(entry)
        table.replace(united)
        table.replace(entry._replace(status=table.kind.merged_status))
        kept[kept.index(same)] = united
        reason = f"{same.id} says the same"
        changes.append(Change(MERGED, entry.id, entry.confidence, entry.confidence, reason=reason))
    return changes


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


def _says_same(kind: Kind[AnyEntry], one: AnyEntry, other: AnyEntry) -> bool:
    return jaccard(content_words(kind.says(one)), content_words(kind.says(other))) > SAME


def _keeping_rank(entry: Entry) -> tuple[Decimal, int, str, int, str]:
    number = number_of(entry.id)
    return -entry.confidence, -entry.sources, entry.created or _NO_DATE, number, entry.id


def _rotating_rank(entry: Entry) -> tuple[Decimal, str, int, int]:
    return entry.confidence, entry.last_date, entry.sources, -number_of(entry.id)
