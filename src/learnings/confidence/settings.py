"""The numbers of a confidence memory, with the names and defaults of `.shaktra/settings.yml`."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

NEAR_ARCHIVE = Decimal("0.35")
"""Active entries below it are shown as near their archiving: two contradictions, or two steps of
weakening, above the default threshold."""


class ConfidenceSettings(NamedTuple):
    """The defaults are those of the procedure that this form of memory comes from.

    The last four are ours: `[tool.learnings.confidence]`. Without discovery_tags any tag makes a
    discovery a candidate; tag_categories adds categories to tags.
    """

    confidence_start: Decimal = Decimal("0.6")
    confidence_reinforce: Decimal = Decimal("0.08")
    confidence_weaken: Decimal = Decimal("0.08")
    confidence_contradict: Decimal = Decimal("0.20")
    confidence_archive: Decimal = Decimal("0.2")
    max_principles: int = 200
    max_anti_patterns: int = 100
    max_procedures: int = 50
    max_observations_per_story: int = 30
    briefing_confidence_threshold: Decimal = Decimal("0.4")
    max_briefing_entries: int = 15
    incident_confidence_multiplier: Decimal = Decimal("1.5")
    discovery_tags: tuple[str, ...] = ()
    constraint_tags: tuple[str, ...] = ("constraint",)
    tag_categories: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    one_reinforcement_per_story: bool = False
