"""Findings as SARIF: the structure always, and the official schema if available."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings import __version__
from learnings.core.findings.finding import CheckReport, Edit, Finding, Fix, Severity
from learnings.core.text import decode, encode
from learnings.rules import RULES
from learnings.surfaces.render import exchange

ERROR = Finding("duplicate-entry", Severity.ERROR, "a/b c#.md", 12, 3, "wrong", subject="## x")
NOTICE = Finding("soft-limit", Severity.NOTICE, "c.md", 1, 1, "long")
FIXED = ERROR._replace(
    rule="final-newline", fix=Fix("add the newline", (Edit(12, "é", "é\n"), Edit(2, "a\n", "b\n")))
)
REPORT = CheckReport.of([NOTICE, ERROR, FIXED], files=3, known=[ERROR._replace(line=2)])


def run_of(report: CheckReport) -> Any:  # noqa: ANN401  (a JSON document)
    document = json.loads(exchange.as_sarif(report))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    return run


def test_results() -> None:
    first, second, third = run_of(REPORT)["results"]
    assert first == {
        "ruleId": "duplicate-entry",
        "level": "error",
        "message": {"text": "wrong"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a/b%20c%23.md", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 12, "startColumn": 3},
                }
            }
        ],
        "partialFingerprints": {"learnings/v1": next(REPORT.with_fingerprints())[1]},
        "ruleIndex": [rule.id for rule in RULES].index("duplicate-entry"),
    }
    assert (second["ruleId"], third["level"]) == ("final-newline", "note")
    (result,) = run_of(CheckReport.of([ERROR._replace(fix=Fix("orders"))], files=1))["results"]
    assert "fixes" not in result, "it has no edits"
    assert run_of(CheckReport.of([], files=1, known=[ERROR]))["results"] == []


@pytest.mark.parametrize("home", ["", "https://example.org/learnings"])
def test_tool_and_rules(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learnings.HOME", home)
    run = run_of(REPORT)
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("learnings", __version__)
    assert driver.get("informationUri", "") == home
    assert {"helpUri" in rule for rule in driver["rules"]} == {bool(home)}
    assert run["columnKind"] == "unicodeCodePoints"
    assert list(run["originalUriBaseIds"]) == ["%SRCROOT%"]
    assert [rule["id"] for rule in driver["rules"]] == [rule.id for rule in RULES]
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}\n")
        assert rule["defaultConfiguration"]["level"] in ("error", "note")
    off = [r["id"] for r in driver["rules"] if not r["defaultConfiguration"]["enabled"]]
    assert off == ["section-without-content"]


def replaced(line: str, edit: Edit) -> str:
    """Apply a replacement of a line to a file."""
    fix = Fix("does", (edit,))
    (result,) = run_of(CheckReport.of([ERROR._replace(fix=fix)], files=1))["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert (
        change["artifactLocation"] == result["locations"][0]["physicalLocation"]["artifactLocation"]
    )
    (part,) = change["replacements"]
    region, text = part["deletedRegion"], part["insertedContent"]["text"]
    assert (region["startLine"], region["startColumn"]) == (edit.line, 1)
    if region.get("endLine", edit.line) == edit.line:
        return str(text) + line[region["endColumn"] - 1 :]
    assert (region["endLine"], region["endColumn"]) == (edit.line + 1, 1)
    return str(text)


LINES = st.tuples(st.text("ab é", max_size=4), st.sampled_from(["\n", "\r\n", "\r", ""])).map(
    "".join
)


@given(LINES, LINES)
def test_a_fix_is_the_edit(old: str, new: str) -> None:
    assert replaced(old, Edit(7, old, new)) == new


@given(st.binary(min_size=1, max_size=8).filter(lambda data: b"/" not in data))
def test_paths_are_uris(data: bytes) -> None:
    path = decode(data)
    (result,) = run_of(CheckReport.of([ERROR._replace(path=path)], files=1))["results"]
    file = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert file["uri"].isascii()
    assert not set(file["uri"]) & set(' <>"{}|\\^`:?#')
    assert encode(unquote(file["uri"], errors="surrogateescape")) == data


@pytest.mark.parametrize(
    ("path", "uri"),
    [("/tmp/a b.md", "file:///tmp/a%20b.md"), ("C:/x/é.md", "file:///C:/x/%C3%A9.md")],
)
def test_file_outside_the_repository(path: str, uri: str) -> None:
    (result,) = run_of(CheckReport.of([ERROR._replace(path=path)], files=1))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}
