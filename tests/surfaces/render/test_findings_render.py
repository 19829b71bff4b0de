"""Findings as text, JSON and Markdown."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.surfaces.cli.formats import renderer
from learnings.surfaces.render import findings
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.schemas.record_fields import schema_of

ERROR = Finding("a-rule", Severity.ERROR, "a/b.md", 12, 3, 'wrong: "x"', subject="## x")
NOTICE = Finding("b-rule", Severity.NOTICE, "c.md", 1, 1, "long")
REPORT = CheckReport.of([NOTICE, ERROR], files=3)
CLEAN = CheckReport.of([], files=1)


def problems(document: Any) -> list[str]:  # noqa: ANN401
    validator = jsonschema.Draft202012Validator(schema_of("findings"))
    return [error.message for error in validator.iter_errors(document)]


def test_text() -> None:
    assert findings.as_text(REPORT) == (
        'a/b.md:12:3: error a-rule wrong: "x"\nc.md:1:1: notice b-rule long\n'
    )
    assert findings.as_text(CLEAN) == ""


def test_colours_and_links_leave_the_text_alone() -> None:
    plain = findings.as_text(REPORT)
    coloured = findings.as_text(REPORT, colour=True)
    assert "\033[31merror" in coloured
    assert "\033[33mnotice" in coloured
    assert re.sub("\033\\[[0-9]*m", "", coloured) == plain
    for colour in (False, True):
        linked = findings.as_text(REPORT, colour=colour, links=True)
        assert f"\033]8;;{rule_link('a-rule')}\033\\a-rule\033]8;;\033\\" in linked
        unlinked = re.sub("\033]8;;.*?\033\\\\", "", linked)
        assert unlinked == (coloured if colour else plain)


def test_text_escapes_what_a_terminal_would_obey() -> None:
    odd = Finding("a-rule", Severity.ERROR, "a\x1b[2J\n.md", 1, 1, "b\x1b]0;c\x07")
    for colour in (False, True):
        text = findings.as_text(CheckReport.of([odd], files=1), colour=colour)
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
