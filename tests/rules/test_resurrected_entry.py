from __future__ import annotations

from learnings import rules
from learnings.core.due.history_facts import HistoryFacts, ResurrectedEntry
from learnings.core.findings.finding import Finding, Severity
from learnings.rules import resurrected_entry
from tests.rules.cases import checked_file

TEXT = "# L\n\n## A\n\nOne.\n\n## B\n\nTwo.\n"
REMOVED = "1234567890abcdef1234567890abcdef12345678"
MERGE = "abcdef1234567890abcdef1234567890abcdef12"


def of(*resurrected: ResurrectedEntry) -> list[Finding]:
    facts = HistoryFacts({}, resurrected, {}, frozenset())
    return list(
        rules.check(checked_file(TEXT), [resurrected_entry.RULE], inputs={"history": facts})
    )


def test_a_merge_is_an_error_at_the_entry() -> None:
    back = ResurrectedEntry("b", REMOVED, "2026-03-02", MERGE, "2026-03-09", by_merge=True)
    (finding,) = of(back)
    assert (finding.severity, finding.line, finding.column) == (Severity.ERROR, 7, 1)
    assert finding.subject == "## B"
    assert finding.message == (
        "this entry was removed by the consolidation 1234567890ab on 2026-03-02 and came back with "
        "the merge abcdef123456 on 2026-03-09; remove it again, or keep the parts of it that the "
        "new text lacks"
    )


def test_a_commit_is_an_error_beside_what_replaced_it_and_else_a_notice() -> None:
    back = ResurrectedEntry("a", REMOVED, "2026-03-02", MERGE, "2026-03-09")
    (replaced,) = of(back._replace(has_replacement=True))
    (alone,) = of(back)
    assert (replaced.severity, alone.severity) == (Severity.ERROR, Severity.NOTICE)
    assert " came back with commit abcdef123456 " in replaced.message
    assert alone.message.endswith("; remove it again unless that was on purpose")


def test_what_is_not_committed_has_no_commit() -> None:
    (finding,) = of(ResurrectedEntry("a", REMOVED, "2026-03-02", None, None, has_replacement=True))
    assert " on 2026-03-02 and is back, uncommitted; " in finding.message


def test_an_entry_that_is_gone_meanwhile_is_none() -> None:
    assert (
        of(ResurrectedEntry("c", REMOVED, "2026-03-02", MERGE, "2026-03-09", by_merge=True)) == []
    )
