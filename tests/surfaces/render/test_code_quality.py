"""Findings as GitLab's Code Quality report, compared with the documented format."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import decode
from learnings.surfaces.render import exchange
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

SCHEMA = json.loads((ROOT / "tests/data/gitlab/code_quality.json").read_text(encoding="utf-8"))
ERROR = Finding("duplicate-entry", Severity.ERROR, "a/b c#.md", 12, 3, "wrong", subject="## x")
NOTICE = Finding("soft-limit", Severity.NOTICE, "c.md", 1, 1, "long")
MEMORY = "agents/learnings.md"
ENTRIES = "## When a build hangs\n\nKill it.\n\n## When a build hangs\n\nAgain.\n"


def issues_of(report: CheckReport) -> Any:  # noqa: ANN401  (a JSON document)
    issues = json.loads(exchange.as_gitlab(report))
    jsonschema.Draft202012Validator(SCHEMA).validate(issues)
    return issues


def test_one_issue_for_each_finding() -> None:
    report = CheckReport.of([NOTICE, ERROR], files=2, known=[ERROR._replace(line=2)])
    same = issues_of(CheckReport.of([ERROR, ERROR._replace(line=20)], files=1))
    assert len({issue["fingerprint"] for issue in same}) == 2
    assert issues_of(CheckReport.of([], files=1, known=[ERROR])) == []
    assert issues_of(report) == [
        {
            "description": "wrong",
            "check_name": "duplicate-entry",
            "fingerprint": next(report.with_fingerprints())[1],
            "severity": "major",
            "location": {"path": "a/b c#.md", "lines": {"begin": 12}},
        },
        {
            "description": "long",
            "check_name": "soft-limit",
            "fingerprint": [*report.with_fingerprints()][1][1],
            "severity": "info",
            "location": {"path": "c.md", "lines": {"begin": 1}},
        },
    ]


@given(st.binary(min_size=1, max_size=8).filter(lambda data: b"/" not in data))
def test_a_reader_takes_every_path(data: bytes) -> None:
    (issue,) = issues_of(CheckReport.of([ERROR._replace(path=f"x{decode(data)}")], files=1))
    assert issue["location"]["path"].encode("utf-8")


def test_a_fingerprint_survives_moved_lines(learnings: Command, repository: GitRepository) -> None:
    found = []
    for before in ("", "## When a cache is stale\n\nClear it.\n\n"):
        repository.write(MEMORY, f"# Learnings\n\n{before}{ENTRIES}")
        words = ("check", "--format=gitlab", "--rule=duplicate-entry")
        run = learnings(*words, cwd=repository.path / "agents")
        assert run.code == 1, run.err
        jsonschema.validate(run.json, SCHEMA)
        found += run.json
    first, second = found
    assert first["fingerprint"] == second["fingerprint"]
    assert first["location"] == {"path": MEMORY, "lines": {"begin": 7}}, "from the root"
    assert second["location"] == {"path": MEMORY, "lines": {"begin": 11}}
