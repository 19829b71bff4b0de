"""The numbers of a confidence memory, and the effect of one observation on a confidence."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.text import number_text

NEAR_ARCHIVE = Decimal("0.35")
"""Confidence below which active entries are shown as near archive.

Two contradictions, or two steps of weakening, above the default threshold.
"""


class ConfidenceSettings(NamedTuple):
    """The settings, with the defaults of the procedure that this form of memory comes from.

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


PLACES = 4
"""Maximum decimal places of a confidence; only a multiplier with decimals needs them."""

_LOWEST, _HIGHEST = Decimal(0), Decimal(1)
_SMALLEST_STEP = Decimal(1).scaleb(-PLACES)


def new_confidence(settings: ConfidenceSettings, *, incident: bool) -> Decimal:
    """Return the confidence of a new entry; `incident`: it comes from an incident workflow."""
    return _clamped(_multiplied(settings.confidence_start, settings, incident=incident))


def reinforced(confidence: Decimal, settings: ConfidenceSettings, *, incident: bool) -> Decimal:
    """Return a confidence after one reinforcement."""
    return _clamped(
        confidence + _multiplied(settings.confidence_reinforce, settings, incident=incident)
    )


def weakened(confidence: Decimal, settings: ConfidenceSettings) -> Decimal:
    """Return a confidence after one weakening, which incidents do not multiply."""
    return _clamped(confidence - settings.confidence_weaken)


def contradicted(confidence: Decimal, settings: ConfidenceSettings) -> Decimal:
    """Return a confidence after one contradiction, which incidents do not multiply."""
    return _clamped(confidence - settings.confidence_contradict)


def _multiplied(amount: Decimal, settings: ConfidenceSettings, *, incident: bool) -> Decimal:
    return amount * settings.incident_confidence_multiplier if incident else amount


def _clamped(confidence: Decimal) -> Decimal:
    """Return a confidence between 0 and 1 as written, rounding half a step up."""
    clamped = min(max(confidence, _LOWEST), _HIGHEST)
    return Decimal(number_text(clamped.quantize(_SMALLEST_STEP, rounding=ROUND_HALF_UP)))
