"""Findings as values: order, counts, fingerprints, and text for messages."""

from __future__ import annotations

from learnings.core.findings.finding import CheckReport, Finding, Severity, quoted
from learnings.core.text import counted

ERROR = Finding("a-rule", Severity.ERROR, "a.md", 3, 1, "wrong", subject="## Title")
NOTICE = ERROR._replace(severity=Severity.NOTICE, rule="b-rule")


def prints(*findings: Finding) -> list[str]:
    return [fingerprint for _, fingerprint in CheckReport.of(findings, files=1).with_fingerprints()]


def test_report_is_in_the_order_of_the_files() -> None:
    later = ERROR._replace(line=10)
    other = ERROR._replace(path="b.md", line=1)
    right = ERROR._replace(column=2)
    report = CheckReport.of([other, later, NOTICE, right, ERROR], files=2)
    assert report.findings == (ERROR, NOTICE, right, later, other)


def test_counts_and_failure() -> None:
    clean, noticed = CheckReport.of([], files=0), CheckReport.of([NOTICE], files=1)
    failed = CheckReport.of([NOTICE, ERROR, NOTICE], files=1)
    assert (failed.errors, failed.notices) == (1, 2)
    assert [report.fails() for report in (clean, noticed, failed)] == [False, False, True]
    assert [report.fails(strict=True) for report in (clean, noticed, failed)] == [False, True, True]


def test_known_findings_are_no_findings_but_are_numbered() -> None:
    second = ERROR._replace(line=9)
    report = CheckReport.of([second], files=1, known=[ERROR])
    assert (report.errors, report.fails(strict=True), report.known) == (1, True, (ERROR,))
    assert [*report.with_fingerprints()] == [(second, prints(ERROR, second)[1])]
    nothing = CheckReport.of([], files=2, known=[ERROR, second])
    assert (nothing.errors, nothing.fails(strict=True)) == (0, False)


def test_a_fingerprint_tells_findings_apart_wherever_they_move() -> None:
    moved = ERROR._replace(line=30, column=9, message="worded anew", subject="##  Title ")
    marked = ERROR._replace(subject="## Title <!-- learnings: ignore[b-rule] why -->")
    assert prints(moved) == prints(marked) == prints(ERROR)
    others = [ERROR._replace(rule="b-rule"), ERROR._replace(path="b.md")]
    others += [ERROR._replace(subject="## Other")]
    for other in (*others, ERROR._replace(path="a.md\0## Title", subject="")):
        assert prints(other) != prints(ERROR)
    second = ERROR._replace(line=9)
    both = prints(second, ERROR)
    assert len(set(both)) == 2
    assert both[0] == prints(ERROR)[0] == prints(second)[0]
    (no_text,) = prints(ERROR._replace(path="a\udce9.md", subject="\udcff"))
    assert len(no_text) == 16


def test_counts_and_quotes_in_words() -> None:
    assert CheckReport.of([ERROR], files=2).counts == "1 error, 0 notices in 2 files"
    known = CheckReport.of([], files=1, known=[ERROR])
    assert known.counts == "0 errors, 0 notices in 1 file; 1 known finding left out"
    assert [counted(n, "line") for n in (0, 1, 2)] == ["0 lines", "1 line", "2 lines"]
    assert counted(2, "entry", "entries") == "2 entries"
    shown = {"plain": '"plain"', "  two\t words\r\n": '"two words"', "x" * 60: f'"{"x" * 60}"'}
    shown |= {"a\x1b[2Jb\udce9": r'"a\x1b[2Jb\udce9"', "x" * 61: f'"{"x" * 59}…"'}
    assert {text: quoted(text) for text in shown} == shown
