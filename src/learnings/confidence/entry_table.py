"""The entries of one file while a run changes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Generic

from learnings.confidence.kinds import Kind
from learnings.confidence.matching import Overlaps
from learnings.confidence.overlap import LEAST_WORDS, SIGNIFICANT, content_words, names
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import ACTIVE, AnyEntry, Entry, Observation

LEAST_DIGITS = 3
"""Digits of the number of an id at least: PR-001."""

# Words that two texts share at least if one criterion is met: more than 0.60 of three words.
_LEAST_SHARED = int(LEAST_WORDS * SIGNIFICANT) + 1
# The number of an id.
_NUMBER = re.compile(r"[A-Z]+-([0-9]{1,18})")


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
        self._by_word: dict[str, set[int]] = {}
        self._by_use: dict[str, set[int]] = {}
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
            for word in set(chain.from_iterable(map(content_words, self.kind.texts(entry)))):
                self._by_word.setdefault(word, set()).add(position)
            for use in names(tuple(self.kind.uses(entry))):
                self._by_use.setdefault(use, set()).add(position)

    def replace(self, entry: AnyEntry) -> None:
        """Put an entry in the place of the one with its id, whose texts it keeps."""
        self._entries[self._positions[entry.id]] = entry

    def new_id(self) -> str:
        """Return an id that no entry had before."""
        self._highest += 1
        return f"{self.kind.prefix}-{self._highest:0{LEAST_DIGITS}}"

    def take_unseen(self) -> set[str]:
        """Return the ids of the entries that were added since the last call."""
        unseen, self._unseen = self._unseen, set()
        return unseen

    def match(self, observation: Observation, settings: ConfidenceSettings) -> AnyEntry | None:
        """Return the active entry that says what an observation says, the best of several.

        It meets most criteria, has the highest mean overlap, then confidence, then the lowest id.
        """
        entries = (self._entries[position] for position in self._candidates(observation))
        compared = (
            (entry, self.kind.overlaps(entry, observation, settings))
            for entry in entries
            if entry.status == ACTIVE
        )
        matches = [(entry, overlaps) for entry, overlaps in compared if overlaps.is_match]
        return min(matches, key=_rank)[0] if matches else None

    def _candidates(self, observation: Observation) -> set[int]:
        """Return the positions of entries that share enough with an observation to match it."""
        postings = (self._by_word.get(word, ()) for word in content_words(observation.text))
        counts = Counter(chain.from_iterable(postings))
        candidates = {position for position, count in counts.items() if count >= _LEAST_SHARED}
        return candidates.union(*(self._by_use.get(tag, ()) for tag in names(observation.tags)))


def _rank(match: tuple[Entry, Overlaps]) -> tuple[int, Fraction, Decimal, int, str]:
    entry, overlaps = match
    return -overlaps.met, -overlaps.mean, -entry.confidence, number_of(entry.id), entry.id
