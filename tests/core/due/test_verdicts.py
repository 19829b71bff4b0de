from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.due import ages, verdicts
from learnings.core.due.ages import Activity, AgeReport, Consolidation, History, Origin
from learnings.core.due.forecast import BranchVersion, growth_per_day
from learnings.core.due.verdicts import judge
from learnings.core.entries.document import Size, read
from learnings.core.settings.setting_values import FileSettings

FIRST = date(2026, 1, 1)
SETTINGS = FileSettings()


def day(number: int) -> str:
    """Return the date of an active day; 1 is the first, every day is active."""
    return (FIRST + timedelta(days=number - 1)).isoformat()


def make(
    *,
    today: int = 30,
    lines: int = 100,
    added: tuple[int, ...] = (),
    consolidated: int | None = None,
    superseded: tuple[int, ...] = (),
    others: Mapping[str, Origin] = {},
    settings: FileSettings = SETTINGS,
) -> AgeReport:
    """Return a report on a file whose entries were added on the given days, in file order.

    others are origins of entries without a day.
    """
    bodies = ["~~Superseded~~" if i in superseded else "Text." for i in range(len(added))]
    parts = [f"## E{i}\n{body}\n" for i, body in enumerate(bodies)]
    text = "".join(parts)
    text = "\n" * (lines - text.count("\n")) + text
    origins = {f"e{i}": Origin(ages.COMMIT, day(number), "c") for i, number in enumerate(added)}
    last = Consolidation("c", day(consolidated), 3) if consolidated else None
    activity = Activity(tuple(day(number) for number in range(1, today + 1)))
    origins |= others
    history = History("h", shallow=False, activity=activity, origins=origins, consolidation=last)
    return ages.report(read(text.encode()), history, file="f", settings=settings)


def versions(*pairs: tuple[int, int]) -> tuple[BranchVersion, ...]:
    return tuple(BranchVersion(day(number), Size(lines)) for number, lines in pairs)


OLD = (1, 1, 1, 1, 1, 1)


@pytest.mark.parametrize(("lines", "verdict"), [(449, "starved"), (450, "due")])
def test_a_file_three_times_as_long_as_the_trigger_does_not_wait(lines: int, verdict: str) -> None:
    young = (28, 28, 29, 29, 30, 30)
    judged = judge(make(lines=lines, added=young))
    assert judged.verdict == verdict
    assert judged.conditions.oversize.met == judged.is_oversize == (verdict == "due")
    titles = [age.entry.title for age in judged.batch]
    assert titles == (["E0", "E1", "E2"] if judged.is_oversize else []), "the newest three stay"
    ordinary = judge(make(lines=lines, added=OLD))
    assert (ordinary.verdict, ordinary.is_oversize) == ("due", False)


@pytest.mark.parametrize(("today", "verdict"), [(32, "starved"), (33, "due")])
def test_starved_escalates_after_7_active_days(today: int, verdict: str) -> None:
    report = make(today=today, lines=160, added=(10, today, today), consolidated=25)
    judged = judge(report, versions((26, 160), (25, 120)))

    assert (judged.verdict, judged.starved_since) == (verdict, day(26))
    assert judged.escalated == (verdict == "due")
    assert [e.entry.title for e in judged.batch] == ["E0"]


@pytest.mark.parametrize(
    ("history", "growth"),
    [
        (((30, 150), (20, 120), (1, 92)), 58 / 28),
        (((30, 150), (20, 50), (10, 140), (1, 100)), 140 / 28),
        (((30, 120), (21, 100)), 20 / 9),
        (((30, 100),), 0.0),
        (((10, 100), (2, 130)), 0.0),
        ((), 0.0),
    ],
)
def test_growth_per_active_day(history: tuple[tuple[int, int], ...], growth: float) -> None:
    activity = Activity(tuple(day(number) for number in range(1, 31)))

    assert growth_per_day(activity, versions(*history)) == pytest.approx(growth)


def test_versions_are_needed_for_the_window_or_since_the_last_consolidation() -> None:
    calm = make(today=60, added=OLD, consolidated=59)
    starved = make(today=60, lines=160, added=(60,), consolidated=20)

    assert verdicts.past_needed(calm) == (day(33), False)
    assert verdicts.past_needed(starved) == (day(20), True)


DAYS = st.integers(min_value=1, max_value=30)
THRESHOLDS = st.builds(
    SETTINGS._replace,
    freshness=st.integers(0, 9),
    min_batch=st.integers(1, 5),
    keep_recent=st.integers(0, 5),
)


