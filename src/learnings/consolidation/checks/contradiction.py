"""Places where an entry and a target file speak of the same thing, and may contradict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from learnings.consolidation.checks.corrections import cues_of, denied_in, denies
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
"""Sections that an entry is compared with. With 1, 2, 3 and 5 of them 5, 10, 11 and 12 of 273 real
entries have a place to look at; for 43 of 55 moved ones one of 3 is in the file they went to."""

_WORD = lazy_pattern(r"\w+")

ALIKE, DENIED, CORRECTED = range(3)
"""How the sentences of a place stand to each other, what deserves a look most at the end."""


class SharedPlace(NamedTuple):
    """A sentence of an entry and the one nearest to it in a target file.

    relation is CORRECTED where the entry corrects a section of its title, DENIED where one sentence
    denies what the other says, else ALIKE. score is the share of words in common, 0 to 1.
    """

    relation: int
    score: float
    ours: Sentence
    theirs: Sentence
    section: TargetSection

    def finding(self, entry: Entry) -> Precheck:
        """Return the place as a finding on its entry."""
        against = Against(None, self.section.path, self.section.title, self.theirs.line)
        action = ESCALATE if self.relation == CORRECTED else LOOK
        evidence = self.ours.quoted(), self.theirs.quoted(self.section.path)
        return Precheck(CONTRADICTION, action, entry, against, round(self.score, 4), evidence)


class PlaceIndex:
    """The sections of target files, ready for looking up the places where an entry belongs."""

    def __init__(self, sections: Sequence[TargetSection]) -> None:
        self._sections = sections
        self._index = Bm25([bag_of_section(section) for section in sections])
        self._weights: dict[frozenset[str], float] = {}  # a section is compared with many entries

    def place_of(self, entry: Entry) -> SharedPlace | None:
        """Return the place in the nearest sections that deserves a look most, None without one."""
        row = self._index.row(bag_of_entry(entry))
        nearest = nlargest(NEAREST, range(len(row)), key=row.__getitem__)
        places = (
            place
            for index in nearest
            if row[index]
            for place in self._places(entry, self._sections[index])
        )
        return max(places, key=lambda place: place[:2], default=None)

    def _places(self, entry: Entry, section: TargetSection) -> Iterator[SharedPlace]:
        ours, theirs = sentences_of_entry(entry), sentences_of_section(section)
        titles = title_words(entry.title), title_words(section.title)
        by_entry = CORRECTED if shared_title_part(*titles) > SHARED_TITLE_WORDS else DENIED
        # A title is a name most often, and a statement only where it denies something.
        for one in ours if cues_of(ours[0].text) else ours[1:]:
            for other in theirs[1:]:
                score = self._similarity(one, other)
                if score >= SAME_MATTER and not _are_equal(one, other):
                    relation = ALIKE
                    if denies(one, other, denied_in(theirs)):
                        relation = by_entry
                    elif denies(other, one, denied_in(ours)):
                        relation = DENIED
                    yield SharedPlace(relation, score, one, other, section)

    def _similarity(self, one: Sentence, other: Sentence) -> float:
        """Return the share of the words of two sentences that both have, by their idf."""
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
    """Return True if two sentences consist of the same words, labels and signs aside."""
    if one.words != other.words:
        return False
    texts = (without_labels(sentence.text).casefold() for sentence in (one, other))
    return len({tuple(_WORD.findall(text)) for text in texts}) == 1
