"""Findings as text, JSON and Markdown."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from markdown_it import MarkdownIt

from learnings.check.session_cost import SessionCost
from learnings.consolidation.proof.changes import EntryChange
from learnings.consolidation.proof.results import FilePlace
from learnings.core.cost import Cost
from learnings.core.due.forecast import SizeSeries
from learnings.core.entries.document import read
from learnings.core.entries.entry_changes import delta
from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.settings.setting_values import FileSettings
from learnings.surfaces.cli.commands import renderer
from learnings.surfaces.cli.schema import schema_of
from learnings.surfaces.render import findings, job_summary
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.highlight import highlighted
from learnings.surfaces.render.job_summary import LARGEST_SUMMARY, as_markdown
from tests.surfaces.verdicts import inspected, verdict

ERROR = Finding("a-rule", Severity.ERROR, "a/b.md", 12, 3, 'wrong: "x"', subject="## x")
NOTICE = Finding("b-rule", Severity.NOTICE, "c.md", 1, 1, "long")
REPORT = CheckReport.of([NOTICE, ERROR], files=3)
CLEAN = CheckReport.of([], files=1)


@pytest.fixture(autouse=True)
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the project an address, so that rules have links."""
    monkeypatch.setattr("learnings.HOME", "https://example.org/learnings")


def problems(document: Any) -> list[str]:  # noqa: ANN401
    validator = jsonschema.Draft202012Validator(schema_of("findings"))
    return [error.message for error in validator.iter_errors(document)]


def test_without_an_address_no_link_leads_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    with_links = findings.as_text(REPORT, links=True), findings.as_markdown(REPORT)
    assert all("https://" in text for text in (*with_links, findings.as_github(REPORT)))
    monkeypatch.setattr("learnings.HOME", "")
    assert findings.as_text(REPORT, links=True) == findings.as_text(REPORT)
    assert "| error | a-rule |" in findings.as_markdown(REPORT)
    assert findings.as_github(REPORT).endswith("title=b-rule::long\n")
    document = json.loads(renderer("findings", "json")(REPORT))
    assert {finding["url"] for finding in document["findings"]} == {None}
    assert problems(document) == []


def test_text() -> None:
    assert findings.as_text(REPORT) == (
        'a/b.md:12:3: error a-rule wrong: "x"\nc.md:1:1: notice b-rule long\n'
    )
    assert findings.as_text(CLEAN) == ""


def test_colours_and_links_leave_the_text_alone() -> None:
    plain = findings.as_text(REPORT)
    coloured = highlighted(plain, "findings")
    assert "\033[31merror" in coloured
    assert "\033[33mnotice" in coloured
    assert re.sub("\033\\[[0-9]*m", "", coloured) == plain
    linked = findings.as_text(REPORT, links=True)
    assert f"\033]8;;{rule_link('a-rule')}\033\\a-rule\033]8;;\033\\" in linked
    for text, unlinked in ((linked, plain), (highlighted(linked, "findings"), coloured)):
        assert re.sub("\033]8;;.*?\033\\\\", "", text) == unlinked


def test_text_escapes_what_a_terminal_would_obey() -> None:
    odd = Finding("a-rule", Severity.ERROR, "a\x1b[2J\n.md", 1, 1, "b\x1b]0;c\x07")
    plain = findings.as_text(CheckReport.of([odd], files=1))
    for text in (plain, highlighted(plain, "findings")):
        assert r"a\x1b[2J\n.md" in text
        assert r"b\x1b]0;c\x07" in text
        assert text.count("\n") == 1


def test_json_is_as_its_schema_says() -> None:
    assert problems(json.loads(renderer("findings", "json")(CLEAN))) == []
    document = json.loads(renderer("findings", "json")(REPORT))
    assert problems(document) == []
    assert document["schema"] == "learnings.findings/1"
    assert document["summary"] == {"errors": 1, "notices": 1, "known": 0, "files": 3}
    fingerprint = document["findings"][0].pop("fingerprint")
    assert fingerprint == next(REPORT.with_fingerprints())[1]
    assert document["findings"][0] == {
        "rule": "a-rule",
        "severity": "error",
        "path": "a/b.md",
        "line": 12,
        "column": 3,
        "message": 'wrong: "x"',
        "fix": None,
        "url": rule_link("a-rule"),
    }


