"""Step 2: whether an observation says what an entry says already.

Two of three criteria have to overlap significantly. One alone is met by chance: of two entries with
the same tags most are about different things.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from learnings.confidence.categories import categories_of
from learnings.confidence.overlap import (
    SIGNIFICANT,
    are_near,
    best,
    contained,
    containment,
    is_above,
    jaccard,
    names,
)
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import AntiPattern, Observation, Principle, Procedure

CRITERIA = 2
"""How many of the three have to be met."""


class Overlaps(NamedTuple):
    """How much an entry and an observation overlap in each criterion; 0 where a side is empty."""

    first: Fraction
    second: Fraction
    third: Fraction

    @property
    def met(self) -> int:
        """How many criteria are met: strictly above SIGNIFICANT."""
        return sum(is_above(overlap, SIGNIFICANT) for overlap in self)

    @property
    def is_match(self) -> bool:
        """True if enough criteria are met."""
        return self.met >= CRITERIA

    @property
    def mean(self) -> Fraction:
        """The mean of all three."""
        return (self.first + self.second + self.third) / 3


def principle_overlaps(
    principle: Principle, observation: Observation, settings: ConfidenceSettings
) -> Overlaps:
    """Compare text, categories and guidance."""
    categories = names(categories_of(observation.tags, settings))
    return Overlaps(
        containment(principle.text, observation.text),
        jaccard(names(principle.categories), categories),
        best(contained(rule, observation.text) for rule in principle.guidance),
    )


def anti_pattern_overlaps(
    anti_pattern: AntiPattern, observation: Observation, _settings: ConfidenceSettings
) -> Overlaps:
    """Compare the failed approach, the tags, and the remedy or the triggers with the text.

    Triggers that are compared with tags would make one criterion two: they come from tags.
    """
    others = (anti_pattern.recommended_approach, triggers_text(anti_pattern))
    return Overlaps(
        contained(anti_pattern.failed_approach, observation.text),
        jaccard(names(anti_pattern.tags), names(observation.tags)),
        best(contained(other, observation.text) for other in others),
    )


def triggers_text(anti_pattern: AntiPattern) -> str:
    """Return the triggers of an anti-pattern as one text."""
    return "\n".join(anti_pattern.trigger_patterns)


def procedure_overlaps(
    procedure: Procedure, observation: Observation, _settings: ConfidenceSettings
) -> Overlaps:
    """Compare text, tags, and what the procedure applies to, where it says so, with the tags."""
    tags = names(observation.tags)
    return Overlaps(
        containment(procedure.text, observation.text),
        jaccard(names(procedure.tags), tags),
        jaccard(names(procedure.applies_to), tags),
    )


def are_alike(one: Observation, other: Observation) -> bool:
    """Return True if two observations are about one thing: both their tags and their texts."""
    return are_near(names(one.tags), names(other.tags), SIGNIFICANT) and is_above(
        containment(one.text, other.text), SIGNIFICANT
    )
