"""Which entries an observation could match, without comparing it with each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from learnings.confidence.overlap import SIGNIFICANT, content_words, exceeds, names


class TextIndex:
    """The texts of entries by their words, and the entries by what they apply to.

    Of the three criteria of a match at least one is about a text, or the tags are among those that
    an entry applies to. So 10,000 observations need not be compared with 350 entries each.
    """

    def __init__(self) -> None:
        """Begin without entries."""
        self._texts: list[tuple[int, int]] = []  # entry, number of words
        self._by_word: dict[str, set[int]] = {}
        self._by_use: dict[str, set[int]] = {}
        self._numbers: dict[int, list[tuple[int, frozenset[str]]]] = {}

    def add(self, entry: int, texts: Iterable[str], uses: Iterable[str]) -> None:
        """Add an entry, by its position, with its texts and with what it applies to."""
        self._numbers[entry] = []
        for words in map(content_words, texts):
            number = len(self._texts)
            self._texts.append((entry, len(words)))
            self._numbers[entry].append((number, words))
            for word in words:
                self._by_word.setdefault(word, set()).add(number)
        for use in names(tuple(uses)):
            self._by_use.setdefault(use, set()).add(entry)

    def remove(self, entry: int) -> None:
        """Remove an entry."""
        for number, words in self._numbers.pop(entry, ()):
            for word in words:
                self._by_word[word].discard(number)
        for entries in self._by_use.values():
            entries.discard(entry)

    def candidates(self, words: frozenset[str], tags: frozenset[str]) -> set[int]:
        """Return the entries that an observation with these words and tags could match."""
        counts = Counter(chain.from_iterable(self._by_word.get(word, ()) for word in words))
        entries = set().union(*(self._by_use.get(tag, ()) for tag in tags))
        for number, shared in counts.items():
            entry, size = self._texts[number]
            # The smaller of two texts is the most that a criterion divides by.
            if exceeds(shared, min(size, len(words)), SIGNIFICANT):
                entries.add(entry)
        return entries
