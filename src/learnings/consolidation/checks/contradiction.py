"""Statements of an entry and another text that cannot both be true, and places to compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from itertools import islice, product
from typing import NamedTuple

from learnings.consolidation.checks.corrections import denied_in, denies, is_opposite
from learnings.consolidation.checks.precheck import CONTRADICTION, ESCALATE, LOOK, Against, Precheck
from learnings.consolidation.checks.sentences import (
    LEAST_SHARED,
    SAME_MATTER,
    SHARED_TITLE_WORDS,
    Sentence,
    sentences_of_entry,
    sentences_of_section,
    shared_title_part,
    title_words,
)
from learnings.consolidation.text.bm25 import Bm25
from learnings.consolidation.text.keywords import without_labels
from learnings.consolidation.text.sections import TargetSection, bag_of_entry, bag_of_section
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern

NEAREST = 3
"""Texts to compare an entry with.

For 43 of 55 moved entries, one of the nearest 3 sections is in the file they went to
(benchmarks/README.md, Pre-checks).
"""

SAME_STATEMENT = 0.6
"""Share of the words of two sentences, by their idf, from which one restates the other."""

_WORD = lazy_pattern(r"\w+")


class Place(NamedTuple):
    """A sentence of an entry and a similar one in another text.

    is_opposite: one says the opposite of the other. denies: one may correct the other. score is the
    share of words in common, 0 to 1.
    """

    is_opposite: bool
    denies: bool
    score: float
    ours: Sentence
    theirs: Sentence
    other: Entry | TargetSection

    def finding(self, entry: Entry) -> Precheck:
        """Return the place as a finding on its entry."""
        action = ESCALATE if self.is_opposite else LOOK
        if isinstance(self.other, TargetSection):
            against = Against(None, self.other.path, self.other.title, self.theirs.line)
        else:
            against = Against(self.other, line=self.other.first)
        evidence = self.ours.quoted(), self.theirs.quoted(against.target or "")
        return Precheck(CONTRADICTION, action, entry, against, round(self.score, 4), evidence)


class PlaceIndex:
    """The entries of a file and the sections of target files, to compare entries with."""

    def __init__(self, entries: Sequence[Entry], sections: Sequence[TargetSection]) -> None:
        self._texts: list[Entry | TargetSection] = [*sections, *entries]
        self._bags = {entry.identity: bag_of_entry(entry) for entry in entries}
        bags = [bag_of_section(section) for section in sections]
        self._index = Bm25([*bags, *self._bags.values()])
        self._weights: dict[frozenset[str], float] = {}  # a text is compared with many entries

    def place_of(self, entry: Entry) -> Place | None:
        """Return the place in the nearest texts that most needs a review, or None.

        Of two entries, the later one is compared with the earlier one.
        """
        row = self._index.row(self._bags.get(entry.identity) or bag_of_entry(entry))
        nearest = nlargest(NEAREST + 1, range(len(row)), row.__getitem__)
        texts = (
            text
            for text in map(self._texts.__getitem__, nearest)
            if not isinstance(text, Entry) or text.position < entry.position
        )
        places = (place for text in islice(texts, NEAREST) for place in self._places(entry, text))
        return max(places, key=lambda place: place[:3], default=None)

    def _places(self, entry: Entry, other: Entry | TargetSection) -> Iterator[Place]:
        is_entry = isinstance(other, Entry)
        ours = sentences_of_entry(entry)
        theirs = sentences_of_entry(other) if is_entry else sentences_of_section(other)
        titles = title_words(entry.title), title_words(other.title)
        is_same_subject = shared_title_part(*titles) > SHARED_TITLE_WORDS
        agreed, denied = denied_in(theirs), denied_in(ours)
        for one, another in product(ours[1:] or ours, theirs[1:]):
            score = self._similarity(one, another)
            if score < SAME_MATTER or _are_equal(one, another):
                continue
            taken_back = denies(one, another, agreed) or denies(another, one, denied)
            is_restated = score >= SAME_STATEMENT and is_opposite(one, another)
            opposite = taken_back and (is_same_subject or is_restated)
            yield Place(opposite, taken_back, score, one, another, other)

    def _similarity(self, one: Sentence, other: Sentence) -> float:
        """Return the share of words that two sentences have in common, weighted by idf."""
        common = one.words & other.words
        if len(common) < LEAST_SHARED:
            return 0.0
        both = self._weight_of_sentence(one) + self._weight_of_sentence(other)
        return 2 * self._weight(common) / both

    def _weight_of_sentence(self, sentence: Sentence) -> float:
        if sentence.words not in self._weights:
            self._weights[sentence.words] = self._weight(sentence.words)
        return self._weights[sentence.words]

    def _weight(self, words: frozenset[str]) -> float:
        return sum(self._index.idf(word) for word in sorted(words))


def _are_equal(one: Sentence, other: Sentence) -> bool:
    """Return True if two sentences have the same words, without labels and signs."""
    if one.words != other.words:
        return False
    texts = (without_labels(sentence.text).casefold() for sentence in (one, other))
    return len({tuple(_WORD.findall(text)) for text in texts}) == 1