def test_schema_is_sound_and_refuses_what_is_wrong() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of("findings"))
    good = json.loads(renderer("findings", "json")(REPORT))
    for key in [*good]:
        assert problems({name: value for name, value in good.items() if name != key})
    for key in [*good["findings"][0]]:
        finding = {name: value for name, value in good["findings"][0].items() if name != key}
        assert problems({**good, "findings": [finding]})
    assert problems({**good, "schema": "learnings.findings/2"})
    assert problems({**good, "more": 1}) == []


def test_known_findings_are_counted_and_not_shown() -> None:
    report = CheckReport.of([NOTICE], files=3, known=[ERROR])
    document = json.loads(renderer("findings", "json")(report))
    assert problems(document) == []
    assert [finding["rule"] for finding in document["findings"]] == ["b-rule"]
    assert document["summary"] == {"errors": 0, "notices": 1, "known": 1, "files": 3}
    assert "a-rule" not in findings.as_text(report) + findings.as_markdown(report)
    assert "**0 errors, 1 notice in 3 files; 1 known finding left out**" in (
        findings.as_markdown(report)
    )
    clean = CheckReport.of([], files=3, known=[ERROR])
    assert findings.as_markdown(clean) == "No new findings beside 1 known in 3 files.\n"


def test_markdown() -> None:
    assert findings.as_markdown(REPORT) == (
        "**1 error, 1 notice in 3 files**\n"
        "\n"
        "| Location | Severity | Rule | Message |\n"
        "|---|---|---|---|\n"
        f'| `a/b.md:12:3` | error | [a-rule]({rule_link("a-rule")}) | `wrong: "x"` |\n'
        f"| `c.md:1:1` | notice | [b-rule]({rule_link('b-rule')}) | `long` |\n"
    )
    assert findings.as_markdown(CLEAN) == "No findings in 1 file.\n"


def test_markdown_is_never_markup() -> None:
    odd = Finding("a-rule", Severity.ERROR, "a|b_c_.md", 1, 1, "`x` <b> & @me [l](u) *i* \\ ~s~\n|")
    (row,) = findings.as_markdown(CheckReport.of([odd], files=1)).splitlines()[4:]
    assert rf"| `a\|b_c_.md:1:1` | error | [a-rule]({rule_link('a-rule')}) | " in row
    assert r"`` `x` <b> & @me [l](u) *i* \ ~s~ \| ``" in row
    assert row.replace(r"\|", "").count("|") == 5


MARKDOWN = MarkdownIt("gfm-like", {"linkify": False, "html": True})
ENTRIES = [(f"When {number}", "text") for number in range(1, 9)]
NONE = CheckReport.of([], files=2)
GROWTH = SizeSeries(5, (10, 20, 160), "2026-01-10", 150)
LONG = "Look at the lock file first, then at the process table, and then at the network."


def finding(message: str = "is wrong", path: str = "a.md") -> Finding:
    return Finding("duplicate-entry", Severity.ERROR, path, 3, 1, message)


def test_what_the_memory_costs() -> None:
    files = {"a.md": Cost(3000, 15200), "b.md": Cost(600, 3040)}
    for other, agents in ((files, ""), ({}, " of One, 0 of Two")):
        text = as_markdown(inspected(NONE, [], cost=SessionCost({"One": files, "Two": other})))
        assert f"The memory costs about 4,800 tokens in each session{agents}." in text
    assert "tokens" not in as_markdown(inspected(NONE, [], cost=SessionCost()))


def test_a_row_for_each_file() -> None:
    starved = verdict(
        ENTRIES[:2], file="b.md", settings=FileSettings(soft_limit=0, starved_escalates_after=99)
    )
    calm = verdict(ENTRIES, file="c|d.md", consolidated=2)
    text = as_markdown(inspected(NONE, [verdict(ENTRIES), starved, calm]))
    assert "| `agents/learnings.md` | **due**: 19 active days since the oldest entry" in text
    assert "| 34/150 | 19/14 | 5/3 |" in text
    assert "| `b.md` | starved: due in" in text
    forecast = "due in 12 active days: 14 active days without a consolidation by then"
    assert f"| `c\\|d.md` | not-due: {forecast} | 34/150 | 2/14 | 5/3 |" in text
    assert "### Findings\n\n0 errors, 0 notices in 2 files\n" in text


