"""How far a stated date and the one from git lie apart."""

from __future__ import annotations

import pytest

from learnings.core.due.history_facts import days_late


@pytest.mark.parametrize(
    ("stated", "added", "late"),
    [
        ("2026-03-02", "2026-03-02", 0),
        ("2026-03-02", "2026-04-01", 30),
        ("2026-03-02", "2026-02-28", -2),
        ("2024-02-28", "2024-03-01", 2),
        ("2026-03", "2026-03-31", 0),
        ("2026-03", "2026-04-30", 30),
        ("2026-03", "2026-05-01", 31),
        ("2026-03", "2026-02-28", -1),
        ("2026-12", "2027-01-01", 1),
    ],
)
def test_days_late(stated: str, added: str, late: int) -> None:
    assert days_late(stated, added) == late
