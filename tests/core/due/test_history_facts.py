"""How far a stated date and the one from git lie apart."""

from __future__ import annotations

import pytest

from learnings.core.due.ages import COMMIT, Origin
from learnings.core.due.history_facts import HistoryFacts, days_late
from learnings.rules import date_mismatch
from tests.rules.cases import checked_file


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


def test_a_stated_date_may_be_30_days_away() -> None:
    file = checked_file("## [2026-03-02] A\n\na\n")
    (entry,) = file.document.entries
    for day, count in (("2026-04-01", 0), ("2026-04-02", 1), ("2026-01-31", 0), ("2026-01-30", 1)):
        origins = {entry.identity: Origin(COMMIT, day, "c")}
        facts = HistoryFacts(origins, (), {}, frozenset())
        assert len([*date_mismatch.check(file, facts)]) == count, day
