"""Which texts an observation could say the same as, without comparing it with each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from learnings.confidence.overlap import SIGNIFICANT, content_words, names


class TextIndex:
    """The texts of items by their words, and the items by what they apply to.

    Items are numbers. Of the three criteria of a match at least one is about a text, or the tags
    are among those that an entry applies to; observations are alike only if their texts are. So
    10,000 observations need not be compared with each entry and each other.
    """

    def __init__(self) -> None:
        """Begin without items."""
        self._items: list[int] = []  # of each text
        self._sizes: list[int] = []  # its number of words
        self._largest = 0
        self._by_word: dict[str, set[int]] = {}
        self._by_use: dict[str, set[int]] = {}
        self._texts_of: dict[int, list[tuple[int, frozenset[str]]]] = {}

    def add(self, item: int, texts: Iterable[str], uses: Iterable[str] = ()) -> None:
        """Add an item with its texts and with what it applies to."""
        self._texts_of[item] = []
        for words in map(content_words, texts):
            text = len(self._items)
            self._items.append(item)
            self._sizes.append(len(words))
            self._largest = max(self._largest, len(words))
            self._texts_of[item].append((text, words))
            for word in words:
                self._by_word.setdefault(word, set()).add(text)
        for use in names(tuple(uses)):
            self._by_use.setdefault(use, set()).add(item)

    def remove(self, item: int) -> None:
        """Remove an item; one that is not there is no error."""
        for text, words in self._texts_of.pop(item, ()):
            for word in words:
                self._by_word[word].discard(text)
        for items in self._by_use.values():
            items.discard(item)

    def candidates(self, words: frozenset[str], tags: frozenset[str] = frozenset()) -> set[int]:
        """Return the items that an observation with these words and tags could match."""
        items = {item for tag in tags for item in self._by_use.get(tag, ())}
        postings = (self._by_word.get(word, ()) for word in words)
        counts = Counter(chain.from_iterable(postings))
        sizes, least = self._sizes, _least_shared(len(words), self._largest)
        texts = [text for text, shared in counts.items() if shared >= least[sizes[text]]]
        return items.union(map(self._items.__getitem__, texts))


@lru_cache(maxsize=1_024)
def _least_shared(words: int, largest: int) -> tuple[int, ...]:
    """Return how many words texts of each size share at least with one of a number of words.

    The smaller of two texts is the most that a criterion divides by.
    """
    limit = SIGNIFICANT
    return tuple(
        min(size, words) * limit.numerator // limit.denominator + 1 for size in range(largest + 1)
    )
