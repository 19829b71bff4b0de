"""The positions of the marks in a chart."""

from __future__ import annotations

import itertools
import re

import pytest

from learnings.surfaces.render.charts import arc, series

DAYS = ("2026-01-01", "2026-01-02", "2026-01-05", "2026-01-09", "2026-02-01")


def test_a_line_goes_in_steps_from_the_first_day_to_the_last() -> None:
    size = series(DAYS, [0, 50, 100, 150, 200], threshold=150)
    assert size.line == "M0.00 100.00H25.00V75.00H50.00V50.00H75.00V25.00H100.00V0.00"
    assert size.area == f"{size.line}V100H0.00Z"
    assert size.threshold == 25
    assert [tick.label for tick in size.values] == ["0", "50", "100", "150", "200"]
    assert [tick.at for tick in size.values] == [100, 75, 50, 25, 0]


def test_dates_stand_at_both_ends_and_between() -> None:
    assert [(tick.at, tick.label) for tick in series(DAYS, [1] * 5, threshold=None).days] == [
        (0, "2026-01-01"),
        (25, "2026-01-02"),
        (75, "2026-01-09"),
        (100, "2026-02-01"),
    ]


def test_one_day_is_a_line_across() -> None:
    size = series(DAYS[:1], [7], threshold=None)
    assert size.line == "M0.00 12.50H100"
    assert size.threshold is None


@pytest.mark.parametrize("most", [0, 1, 4, 5, 10, 11, 150, 401, 99_999])
def test_an_axis_ends_above_every_value_in_few_round_steps(most: int) -> None:
    ticks = series(DAYS[:2], [0, most], threshold=None).values
    numbers = [int(tick.label.replace(",", "")) for tick in ticks]
    steps = {second - first for first, second in itertools.pairwise(numbers)}
    assert numbers[0] == 0
    assert numbers[-1] >= most
    assert 2 <= len(numbers) <= 5
    assert len(steps) == 1
    assert re.fullmatch(r"[125]0*", str(*steps))


def test_a_wider_arc_is_higher_and_none_leaves_the_chart() -> None:
    heights = []
    for end in (1, 20, 60, 100):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", arc(0, end))]
        assert numbers[:2] == [0, 100]
        assert numbers[-2:] == [end, 100]
        heights.append(0.25 * 100 + 0.75 * numbers[3])  # of a curve with both handles there
    assert heights == sorted(heights, reverse=True)
    assert min(heights) >= -0.01
