"""Findings as GitLab's Code Quality report, compared with the documented format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import decode
from learnings.surfaces.render import findings
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

SCHEMA = json.loads((ROOT / "tests/data/gitlab/code_quality.json").read_text(encoding="utf-8"))
ERROR = Finding("duplicate-entry", Severity.ERROR, "a/b c#.md", 12, 3, "wrong", subject="## x")
NOTICE = Finding("soft-limit", Severity.NOTICE, "c.md", 1, 1, "long")
MEMORY = "agents/learnings.md"
ENTRIES = "## When a build hangs\n\nKill it.\n\n## When a build hangs\n\nAgain.\n"


def issues_of(report: CheckReport) -> Any:  # noqa: ANN401  (a JSON document)
    issues = json.loads(findings.as_gitlab(report))
    jsonschema.Draft202012Validator(SCHEMA).validate(issues)
    return issues


def test_one_issue_for_each_finding() -> None:
    report = CheckReport.of([NOTICE, ERROR], files=2, known=[ERROR._replace(line=2)])
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


def test_a_clean_report_is_an_empty_list() -> None:
    assert issues_of(CheckReport.of([], files=1, known=[ERROR])) == []


def test_no_two_findings_share_a_fingerprint() -> None:
    issues = issues_of(CheckReport.of([ERROR, ERROR._replace(line=20)], files=1))
    assert len({issue["fingerprint"] for issue in issues}) == 2


@given(st.binary(min_size=1, max_size=8).filter(lambda data: b"/" not in data))
def test_a_reader_takes_every_path(data: bytes) -> None:
    (issue,) = issues_of(CheckReport.of([ERROR._replace(path=f"x{decode(data)}")], files=1))
    assert issue["location"]["path"].encode("utf-8")


@pytest.mark.parametrize("level", ["warning", "error", ""])
def test_the_schema_refuses_other_levels(level: str) -> None:
    (issue,) = issues_of(CheckReport.of([ERROR], files=1))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([issue | {"severity": level}], SCHEMA)


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository with a committed duplicate."""
    repository.write(MEMORY, f"# Learnings\n\n{ENTRIES}")
    repository.commit()
    return repository


def checked(learnings: Command, folder: Path) -> dict[str, tuple[str, int]]:
    """Return the place of each duplicate by fingerprint, from a check."""
    run = learnings("check", "--format=gitlab", "--rule=duplicate-entry", cwd=folder)
    assert run.code == 1, run.err
    jsonschema.validate(run.json, SCHEMA)
    return {
        issue["fingerprint"]: (issue["location"]["path"], issue["location"]["lines"]["begin"])
        for issue in run.json
    }


def test_paths_start_at_the_root_wherever_the_command_runs(
    learnings: Command, memory: GitRepository
) -> None:
    places = checked(learnings, memory.path / "agents")
    assert [*places.values()] == [(MEMORY, 7)]


def test_a_fingerprint_survives_moved_lines(learnings: Command, memory: GitRepository) -> None:
    before = checked(learnings, memory.path)
    memory.write(MEMORY, f"# Learnings\n\n## When a cache is stale\n\nClear it.\n\n{ENTRIES}")
    after = checked(learnings, memory.path)
    assert [*before] == [*after]
    assert [line for _, line in after.values()] == [11]
