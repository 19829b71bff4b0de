from __future__ import annotations

import pytest

from learnings import rules
from learnings.core.due.ages import (
    COMMIT,
    RENAMED_HEADING,
    STATED_DATE,
    UNCOMMITTED,
    UNKNOWN,
    Origin,
)
from learnings.core.due.history_facts import HistoryFacts, ResurrectedEntry
from learnings.core.findings.finding import Finding, Severity
from learnings.rules import date_mismatch
from tests.rules.cases import checked_file

HASH = "1234567890abcdef1234567890abcdef12345678"


def of(
    stated: str, origin: Origin, *, rewritten: str | None = None, imported: bool = False
) -> list[Finding]:
    """What the rule says of one entry that states a date."""
    key = f"{stated.casefold()} a title"
    subject = checked_file(f"# L\n\n## [{stated}] A title\n\nText.\n", dialect="timestamped")
    facts = HistoryFacts(
        {key: origin},
        (),
        {key: rewritten} if rewritten else {},
        frozenset({HASH} if imported else ()),
    )
    assert key in subject.document.by_identity
    return list(rules.check(subject, [date_mismatch.RULE], inputs={"history": facts}))


def added(date: str, basis: str = COMMIT) -> Origin:
    return Origin(basis, date, HASH)


def test_an_entry_that_came_back_has_its_date_from_before() -> None:
    subject = checked_file("# L\n\n## [2026-01-01] A\n\nText.\n", dialect="timestamped")
    key = "2026-01-01 a"
    back = ResurrectedEntry(key, "b" * 40, "2026-02-01", HASH, "2026-03-01", by_merge=True)
    facts = HistoryFacts({key: added("2026-03-01")}, (), {}, frozenset())
    assert list(rules.check(subject, [date_mismatch.RULE], inputs={"history": facts}))
    facts = facts._replace(resurrected=(back,))
    assert not list(rules.check(subject, [date_mismatch.RULE], inputs={"history": facts}))


@pytest.mark.parametrize(
    ("stated", "date", "count"),
    [
        ("2026-03-02", "2026-03-02", 0),
        ("2026-03-02", "2026-04-01", 0),
        ("2026-03-02", "2026-04-02", 1),
        ("2026-04-01", "2026-03-02", 0),
        ("2026-04-02", "2026-03-02", 1),
        ("2026-04-02-235959", "2026-03-02", 1),
        ("2026-04-01-235959", "2026-03-02", 0),
        ("2026-03", "2026-04-30", 0),
        ("2026-03", "2026-05-01", 1),
        ("2026-03", "2026-01-30", 0),
        ("2026-03", "2026-01-29", 1),
    ],
)
def test_the_boundary(stated: str, date: str, count: int) -> None:
    assert len(of(stated, added(date))) == count


def test_the_finding() -> None:
    (finding,) = of("2025-01-14", added("2026-01-15"))
    assert (finding.severity, finding.line) == (Severity.NOTICE, 3)
    assert finding.message == (
        "the entry states 2025-01-14, but git dates it 2026-01-15, 366 days later "
        "(1234567890ab); correct the date"
    )
    (finding,) = of("2027-01-15", added("2026-01-15"))
    assert ", 365 days earlier (" in finding.message


@pytest.mark.parametrize(
    "origin",
    [Origin(UNCOMMITTED), Origin(UNKNOWN, reason="none"), added("2020-01-01", STATED_DATE)],
)
def test_only_a_date_from_git_is_compared(origin: Origin) -> None:
    assert of("2026-03-02", origin) == []


def test_a_reworded_heading_is_judged_too() -> None:
    assert len(of("2025-03-02", added("2026-03-02", RENAMED_HEADING))) == 1


def test_a_date_changed_with_its_heading() -> None:
    assert of("2026-03-02", added("2025-03-02"), rewritten="2026-03-02") == []
    assert of("2026-03-02", added("2025-03-02"), rewritten="2026-04-01") == []
    assert len(of("2026-03-02", added("2025-03-02"), rewritten="2026-04-02")) == 1


def test_an_import_keeps_older_dates_but_not_later_ones() -> None:
    assert of("2024-03-02", added("2026-03-02"), imported=True) == []
    assert len(of("2026-05-02", added("2026-03-02"), imported=True)) == 1


@pytest.mark.parametrize(
    "text", ["## A title\n", "## [L-014] A title\n", "## [2026-02-31] A title\n"]
)
def test_what_states_no_date_has_none_to_be_wrong(text: str) -> None:
    subject = checked_file(f"# L\n\n{text}\nText.\n")
    (entry,) = subject.document.entries
    facts = HistoryFacts({entry.identity: added("2020-01-01")}, (), {}, frozenset())
    assert list(rules.check(subject, [date_mismatch.RULE], inputs={"history": facts})) == []


@pytest.mark.parametrize(
    "text", ["## L-014: A title (2025-02-16)\n", "## [L-014] 2025-02-16 A title\n"]
)
def test_a_date_at_an_end_of_an_identified_heading(text: str) -> None:
    subject = checked_file(f"# L\n\n{text}\nText.\n", dialect="identified")
    (entry,) = subject.document.entries
    facts = HistoryFacts({entry.identity: added("2026-02-16")}, (), {}, frozenset())
    (finding,) = rules.check(subject, [date_mismatch.RULE], inputs={"history": facts})
    assert "the entry states 2025-02-16" in finding.message
