"""Evidence for a new entry, and the text of the entry, taken only from its observations."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any, NamedTuple

from learnings.confidence import values
from learnings.confidence.kinds import are_alike, categories_of, roles_of
from learnings.confidence.overlap import TextIndex, as_name, content_words, names
from learnings.confidence.values import (
    AntiPattern,
    ConfidenceSettings,
    Observation,
    Principle,
    Procedure,
    Story,
)
from learnings.core.patterns import lazy_pattern


class StoryEvidence(NamedTuple):
    """An observation with its story, and the story's 0-based position in time."""

    position: int
    story: Story
    observation: Observation


class EvidencePool:
    """Evidence that no entry uses yet."""

    def __init__(self) -> None:
        self._evidence: list[StoryEvidence] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self._texts = TextIndex()

    def add(self, evidence: StoryEvidence) -> None:
        """Add an observation; without tags it can match no other."""
        if names(evidence.observation.tags):
            number = self._numbers[_evidence_key(evidence)] = len(self._evidence)
            self._evidence.append(evidence)
            self._texts.add(number, [evidence.observation.text])

    def remove(self, members: Collection[StoryEvidence]) -> None:
        """Remove evidence that an entry uses; some may not have been added."""
        for evidence in members:
            number = self._numbers.pop(_evidence_key(evidence), None)
            if number is not None:
                self._texts.remove(number)

    def alike(self, evidence: StoryEvidence, *, since: int = 0) -> list[StoryEvidence]:
        """Return the evidence of other stories about the same thing, oldest first.

        `since` is the position of the first story to include.
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


def in_three_stories(
    evidence: StoryEvidence, others: Collection[StoryEvidence]
) -> list[StoryEvidence]:
    """Return evidence of three or more stories, oldest first, all alike, or nothing.

    `others` are similar to `evidence`, which is the last of the result.
    """
    for one, other in combinations(others, 2):
        if one.story.source == other.story.source:
            continue
        if are_alike(one.observation, other.observation):
            group = [one, other]
            group += [
                more
                for more in others
                if more not in group
                and all(are_alike(more.observation, member.observation) for member in group)
            ]
            return [*sorted(group, key=lambda member: member.position), evidence]
    return []


def _evidence_key(evidence: StoryEvidence) -> tuple[str, str]:
    return evidence.story.source, evidence.observation.id


# Tags for the kind of an observation, which are never the subject of a story.
_KINDS = {*values.TYPES, values.INCIDENT, "bug", "post-mortem", "review", "story", "workflow"}

# The end of a sentence.
_SENTENCE_END = lazy_pattern(r"(?<=[.!?;])\s+")
# A sentence with guidance: `Always …`, `… must not …`.
_INSTRUCTION = lazy_pattern(
    r"^(?:use|avoid|prefer|ensure|keep|check|make sure|run|set|add|write|wrap|validate|test)\b"
    r"|\b(?:always|never|must|should|do not|don't|only)\b",
    re.IGNORECASE,
)
# Words that introduce a cause, up to the end of the sentence.
_CAUSE = lazy_pattern(r"\b(?:because(?: of)?|due to|caused by)\s+([^.!?;]+)", re.IGNORECASE)


class NewEntryFacts(NamedTuple):
    """The facts of a new entry besides its contents; created is an ISO date."""

    id: str
    confidence: Decimal
    source: str
    created: str


def new_principle(
    observation: Observation, origin: NewEntryFacts, settings: ConfidenceSettings
) -> Principle:
    """Return the principle from an observation; its story is the first to support it."""
    return Principle(
        text=observation.text,
        categories=categories_of(observation.tags, settings),
        guidance=guidance_in(observation.text),
        last_reinforced=origin.created,
        **_shared_fields(observation.tags, origin, settings),
    )


def new_anti_pattern(
    members: Sequence[StoryEvidence],
    fixes: Sequence[StoryEvidence],
    origin: NewEntryFacts,
    settings: ConfidenceSettings,
) -> AntiPattern:
    """Return the anti-pattern from failures, given oldest first.

    It recommends the fix that shares most tags with them, or the latest of several.
    """
    observations = [member.observation for member in members]
    leading = _most_important(observations)
    tags = _all_tags(observations)
    severities = [one.severity for one in observations if one.severity in values.SEVERITIES]
    return AntiPattern(
        failed_approach=leading.text,
        failure_mode=_failure_mode(leading, observations),
        severity=min(severities, key=values.SEVERITIES.index, default=values.LOWEST_SEVERITY),
        recommended_approach=_recommended(tags, fixes),
        trigger_patterns=tuple(tag for tag in tags if as_name(tag) not in _KINDS),
        **_shared_fields(tags, origin, settings),
    )


def new_procedure(
    members: Sequence[StoryEvidence], origin: NewEntryFacts, settings: ConfidenceSettings
) -> Procedure:
    """Return the procedure from evidence of several stories, given oldest first."""
    observations = [member.observation for member in members]
    return Procedure(
        text=_most_important(observations).text,
        source_count=len({member.story.source for member in members}),
        **_shared_fields(_all_tags(observations), origin, settings),
    )


def _shared_fields(
    tags: tuple[str, ...], origin: NewEntryFacts, settings: ConfidenceSettings
) -> dict[str, Any]:
    """Return the common fields of a new entry of any kind."""
    roles = roles_of(tags, categories_of(tags, settings))
    return {**origin._asdict(), "tags": tags, "roles": roles}


def guidance_in(text: str) -> tuple[str, ...]:
    """Return the sentences with guidance, or the whole text if there are none."""
    sentences = _SENTENCE_END.split(text.strip())
    return tuple(filter(_INSTRUCTION.search, sentences)) or (text.strip(),)


def _most_important(observations: Sequence[Observation]) -> Observation:
    """Return the most important observation, the earliest of equals."""
    return max(observations, key=lambda observation: observation.importance)


def _all_tags(observations: Sequence[Observation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for observation in observations for tag in observation.tags))


def _failure_mode(leading: Observation, observations: Sequence[Observation]) -> str:
    """Return the first cause that a text gives, or else the last other text."""
    texts = dict.fromkeys((leading.text, *(observation.text for observation in observations)))
    causes = (match[1].strip() for match in map(_CAUSE.search, texts) if match)
    others = list(texts)[1:]
    return next(causes, others[-1] if others else "")


def _recommended(tags: tuple[str, ...], fixes: Sequence[StoryEvidence]) -> str:
    shared = [(len(names(fix.observation.tags) & names(tags)), fix) for fix in fixes]
    related = [(count, fix.position, fix) for count, fix in shared if count]
    best = max(related, key=lambda related_fix: related_fix[:2], default=None)
    return best[2].observation.text if best else ""
