from __future__ import annotations

from decimal import Decimal

import pytest

from learnings.confidence.values import ConfidenceSettings, clamped
from learnings.core.text import number_text
from tests.confidence.memory import SETTINGS


def number(text: str) -> Decimal:
    return Decimal(text)


def new_confidence(settings: ConfidenceSettings, *, incident: bool) -> Decimal:
    return clamped(settings.weighted(settings.confidence_start, incident=incident))


def reinforced(confidence: Decimal, *, incident: bool) -> Decimal:
    return clamped(confidence + SETTINGS.weighted(SETTINGS.confidence_reinforce, incident=incident))


def weakened(confidence: Decimal) -> Decimal:
    return clamped(confidence - SETTINGS.confidence_weaken)


def contradicted(confidence: Decimal) -> Decimal:
    return clamped(confidence - SETTINGS.confidence_contradict)


def test_new_entries() -> None:
    wanted = {
        ("0.6", "1.5", False): "0.60",
        ("0.6", "1.5", True): "0.90",
        ("0.5", "1.5", True): "0.75",
        ("0.8", "1.5", True): "1.00",  # 1.20, clamped
        ("0.6", "1", True): "0.60",
        ("0.6", "0.5", True): "0.30",
        ("0.6", "0", True): "0.00",
        ("0.55", "1.25", True): "0.6875",
        ("0.5555", "1.5", True): "0.8333",  # 0.83325: half a step is rounded up
    }
    assert {
        (start, multiplier, incident): str(
            new_confidence(
                SETTINGS._replace(
                    confidence_start=number(start),
                    incident_confidence_multiplier=number(multiplier),
                ),
                incident=incident,
            )
        )
        for start, multiplier, incident in wanted
    } == wanted


def test_reinforcement() -> None:
    wanted = {
        ("0.60", False): "0.68",
        ("0.60", True): "0.72",
        ("0.97", False): "1.00",
        ("0.92", False): "1.00",
        ("0.91", False): "0.99",
        ("0.88", True): "1.00",
        ("0.87", True): "0.99",
        ("0", False): "0.08",
        ("1", True): "1.00",
        ("0.1234", False): "0.2034",
    }
    assert {
        (before, incident): str(reinforced(number(before), incident=incident))
        for before, incident in wanted
    } == wanted


def test_weakening_and_contradiction() -> None:
    wanted = {"0.60": ("0.52", "0.40"), "0.08": ("0.00", "0.00"), "0.20": ("0.12", "0.00")}
    wanted |= {"0.05": ("0.00", "0.00"), "1": ("0.92", "0.80"), "0.2801": ("0.2001", "0.0801")}
    assert {
        before: (
            str(weakened(number(before))),
            str(contradicted(number(before))),
        )
        for before in wanted
    } == wanted


def test_decimals_do_not_drift() -> None:
    confidence = number("0.60")
    for _ in range(2):
        confidence = contradicted(confidence)
    assert confidence == number("0.20")  # of binary floats 0.19999999999999996, which is archived
    for _ in range(5):
        confidence = weakened(reinforced(confidence, incident=False))
    assert str(confidence) == "0.20"


@pytest.mark.parametrize(
    ("confidence", "text"),
    [
        ("0", "0.00"),
        ("1", "1.00"),
        ("0.6", "0.60"),
        ("0.60", "0.60"),
        ("0.600", "0.60"),
        ("0.685", "0.685"),
        ("0.1234", "0.1234"),
        ("1E-2", "0.01"),
        ("1E0", "1.00"),
    ],
)
def test_a_confidence_is_written_with_two_places_or_what_it_needs(
    confidence: str, text: str
) -> None:
    assert number_text(number(confidence)) == text
