"""Observations that wait for others like them, and which of them are about one thing."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations
from typing import NamedTuple

from learnings.confidence.matching import are_alike
from learnings.confidence.overlap import content_words, names
from learnings.confidence.text_index import TextIndex
from learnings.confidence.values import Observation, Story


class Evidence(NamedTuple):
    """An observation with its story, and the position of the story in time, from 0."""

    position: int
    story: Story
    observation: Observation


class EvidencePool:
    """Evidence of which no entry was made yet."""

    def __init__(self) -> None:
        """Begin without evidence."""
        self._evidence: list[Evidence] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self._texts = TextIndex()

    def add(self, evidence: Evidence) -> None:
        """Add one observation; without tags it can be like no other."""
        if names(evidence.observation.tags):
            number = self._numbers[_key(evidence)] = len(self._evidence)
            self._evidence.append(evidence)
            self._texts.add(number, [evidence.observation.text])

    def remove(self, members: Collection[Evidence]) -> None:
        """Remove evidence of which an entry was made; some may not have been added."""
        for evidence in members:
            number = self._numbers.pop(_key(evidence), None)
            if number is not None:
                self._texts.remove(number)

    def alike(self, evidence: Evidence, *, since: int = 0) -> list[Evidence]:
        """Return the evidence of other stories that is about the same thing, oldest first.

        `since` is the position of the first story to look at.
        """
        source, observation = evidence.story.source, evidence.observation
        numbers = self._texts.candidates(content_words(observation.text))
        others = [
            other
            for other in map(self._evidence.__getitem__, numbers)
            if other.position >= since
            and other.story.source != source
            and are_alike(other.observation, observation)
        ]
        return sorted(others, key=lambda other: (other.position, other.observation.line))


def in_three_stories(evidence: Evidence, others: Collection[Evidence]) -> list[Evidence]:
    """Return evidence of three stories or more, oldest first, each like each other; else nothing.

    `others` are alike to `evidence`, which is the last of the result.
    """
    for one, other in combinations(others, 2):
        if one.story.source != other.story.source and _alike(one, other):
            group = [one, other]
            group += [
                more
                for more in others
                if more not in group and all(_alike(more, member) for member in group)
            ]
            return [*sorted(group, key=lambda member: member.position), evidence]
    return []


def _alike(one: Evidence, other: Evidence) -> bool:
    return are_alike(one.observation, other.observation)


def _key(evidence: Evidence) -> tuple[str, str]:
    return evidence.story.source, evidence.observation.id