@given(st.lists(DAYS, max_size=9), DAYS, THRESHOLDS, st.sets(st.integers(0, 8)))
def test_the_batch_that_is_counted_is_the_batch_that_is_selected(
    added: list[int], today: int, settings: FileSettings, uncommitted: set[int]
) -> None:
    unknown = {f"e{number}": Origin(ages.UNKNOWN) for number in uncommitted if number % 2}
    new = {f"e{number}": Origin(ages.UNCOMMITTED) for number in uncommitted if not number % 2}
    report = make(
        today=today,
        added=tuple(min(number, today) for number in added),
        others=unknown | new,
        settings=settings,
    )
    judged = judge(report)

    assert judged.conditions.batch.value == len(judged.batch)
    oldest = max((e.active_days for e in report.entries if e.active_days is not None), default=None)
    assert judged.conditions.staleness.value == oldest


@pytest.mark.parametrize(
    ("lines", "added", "consolidated", "verdict"),
    [
        # Size, staleness, batch, freshness: on both sides of each threshold.
        (149, OLD, 29, "not-due"),
        (150, OLD, 29, "due"),
        (100, OLD, 17, "not-due"),
        (100, OLD, 16, "due"),
        (150, (20,) * 2, 29, "starved"),
        (150, (20,) * 3, 29, "due"),
        (150, (24,) * 3, 29, "starved"),
        (150, (23,) * 3, 29, "due"),
        (500, (30,) * 3, None, "starved"),
        (100, (), None, "not-due"),
    ],
)
def test_thresholds(
    lines: int, added: tuple[int, ...], consolidated: int | None, verdict: str
) -> None:
    judged = judge(make(lines=lines, added=added, consolidated=consolidated))
    size, staleness = judged.conditions.triggers
    assert judged.verdict == verdict
    assert size.distance == max(0, 150 - lines)
    assert staleness.value == (30 - consolidated if consolidated else 0 if added else None)
    assert (staleness.distance is None) == (not added)


@pytest.mark.parametrize(
    ("added", "superseded", "batch"),
    [
        ((1, 2, 3, 4, 5, 6, 7), (), 4),  # the newest three stay
        ((1, 2, 3, 4), (), 3),  # but not at the cost of the batch
        ((1, 1, 1, 1, 28, 29, 30), (), 4),
        ((1,) * 7, (0, 1), 4),
    ],
)
def test_the_newest_stay(added: tuple[int, ...], superseded: tuple[int, ...], batch: int) -> None:
    report = make(added=added, lines=150, consolidated=29, superseded=superseded)
    titles = [e.entry.title for e in judge(report).batch]
    assert titles == [f"E{number}" for number in range(batch)]


def test_since_when_a_file_is_due_or_starved() -> None:
    report = make(lines=500, added=(25, 25, 25, 25, 30, 30))
    judged = judge(report, versions((30, 500), (27, 460), (25, 200)))
    assert (judged.due_since, judged.starved_since) == (day(27), None)
    # Starved since the first day on which a trigger held and the batch was too small.
    report = make(lines=160, added=(10, 26, 27), consolidated=25)
    judged = judge(report, versions((27, 160), (26, 155), (25, 120)))
    assert (judged.verdict, judged.starved_since) == ("starved", day(26))
    judged = judge(make(lines=160, added=(1, 1), consolidated=29), versions((20, 100)))
    assert judged.starved_since == day(30)  # by text that is not committed
    judged = judge(make(today=0, lines=160, added=(1,)))
    assert (judged.verdict, judged.starved_since) == ("starved", None)
    report = make(today=0, lines=160)
    assert judge(report).verdict == "not-due"
    assert verdicts.past_needed(report) == (None, False)


GROWING = ((30, 140), (29, 135), (20, 90))


@pytest.mark.parametrize(
    ("lines", "added", "history", "days"),
    [
        (100, OLD, ((30, 100), (29, 99), (1, 99)), 13),
        (100, OLD, ((30, 330), (29, 50), (1, 50)), 5),
        (100, OLD, ((1, 100),), 13),  # it does not grow, but gets stale
        (100, (), ((30, 100), (29, 50), (1, 10)), None),
        (150, OLD, (), 0),
        (140, (20, 20, 20), GROWING, 2),  # all are old enough when the size is reached
        (140, (28, 28, 28), GROWING, 5),  # in two days it is long, in five they are old enough
        (140, (28, 28), GROWING, 9),  # too few: in two days it is long, in nine it escalates
        (140, (30,), GROWING, 9),
        # What is starved waits for its batch or the escalation.
        (160, (1, 27, 27), (), 4),
        (160, (1, 1), (), 7),
        (160, (28,), (), 7),
    ],
)
def test_forecast(
    lines: int, added: tuple[int, ...], history: tuple[tuple[int, int], ...], days: int | None
) -> None:
    report = make(lines=lines, added=added, consolidated=29)
    forecast = judge(report, versions(*history)).forecast
    assert (forecast and forecast.due_in_active_days) == days


def test_staleness_without_a_consolidation_and_a_file_that_is_not_judged() -> None:
    condition = judge(make(added=(15, 16, 20))).conditions.staleness
    assert (condition.value, condition.known, condition.met) == (15, False, True)
    judged = judge(make(lines=500, added=OLD, settings=FileSettings(due=False)))
    assert (judged.verdict, judged.switched_off) == ("not-due", True)
