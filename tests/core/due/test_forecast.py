"""The size of a file over active days."""

from __future__ import annotations

from learnings.core.due.ages import Activity
from learnings.core.due.forecast import BranchVersion, SizeSeries, first_day, size_series

DAYS = tuple(f"2026-01-{day:02}" for day in range(1, 11))


def test_the_day_from_which_versions_are_needed() -> None:
    assert first_day(Activity(DAYS), 3) == "2026-01-08"
    assert first_day(Activity(DAYS), 60) == "2026-01-01"
    assert first_day(Activity(()), 60) is None


def test_each_day_has_the_lines_of_its_version() -> None:
    def series(*versions: tuple[int, int], most: int = 60) -> SizeSeries | None:
        found = [BranchVersion(f"2026-01-{day:02}", lines) for day, lines in versions]
        return size_series(Activity(DAYS), found, threshold=150, most=most)

    expected = SizeSeries(5, (10, 10, 20, 20, 5, 5), "2026-01-10", 150)
    assert series((9, 5), (7, 20), (3, 10), most=6) == expected
    assert series((9, 5), (8, 3)) == SizeSeries(8, (3, 5, 5), "2026-01-10", 150)
    assert series((10, 5)) is series() is None
    assert size_series(Activity(()), [], threshold=1, most=60) is None