def test_what_a_change_does() -> None:
    before = read(f"# L\n\n## When a\n\n{LONG}\n\n## When x\n\ny\n".encode())
    after = read(f"# L\n\n## When a\n\n{LONG}\n\n## When @b\n\n{LONG} Yes.\n\n## C\n\nz\n".encode())
    deltas = [delta("a.md", before, after, limit=150), delta("n.md", None, before, limit=80)]
    lost = EntryChange("lost", "When x", "when x", FilePlace("a.md", 7), None)
    added = [EntryChange("added", t, t, None, FilePlace("a.md", 7)) for t in ("When @b", "C")]
    text = as_markdown(inspected(NONE, [], deltas=deltas, changes=[*added, lost]))
    assert "- `a.md`: 9 → 13 of 150 lines\n" in text
    assert "  - `When @b` is a near-duplicate of `When a`\n" in text
    assert "- `n.md`: new → 9 of 80 lines\n" in text
    assert "- Adds 2 entries, loses 1.\n  - **added** `When @b` at `a.md:7`\n" in text


def test_a_chart_for_each_file() -> None:
    text = as_markdown(inspected(NONE, [], charts=[("a.md", GROWTH)]))
    assert "### Lines of `a.md`\n\n```mermaid\n%%{init: " in text
    assert job_summary.growth_chart(GROWTH).splitlines()[3:] == [
        '    x-axis "active days until 2026-01-10" 5 --> 7',
        '    y-axis "lines" 0 --> 176',
        "    line [10, 20, 160]",
        "    line [150, 150, 150]",
        "```",
    ]


def test_findings_and_what_is_not_known() -> None:
    report = CheckReport.of([finding("<img> | @team", "x|y.md")], files=1)
    text = as_markdown(inspected(report, [], problems=["a shallow clone; deepen it"]))
    row = "| error | `x\\|y.md:3` | duplicate-entry | `<img> \\| @team` |\n"
    head = "1 error, 0 notices in 1 file\n\n| | location | rule | finding |\n|---|---|---|---|\n"
    assert head + row in text
    assert "> **Not known:** `a shallow clone; deepen it`" in text
    kinds = {part.type for t in MARKDOWN.parse(text) for part in t.children or [t]}
    assert not kinds & {"html_inline", "html_block", "image", "link_open"}


def test_it_is_cut_by_whole_rows() -> None:
    report = CheckReport.of([finding(f"{number} " + "x" * 200) for number in range(9_000)], files=1)
    text = as_markdown(inspected(report, [verdict(ENTRIES)], charts=[("a.md", GROWTH)]))
    shown = text.count("\n| error |")
    assert LARGEST_SUMMARY - 10_000 < len(text.encode()) < LARGEST_SUMMARY - 3_900
    assert f"{9_000 - shown} more rows left out for lack of space" in text
    assert all(line.endswith("|") for line in text.splitlines() if line.startswith("| error"))
    assert "mermaid" not in text
    two = CheckReport.of([finding(), finding("y" * 500)], files=1)
    assert "1 more row left out" in as_markdown(inspected(two, []), room=500)


def test_junit_has_a_case_for_each_finding() -> None:
    odd = Finding("x", Severity.ERROR, "a\x1b<b>.md", 2, 3, 'says "no" & \x00', None)
    calm = Finding("y", Severity.NOTICE, "b.md", 1, 1, "look", None)
    found, none = (
        ET.fromstring(renderer("findings", "junit")(report))
        for report in (CheckReport.of([odd, calm], files=2), CLEAN)
    )
    assert [found.get(name) for name in ("tests", "failures", "skipped")] == ["2", "1", "1"]
    first, second = found.iter("testcase")
    assert (first.get("file"), first.get("line")) == ("a\\x1b<b>.md", "2")
    assert first.find("failure") is not None
    assert second.find("skipped") is not None
    assert [case.find("failure") for case in none.iter("testcase")] == [None]
