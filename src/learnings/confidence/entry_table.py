"""The entries of one file during a run, and the limits it keeps (steps 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Generic

from learnings.confidence import values
from learnings.confidence.kinds import EntryKind, Overlaps
from learnings.confidence.opposites import effect_of
from learnings.confidence.overlap import SAME, TextIndex, are_near, content_words
from learnings.confidence.values import (
    AnyEntry,
    ConfidenceSettings,
    CurationChange,
    Observation,
    ScoredEntry,
    last_date_of,
    sources_of,
    united,
)
from learnings.core.patterns import lazy_pattern

LEAST_DIGITS = 3
"""Minimum digits in the number of an id: PR-001."""

# The number of an id.
_ID_NUMBER = lazy_pattern(r"[A-Z]+-([0-9]{1,18})")


def id_number(entry_id: str) -> int:
    """Return the number of an id, 0 if it has none."""
    match = _ID_NUMBER.fullmatch(entry_id)
    return int(match[1]) if match else 0


class EntryTable(Generic[AnyEntry]):
    """Entries in file order, new ones at the end.

    Of several entries with one id only the first takes part; the others stay unchanged.
    """

    def __init__(
        self, kind: EntryKind[AnyEntry], entries: Iterable[AnyEntry], used_ids: Iterable[str]
    ) -> None:
        """Start with the entries of a file, and ids that must not be used again."""
        self.kind: EntryKind[AnyEntry] = kind
        self._entries: list[AnyEntry] = []
        self._positions: dict[str, int] = {}
        self._texts = TextIndex()
        self._unseen: set[str] = set()
        for entry in entries:
            self.add(entry)
        ids = (*self._positions, *used_ids)
        own = (entry_id for entry_id in ids if entry_id.startswith(f"{kind.prefix}-"))
        self._highest = max(map(id_number, own), default=0)

    @property
    def entries(self) -> tuple[AnyEntry, ...]:
        """All entries."""
        return tuple(self._entries)

    @property
    def active(self) -> list[AnyEntry]:
        """The active entries that take part."""
        positions = self._positions.values()
        entries = (self._entries[position] for position in positions)
        return [entry for entry in entries if entry.status == values.ACTIVE]

    def __getitem__(self, entry_id: str) -> AnyEntry:
        """Return the entry with an existing id."""
        return self._entries[self._positions[entry_id]]

    def get(self, entry_id: str) -> AnyEntry | None:
        """Return the entry with an id, or None."""
        position = self._positions.get(entry_id)
        return None if position is None else self._entries[position]

    def add(self, entry: AnyEntry) -> None:
        """Append an entry."""
        position = len(self._entries)
        self._entries.append(entry)
        if self._positions.setdefault(entry.id, position) == position:
            self._unseen.add(entry.id)
            if entry.status in (values.ACTIVE, values.UNUSABLE):
                self._texts.add(position, self.kind.texts(entry))

    def replace(self, entry: AnyEntry) -> None:
        """Replace the entry with the same id."""
        position: int = self._positions[entry.id]
        is_changed = [*self.kind.texts(self._entries[position])] != [*self.kind.texts(entry)]
        self._entries[position] = entry
        if is_changed or entry.status != values.ACTIVE:
            self._texts.remove(position)
        if is_changed and entry.status == values.ACTIVE:
            self._texts.add(position, self.kind.texts(entry))
            self._unseen.add(entry.id)

    def new_id(self) -> str:
        """Return an id that no entry ever had."""
        self._highest += 1
        return f"{self.kind.prefix}-{self._highest:0{LEAST_DIGITS}}"

    def take_unseen(self) -> set[str]:
        """Return the ids of the entries added since the last call."""
        unseen, self._unseen = self._unseen, set()
        return unseen

    def match(
        self, observation: Observation, settings: ConfidenceSettings
    ) -> tuple[AnyEntry, str] | None:
        """Return the entry that an observation is about, and its effect on it.

        The entry is active, or would be with valid values. Of several, one that the observation
        reinforces is the best, then one that it contradicts; then the one with equal words, with
        most criteria met, the highest mean overlap, confidence, and the lowest id.
        """
        positions = self._texts.candidates(content_words(observation.text))
        entries = [self._entries[position] for position in positions]
        compared = [(entry, self.kind.overlaps(entry, observation, settings)) for entry in entries]
        matches = [
            (entry, effect_of(overlaps.said, observation.text), overlaps)
            for entry, overlaps in compared
            if overlaps.is_match
        ]
        return min(matches, key=_match_rank)[:2] if matches else None


_EFFECTS = (values.REINFORCED, values.CONTRADICTED, values.QUESTION)  # best match first


def _match_rank(match: tuple[ScoredEntry, str, Overlaps]) -> tuple[Any, ...]:
    entry, effect, overlaps = match
    likeness = not overlaps.is_equal, -overlaps.met, -overlaps.mean
    return _EFFECTS.index(effect), *likeness, -entry.confidence, id_number(entry.id), entry.id


def merge_same(table: EntryTable[AnyEntry]) -> list[CurationChange]:
    """Merge active entries with the same meaning into the most confident one.

    Among equals the one with more sources stays, then the older one (one without a date is the
    oldest), then the one with the lower id. Pairs compared by an earlier call on the same table are
    left out.
    """
    unseen = table.take_unseen()
    changes: list[CurationChange] = []
    kept: dict[str, frozenset[str]] = {}
    kept_unseen: dict[str, frozenset[str]] = {}
    for entry in sorted(table.active, key=_keeping_rank) if unseen else ():
        text = table.kind.says(entry)
        words = content_words(text)
        others = kept if entry.id in unseen else kept_unseen
        near = (name for name, more in others.items() if are_near(words, more, SAME))
        said = ((name, table.kind.says(table[name])) for name in near)
        same = next((n for n, other in said if effect_of(other, text) == values.REINFORCED), None)
        if same is None:
            kept[entry.id] = words
            if entry.id in unseen:
                kept_unseen[entry.id] = words
        else:
            table.replace(united(table[same], entry))
            table.replace(entry._replace(status=table.kind.merged_status))
            confidence, reason = entry.confidence, f"{same} says the same"
            changes.append(
                CurationChange(values.MERGED, entry.id, confidence, confidence, reason=reason)
            )
    return changes


def archive_low(table: EntryTable[AnyEntry], settings: ConfidenceSettings) -> list[CurationChange]:
    """Archive the active entries with a confidence below the threshold."""
    threshold = settings.confidence_archive
    low = [entry for entry in table.active if entry.confidence < threshold]
    return _archive(table, low, values.BELOW_THRESHOLD, f"its confidence is below {threshold}")


def rotate(table: EntryTable[AnyEntry], settings: ConfidenceSettings) -> list[CurationChange]:
    """Archive the least confident entries above the limit.

    Among equals the one reinforced or created longest ago goes first, then the one with fewer
    sources, then the one with the higher id.
    """
    limit, active = table.kind.limit(settings), table.active
    surplus = sorted(active, key=_rotating_rank)[: max(0, len(active) - limit)]
    return _archive(table, surplus, values.ROTATED, f"more than {limit} are active")


def _archive(
    table: EntryTable[AnyEntry], entries: Iterable[AnyEntry], action: str, reason: str
) -> list[CurationChange]:
    changes = []
    for entry in entries:
        table.replace(entry._replace(status=values.ARCHIVED))
        scores = entry.confidence, entry.confidence
        changes.append(CurationChange(action, entry.id, *scores, reason=reason))
    return changes


def _keeping_rank(entry: ScoredEntry) -> tuple[Decimal, int, str, int, str]:
    number = id_number(entry.id)
    return -entry.confidence, -sources_of(entry), entry.created or "", number, entry.id


def _rotating_rank(entry: ScoredEntry) -> tuple[Decimal, str, int, int]:
    return entry.confidence, last_date_of(entry), sources_of(entry), -id_number(entry.id)
