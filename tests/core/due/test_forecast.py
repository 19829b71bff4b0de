"""The size of a file over active days."""

from __future__ import annotations

import pytest

from learnings.core.due.ages import COMMIT, Activity, Consolidation, Origin
from learnings.core.due.forecast import BranchVersion, SizeSeries, first_day, size_series
from learnings.core.due.history_facts import HistoryFacts, days_late
from learnings.core.due.past_verdicts import DailyVerdict, Episode, replay
from learnings.core.entries.document import Size
from learnings.rules import date_mismatch
from tests.rules.cases import checked_file

DAYS = tuple(f"2026-01-{day:02}" for day in range(1, 11))


def test_the_day_from_which_versions_are_needed() -> None:
    assert first_day(Activity(DAYS), 3) == "2026-01-08"
    assert first_day(Activity(DAYS), 60) == "2026-01-01"
    assert first_day(Activity(()), 60) is None


def test_each_day_has_the_lines_of_its_version() -> None:
    def series(*versions: tuple[int, int], most: int = 60) -> SizeSeries | None:
        found = [BranchVersion(f"2026-01-{day:02}", Size(lines)) for day, lines in versions]
        return size_series(Activity(DAYS), found, threshold=150, most=most)

    expected = SizeSeries(5, (10, 10, 20, 20, 5, 5), "2026-01-10", 150)
    assert series((9, 5), (7, 20), (3, 10), most=6) == expected
    assert series((9, 5), (8, 3)) == SizeSeries(8, (3, 5, 5), "2026-01-10", 150)
    assert series((10, 5)) is series() is None
    assert size_series(Activity(()), [], threshold=1, most=60) is None


def daily(number: int, verdict: str) -> DailyVerdict:
    return DailyVerdict(
        f"2026-03-{number:02}", "c", verdict, escalated=False, lines=100, staleness=1, batch=3
    )


DAILY_VERDICTS = [
    daily(n, verdict)
    for n, verdict in enumerate(["not-due", "starved", "due", "due", "not-due", "due"], start=1)
]


def test_days_with_the_same_verdict_are_one_episode() -> None:
    assert replay("f", DAILY_VERDICTS, []).episodes == (
        Episode("starved", "2026-03-02", "2026-03-02", 1),
        Episode("due", "2026-03-03", "2026-03-04", 2),
        Episode("due", "2026-03-06", "2026-03-06", 1),
    )


def test_a_consolidation_is_set_beside_the_verdict_before_it() -> None:
    late, early = Consolidation("b", "2026-03-05", 4), Consolidation("a", "2026-03-01", 1)
    first, second = replay("f", DAILY_VERDICTS, [late, early]).consolidations

    assert (first.consolidation, first.before, first.overdue) == (early, None, 0)
    assert (second.consolidation, second.before, second.overdue) == (late, DAILY_VERDICTS[3], 2)


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
