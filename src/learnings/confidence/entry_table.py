"""The entries of one file while a run changes them."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Generic

from learnings.confidence.kinds import Kind
from learnings.confidence.matching import Overlaps
from learnings.confidence.overlap import content_words, names
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.text_index import TextIndex
from learnings.confidence.values import ACTIVE, UNUSABLE, AnyEntry, Entry, Observation
from learnings.core.patterns import lazy_pattern

LEAST_DIGITS = 3
"""Digits of the number of an id at least: PR-001."""

# The number of an id.
_NUMBER = lazy_pattern(r"[A-Z]+-([0-9]{1,18})")


def number_of(entry_id: str) -> int:
    """Return the number of an id, 0 where it has none."""
    match = _NUMBER.fullmatch(entry_id)
    return int(match[1]) if match else 0


class EntryTable(Generic[AnyEntry]):
    """Entries in the order of their file, new ones at the end.

    Of several with one id only the first takes part; the others stay as they are.
    """

    def __init__(
        self, kind: Kind[AnyEntry], entries: Iterable[AnyEntry], used_ids: Iterable[str]
    ) -> None:
        """Take the entries of a file, and ids that must not be used again."""
        self.kind: Kind[AnyEntry] = kind
        self._entries: list[AnyEntry] = []
        self._positions: dict[str, int] = {}
        self._texts = TextIndex()
        self._unseen: set[str] = set()
        for entry in entries:
            self.add(entry)
        ids = (*self._positions, *used_ids)
        own = (entry_id for entry_id in ids if entry_id.startswith(f"{kind.prefix}-"))
        self._highest = max(map(number_of, own), default=0)

    @property
    def entries(self) -> tuple[AnyEntry, ...]:
        """All entries."""
        return tuple(self._entries)

    @property
    def active(self) -> list[AnyEntry]:
        """The active entries that take part."""
        positions = self._positions.values()
        entries = (self._entries[position] for position in positions)
        return [entry for entry in entries if entry.status == ACTIVE]

    def __getitem__(self, entry_id: str) -> AnyEntry:
        """Return the entry with an id that there is."""
        return self._entries[self._positions[entry_id]]

    def get(self, entry_id: str) -> AnyEntry | None:
        """Return the entry with an id, if there is one."""
        position = self._positions.get(entry_id)
        return None if position is None else self._entries[position]

    def add(self, entry: AnyEntry) -> None:
        """Append an entry."""
        position = len(self._entries)
        self._entries.append(entry)
        if self._positions.setdefault(entry.id, position) == position:
            self._unseen.add(entry.id)
            if entry.status in (ACTIVE, UNUSABLE):
                self._texts.add(position, self.kind.texts(entry), self.kind.uses(entry))

    def replace(self, entry: AnyEntry) -> None:
        """Put an entry in the place of the one with its id, whose texts it keeps."""
        position = self._positions[entry.id]
        self._entries[position] = entry
        if entry.status != ACTIVE:
            self._texts.remove(position)

    def new_id(self) -> str:
        """Return an id that no entry had before."""
        self._highest += 1
        return f"{self.kind.prefix}-{self._highest:0{LEAST_DIGITS}}"

    def take_unseen(self) -> set[str]:
        """Return the ids of the entries that were added since the last call."""
        unseen, self._unseen = self._unseen, set()
        return unseen

    def match(self, observation: Observation, settings: ConfidenceSettings) -> AnyEntry | None:
        """Return the entry that says what an observation says, the best of several.

        It is active, or would be if its values could be used.
        It meets most criteria, has the highest mean overlap, then confidence, then the lowest id.
        """
        words, tags = content_words(observation.text), names(observation.tags)
        positions = self._texts.candidates(words, tags)
        entries = [self._entries[position] for position in positions]
        compared = [(entry, self.kind.overlaps(entry, observation, settings)) for entry in entries]
        matches = [(entry, overlaps) for entry, overlaps in compared if overlaps.is_match]
        return min(matches, key=_rank)[0] if matches else None


def _rank(match: tuple[Entry, Overlaps]) -> tuple[int, Fraction, Decimal, int, str]:
    entry, overlaps = match
    return -overlaps.met, -overlaps.mean, -entry.confidence, number_of(entry.id), entry.id
