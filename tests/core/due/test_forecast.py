"""The size of a file over active days."""

from __future__ import annotations

from learnings.core.due.ages import Activity
from learnings.core.due.forecast import BranchVersion, SizeSeries, first_day, size_series

DAYS = tuple(f"2026-01-{day:02}" for day in range(1, 11))


def test_each_day_has_the_lines_of_its_version() -> None:
    versions = [
        BranchVersion("2026-01-09", 5),
        BranchVersion("2026-01-07", 20),
        BranchVersion("2026-01-03", 10),
    ]
    result = size_series(Activity(DAYS), versions, threshold=150, most=6)
    assert result == SizeSeries(5, (10, 10, 20, 20, 5, 5), "2026-01-10", 150)


def test_it_begins_with_the_file() -> None:
    versions = [BranchVersion("2026-01-09", 5), BranchVersion("2026-01-08", 3)]
    result = size_series(Activity(DAYS), versions, threshold=150, most=60)
    assert result == SizeSeries(8, (3, 5, 5), "2026-01-10", 150)


def test_a_single_day_is_not_shown() -> None:
    assert (
        size_series(Activity(DAYS), [BranchVersion("2026-01-10", 5)], threshold=1, most=60) is None
    )
    assert size_series(Activity(DAYS), [], threshold=1, most=60) is None
    assert size_series(Activity(()), [], threshold=1, most=60) is None


def test_the_day_from_which_versions_are_needed() -> None:
    assert first_day(Activity(DAYS), 3) == "2026-01-08"
    assert first_day(Activity(DAYS), 60) == "2026-01-01"
    assert first_day(Activity(()), 60) is None
