"""What a new entry says: only what the observations that it comes from say themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from learnings.confidence.categories import categories_of, roles_of
from learnings.confidence.evidence import Evidence
from learnings.confidence.overlap import names
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import (
    INCIDENT_LEARNING,
    SEVERITIES,
    AntiPattern,
    Observation,
    Principle,
    Procedure,
)
from learnings.core.patterns import lazy_pattern

DEFAULT_SEVERITY = "P2"
"""Of an anti-pattern whose findings have none; in the middle, so that it neither leads nor ends."""

INCIDENT_SEVERITY = "P1"

# Where a sentence ends.
_SENTENCE_END = lazy_pattern(r"(?<=[.!?;])\s+")
# A sentence that says what to do: `Always …`, `… must not …`.
_INSTRUCTION = lazy_pattern(
    r"^(?:use|avoid|prefer|ensure|keep|check|make sure|run|set|add|write|wrap|validate|test)\b"
    r"|\b(?:always|never|must|should|do not|don't|only)\b",
    re.IGNORECASE,
)
# The words behind which a cause is given, up to the end of the sentence.
_CAUSE = lazy_pattern(r"\b(?:because(?: of)?|due to|caused by)\s+([^.!?;]+)", re.IGNORECASE)


class Origin(NamedTuple):
    """What a new entry gets besides its contents; date is ISO text."""

    id: str
    confidence: Decimal
    source: str
    date: str


def new_principle(
    observation: Observation, origin: Origin, settings: ConfidenceSettings
) -> Principle:
    """Return the principle that an observation becomes; its story is the first to support it."""
    tags = observation.tags
    categories = categories_of(tags, settings)
    return Principle(
        origin.id,
        observation.text,
        origin.confidence,
        categories=categories,
        guidance=guidance_in(observation.text),
        tags=tags,
        roles=roles_of(tags, categories),
        source=origin.source,
        created=origin.date,
        last_reinforced=origin.date,
    )


def new_anti_pattern(
    members: Sequence[Evidence],
    fixes: Sequence[Evidence],
    origin: Origin,
    settings: ConfidenceSettings,
) -> AntiPattern:
    """Return the anti-pattern that failures become, given oldest first.

    It recommends the fix that shares most tags with them, the latest of several.
    """
    observations = [member.observation for member in members]
    leading = _most_important(observations)
    tags = _all_tags(observations)
    severities = filter(None, map(_severity, observations))
    return AntiPattern(
        origin.id,
        leading.text,
        origin.confidence,
        failure_mode=_failure_mode(leading, observations),
        severity=min(severities, key=SEVERITIES.index, default=DEFAULT_SEVERITY),
        recommended_approach=_recommended(tags, fixes),
        trigger_patterns=tags,
        tags=tags,
        roles=roles_of(tags, categories_of(tags, settings)),
        source=origin.source,
        created=origin.date,
    )


def new_procedure(
    members: Sequence[Evidence], origin: Origin, settings: ConfidenceSettings
) -> Procedure:
    """Return the procedure that evidence of several stories becomes, given oldest first."""
    observations = [member.observation for member in members]
    tags = _all_tags(observations)
    return Procedure(
        origin.id,
        _most_important(observations).text,
        origin.confidence,
        source_count=len({member.story.source for member in members}),
        tags=tags,
        roles=roles_of(tags, categories_of(tags, settings)),
        source=origin.source,
        created=origin.date,
    )


def guidance_in(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that say what to do; the whole text where none does."""
    sentences = _SENTENCE_END.split(text.strip())
    return tuple(filter(_INSTRUCTION.search, sentences)) or (text.strip(),)


def _most_important(observations: Sequence[Observation]) -> Observation:
    """Return the most important observation, the first of several."""
    return max(observations, key=lambda observation: observation.importance)


def _all_tags(observations: Sequence[Observation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for observation in observations for tag in observation.tags))


def _severity(observation: Observation) -> str | None:
    if observation.severity in SEVERITIES:
        return observation.severity
    return INCIDENT_SEVERITY if observation.type == INCIDENT_LEARNING else None


def _failure_mode(leading: Observation, observations: Sequence[Observation]) -> str:
    """Return the cause that one of the texts gives, else what another text says."""
    texts = dict.fromkeys((leading.text, *(observation.text for observation in observations)))
    causes = (match[1].strip() for match in map(_CAUSE.search, texts) if match)
    others = list(texts)[1:]
    return next(causes, others[-1] if others else "")


def _recommended(tags: tuple[str, ...], fixes: Sequence[Evidence]) -> str:
    shared = [(len(names(fix.observation.tags) & names(tags)), fix) for fix in fixes]
    related = [(count, fix.position, fix) for count, fix in shared if count]
    best = max(related, key=lambda related_fix: related_fix[:2], default=None)
    return best[2].observation.text if best else ""
