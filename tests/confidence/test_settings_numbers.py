from __future__ import annotations

from decimal import Decimal

import pytest

from learnings.confidence.documents.settings_text import parse_number

READ: dict[str, dict[str, Decimal | int | None]] = {
    "confidence_start": {"0": 0, "1": 1, "0.30": Decimal("0.30"), "1.01": None, "-0.1": None},
    "confidence_weaken": {"-0.08": Decimal("0.08"), "1": 1, "-1.01": None, "NaN": None},
    "max_principles": {"0": 0, "12": 12, "-1": None, "1.5": None, "1000000000000": None},
    "incident_confidence_multiplier": {"0": None, "0.01": Decimal("0.01"), "100": 100, "101": None},
}


@pytest.mark.parametrize("key", READ)
def test_numbers_have_limits(key: str) -> None:
    assert {text: parse_number(key, text) for text in READ[key]} == READ[key]
    assert parse_number(key, None) is None
