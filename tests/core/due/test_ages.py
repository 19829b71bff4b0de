from __future__ import annotations

import pytest

from learnings.core.due import ages
from learnings.core.due.ages import Activity, Consolidation, EntryAge, History, Origin
from learnings.core.entries.decisions import ESCALATED, KEPT, NO_DECISIONS, Decision, Decisions
from learnings.core.entries.document import ReadOptions, digest_of, read
from learnings.core.settings.setting_values import FileSettings

DAYS = ("2026-03-01", "2026-03-02", "2026-03-05", "2026-03-09")


@pytest.mark.parametrize(
    ("date", "expected"),
    [("2026-02-28", 4), ("2026-03-01", 3), ("2026-03-03", 2), ("2026-03-09", 0), ("2026-04-01", 0)],
)
def test_active_days_strictly_after_a_date(date: str, expected: int) -> None:
    assert Activity(DAYS).after(date) == expected
    evening = Activity(DAYS, skewed_commits=2).until("2026-03-05")
    assert (evening.days, evening.as_of) == (DAYS[:3], "2026-03-05")
    assert evening.skewed_commits == 2
    assert Activity(()).as_of is None


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (Origin(ages.COMMIT, "2026-03-01", "c"), 3),
        (Origin(ages.UNCOMMITTED), 0),
        (Origin(ages.UNKNOWN, reason="?"), None),
    ],
)
def test_age_of_an_origin(origin: Origin, expected: int | None) -> None:
    assert ages.age(origin, Activity(DAYS)) == expected


def report(
    dates: dict[str, str | None], *, shallow: bool = False, decisions: Decisions = NO_DECISIONS
) -> ages.AgeReport:
    text = "".join(f"## {title}\n\nbody\n\n" for title in dates)
    origins = {
        title.casefold(): Origin(ages.COMMIT, date, "c") if date else Origin(ages.UNKNOWN)
        for title, date in dates.items()
    }
    history = History("h", shallow, Activity(DAYS), origins, Consolidation("c", DAYS[1], 2))
    settings = FileSettings(freshness=2, keep_days=3)
    return ages.report(
        read(text.encode()), history, file="f", settings=settings, decisions=decisions
    )


def test_a_report_counts_and_sorts() -> None:
    age_report = report({"A": "2026-03-09", "B": None, "C": "2026-03-01", "D": "2026-03-01"})

    assert [e.active_days for e in age_report.entries] == [0, None, 3, 3]
    assert [e.entry.title for e in age_report.oldest_first] == ["C", "D", "A", "B"]
    assert [e.entry.title for e in age_report.fresh] == ["C", "D"]
    assert age_report.staleness == 2
    assert age_report.document.size.number == 16
    # Only a cut-off history gives lower bounds.
    dates: dict[str, str | None] = {"A": "2026-03-01", "B": None}
    assert [e.lower_bound for e in report(dates, shallow=True).entries] == [True, False]
    assert [e.lower_bound for e in report(dates).entries] == [False, False]


def aged(headings: dict[str, str]) -> list[EntryAge]:
    text = "".join(f"## {heading}\n\nbody\n\n" for heading in headings)
    entries = read(text.encode(), ReadOptions("heading")).entries
    return [
        EntryAge(entry, Origin(ages.COMMIT, date, "c"), 1)
        for entry, date in zip(entries, headings.values(), strict=True)
    ]


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ({"A": "2026-03-01", "B": "2026-03-02"}, ["B", "A"]),
        ({"A": "2026-03-01", "B": "2026-03-02", "C": "2026-03-02"}, ["C", "B", "A"]),
        ({"A": "2026-03-02", "B": "2026-03-02", "C": "2026-03-01"}, ["A", "B", "C"]),
        ({"A": "2026-03-01", "B": "2026-03-01"}, ["B", "A"]),
        ({"[2026-05-01] A": "2026-03-01", "[2026-04-01] B": "2026-03-02"}, ["A", "B"]),
        ({"[2026-05-01] A": "2026-03-01", "B": "2026-03-02"}, ["B", "A"]),
    ],
)
def test_the_newest_entries(headings: dict[str, str], expected: list[str]) -> None:
    entries = aged(headings)
    for count in range(len(entries) + 1):
        newest = {title.casefold() for title in expected[:count]}
        found = {
            e.entry.title.casefold()
            for e in entries
            if e.entry.identity in ages.newest_of(entries, count)
        }
        assert found == newest
    first, second, *_ = entries
    uncommitted = EntryAge(first.entry, Origin(ages.UNCOMMITTED), 0)
    assert ages.newest_of([uncommitted, second], 1) == {uncommitted.entry.identity}


def test_a_decided_entry_rests_from_its_day_on() -> None:
    first, _, last = report({"A": "2026-03-01", "B": "2026-03-02", "C": None}).document.entries
    kept = Decision(KEPT, DAYS[2], digest_of(first), first.identity)
    escalated = Decision(ESCALATED, DAYS[0], digest_of(last), last.identity)
    decisions = Decisions({one.digest: one for one in (kept, escalated)}, settled="2026-03-06")
    decided = report({"A": "2026-03-01", "B": "2026-03-02", "C": None}, decisions=decisions)

    assert [(e.entry.title, e.days_left) for e in decided.resting] == [("A", 2), ("C", None)]
    assert decided.consolidation == Consolidation(None, "2026-03-06", 0)
    assert decisions.until("2026-03-06") == decisions
    assert decisions.until(DAYS[2]) == Decisions(decisions.by_digest)
    assert decisions.until("2026-03-04") == Decisions({escalated.digest: escalated})
