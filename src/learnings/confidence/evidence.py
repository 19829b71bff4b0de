"""Observations that wait for others like them, and which of them are about one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import NamedTuple

from learnings.confidence.matching import are_alike
from learnings.confidence.overlap import SIGNIFICANT, are_near, names
from learnings.confidence.values import Observation, Story


class Evidence(NamedTuple):
    """An observation with its story, and the position of the story in time, from 0."""

    position: int
    story: Story
    observation: Observation


class EvidencePool:
    """Evidence of which no entry was made yet; it is added in the order of the stories."""

    def __init__(self) -> None:
        """Begin without evidence."""
        self._by_tags: dict[frozenset[str], dict[tuple[str, str], Evidence]] = {}
        self._tags_with: dict[str, list[frozenset[str]]] = {}

    def add(self, evidence: Evidence) -> None:
        """Add one observation; without tags it can be like no other."""
        tags = names(evidence.observation.tags)
        if tags not in self._by_tags:
            self._by_tags[tags] = {}
            for tag in tags:
                self._tags_with.setdefault(tag, []).append(tags)
        self._by_tags[tags][_key(evidence)] = evidence

    def remove(self, members: Collection[Evidence]) -> None:
        """Remove evidence of which an entry was made; some may not have been added."""
        for evidence in members:
            self._by_tags.get(names(evidence.observation.tags), {}).pop(_key(evidence), None)

    def alike(self, evidence: Evidence, *, since: int = 0) -> list[Evidence]:
        """Return the evidence of other stories that is about the same thing, oldest first.

        `since` is the position of the first story to look at.
        """
        source, observation = evidence.story.source, evidence.observation
        others = [
            other
            for other in self._with_near_tags(names(observation.tags), since)
            if other.story.source != source and are_alike(other.observation, observation)
        ]
        return sorted(others, key=lambda other: (other.position, other.observation.line))

    def _with_near_tags(self, tags: frozenset[str], since: int) -> Iterator[Evidence]:
        sharing = {other for tag in tags for other in self._tags_with.get(tag, ())}
        for other in sharing:
            if are_near(tags, other, SIGNIFICANT):
                for evidence in reversed(self._by_tags[other].values()):
                    if evidence.position < since:
                        break
                    yield evidence


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
