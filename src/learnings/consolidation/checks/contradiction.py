"""Places where an entry and a target file speak of the same thing, and may contradict."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from heapq import nlargest
from typing import NamedTuple

from learnings.consolidation.checks.corrections import cues_of, denied_in, denies
from learnings.consolidation.checks.sentences import (
    Sentence,
    sentences_of_entry,
    sentences_of_section,
)
from learnings.consolidation.checks.titles import SHARED, shared_part, title_words
from learnings.consolidation.text.bags import bag_of_entry, bag_of_section
from learnings.consolidation.text.bm25 import Bm25
from learnings.consolidation.text.labels import without_labels
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry

NEAREST = 3
"""Sections that an entry is compared with, the nearest ones by their words. Of 55 routed entries
0.95 belong to one of the first three files (benchmarks/README.md, Routes)."""

LEAST_SHARED, SAME_MATTER = 3, 0.5
"""Keywords that two sentences share at least, in number and as a share of both by their idf. With
0.4, 0.5 and 0.6 the place is found for 17, 15 and 14 of 20 made-up contradictions and shown for
104, 50 and 32 of 273 real entries (benchmarks/README.md, Pre-checks)."""

_WORD = re.compile(r"\w+")

CORRECTED, DENIED, ALIKE = "corrected", "denied", "alike"


class Place(NamedTuple):
    """A sentence of an entry and the one nearest to it in a target file.

    relation is CORRECTED where the entry corrects a section of its title, DENIED where one sentence
    denies what the other says, else ALIKE. score is the share of words in common, 0 to 1.
    """

    section: Section
    ours: Sentence
    theirs: Sentence
    relation: str
    score: float


class PlaceIndex:
    """The sections of target files, ready for looking up the places where an entry belongs."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sections
        self._by_word: dict[int, dict[str, list[int]]] = {}

    @cached_property
    def _index(self) -> Bm25:
        return Bm25([bag_of_section(section) for section in self._sections])

    def place_of(self, entry: Entry) -> Place | None:
        """Return the place in the nearest sections that deserves a look most, None without one."""
        row = self._index.row(bag_of_entry(entry))
        nearest = nlargest(NEAREST, range(len(row)), key=row.__getitem__)
        places = [place for index in nearest if row[index] for place in self._places(entry, index)]
        rank = (ALIKE, DENIED, CORRECTED)
        return max(places, key=lambda p: (rank.index(p.relation), p.score), default=None)

    def _places(self, entry: Entry, index: int) -> Iterator[Place]:
        section = self._sections[index]
        ours, theirs = sentences_of_entry(entry), sentences_of_section(section)
        titles = title_words(entry.title), title_words(section.title)
        denied = CORRECTED if shared_part(*titles) > SHARED else DENIED
        our_denials, their_denials = denied_in(ours), denied_in(theirs)
        # A title is a name most often, and a statement only where it denies something.
        for one in ours if cues_of(ours[0].text) else ours[1:]:
            for other in self._candidates(one, index):
                score = self._likeness(one, other)
                if score < SAME_MATTER or _are_equal(one, other):
                    continue
                if denies(one, other, their_denials):
                    yield Place(section, one, other, denied, score)
                else:
                    is_denied = denies(other, one, our_denials)
                    yield Place(section, one, other, DENIED if is_denied else ALIKE, score)

    def _candidates(self, sentence: Sentence, index: int) -> Iterator[Sentence]:
        """Yield the sentences of a section that share enough keywords, its heading left out."""
        sentences = sentences_of_section(self._sections[index])
        if index not in self._by_word:
            by_word = self._by_word[index] = defaultdict(list)
            for number, other in enumerate(sentences[1:], start=1):
                for word in other.words:
                    by_word[word].append(number)
        rows = (self._by_word[index].get(word, ()) for word in sentence.words)
        counts = Counter(number for row in rows for number in row)
        yield from (sentences[n] for n in sorted(counts) if counts[n] >= LEAST_SHARED)

    def _likeness(self, one: Sentence, other: Sentence) -> float:
        """Return the share of the words of two sentences that both have, by their idf."""
        total = self._weight(one.words) + self._weight(other.words)
        return 2 * self._weight(one.words & other.words) / total if total else 0.0

    def _weight(self, words: frozenset[str]) -> float:
        return sum(self._index.idf(word) for word in sorted(words))


def _are_equal(one: Sentence, other: Sentence) -> bool:
    """Return True if two sentences consist of the same words, labels and signs aside."""
    if one.words != other.words:
        return False
    texts = (without_labels(sentence.text).casefold() for sentence in (one, other))
    return len({tuple(_WORD.findall(text)) for text in texts}) == 1
