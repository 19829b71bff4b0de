"""What one observation does to a confidence: multiply, add, clamp, in decimals."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from learnings.confidence.settings import ConfidenceSettings
from learnings.core.text import number_text

PLACES = 4
"""Decimal places of a confidence at most; only a multiplier with places of its own needs them."""

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
    """Return a confidence after one weakening, which an incident does not multiply."""
    return _clamped(confidence - settings.confidence_weaken)


def contradicted(confidence: Decimal, settings: ConfidenceSettings) -> Decimal:
    """Return a confidence after one contradiction, which an incident does not multiply."""
    return _clamped(confidence - settings.confidence_contradict)


def _multiplied(amount: Decimal, settings: ConfidenceSettings, *, incident: bool) -> Decimal:
    return amount * settings.incident_confidence_multiplier if incident else amount


def _clamped(confidence: Decimal) -> Decimal:
    """Return a confidence from 0 to 1 as it is written; half a step is rounded up."""
    clamped = min(max(confidence, _LOWEST), _HIGHEST)
    return Decimal(number_text(clamped.quantize(_SMALLEST_STEP, rounding=ROUND_HALF_UP)))
