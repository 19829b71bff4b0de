"""The history of the things that entries name, in ages, batch, due, plan and overview."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

learnings = Command("learnings")
pytestmark = pytest.mark.usefixtures("instructed")

MEMORY = "agents/learnings.md"
ENTRIES = """# Learnings

## When the cache hangs

Look into `src/cache.py`.

## When loading fails

Look into `src/gone.py`.

## When both fail

Look into `src/cache.py` and `src/gone.py`.

## When nothing is named

Look around.
"""


@pytest.fixture
def project(repository: GitRepository) -> GitRepository:
    """Return a repository whose code changed on two days, and was partly removed, long ago."""
    repository.write("src/cache.py", "1\n")
    repository.write("src/gone.py", "1\n")
    repository.write(MEMORY, ENTRIES)
    repository.commit(date="2026-01-01")
    repository.write("src/cache.py", "2\n")
    repository.commit(date="2026-01-02")
    repository.write("src/cache.py", "3\n")
    (repository.path / "src/gone.py").unlink()
    repository.commit(date="2026-01-03")
    repository.work("2026-01-04", 45)
    return repository


def document(repository: GitRepository, *words: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(learnings(*words, cwd=repository.path).out)
    return loaded


def test_ages_say_when_what_entries_name_was_changed(project: GitRepository) -> None:
    text = learnings("ages", "--used", cwd=project.path).out
    assert "- Its files and commands changed: on 2 active days, last on 2026-01-03\n" in text
    assert "- Its files and commands changed: on 1 active day, last on 2026-01-03\n" in text
    assert "- Its files and commands changed: not known\n" in text
    rows = document(project, "ages", "--used", "--format=json")["entries"]
    cache = {"active_days": 2, "last": "2026-01-03", "idle": 45}
    assert [row["used"] for row in rows] == [cache, {**cache, "active_days": 1}, cache, None]
    rows = document(project, "ages", "--format=json")["entries"]
    assert {row["used"] for row in rows} == {None}
    assert learnings("ages", "--used", "--summary", cwd=project.path).code == 2


def test_what_changed_before_the_entry_or_on_its_day_does_not_count(project: GitRepository) -> None:
    project.write("src/cache.py", "4\n")
    project.write(MEMORY, ENTRIES + "\n## When new\n\nLook into `src/cache.py`.\n")
    project.commit(date="2026-02-20")
    project.work("2026-02-21", 3)
    row = document(project, "ages", "--used", "--format=json")["entries"][-1]
    assert row["used"] == {"active_days": 0, "last": None, "idle": 3}
    text = learnings("ages", "--used", cwd=project.path).out
    assert "commands changed: never, for 3 active days" in text


def test_the_batch_says_what_speaks_for_looking(project: GitRepository) -> None:
    text = learnings("batch", cwd=project.path).out
    unchanged = "its files and commands did not change for 45 active days"
    assert f"added 2026-01-01, {unchanged} -->\n## When the cache" in text
    assert f"all references dead, {unchanged} -->\n## When loading" in text
    assert f"1 of 2 references dead, {unchanged} -->\n## When both" in text
    rows = document(project, "batch", "--format=json")["entries"]
    counts = [(row["references"]["known"], row["references"]["dead"]) for row in rows]
    assert counts == [(1, 0), (1, 1), (2, 1)]
    assert rows[0]["used"]["idle"] == 45


def test_due_marks_entries_whose_references_are_dead(project: GitRepository) -> None:
    words = "due", "--size-trigger=5"
    text = learnings(*words, cwd=project.path).out
    assert "When loading fails (line 7, all references dead)" in text
    assert "When both fail (line 11, 1 of 2 references dead)" in text
    assert "all references dead" in learnings(*words, "--format=markdown", cwd=project.path).out
    (file,) = document(project, *words, "--format=json")["files"]
    assert [row["references"]["dead"] for row in file["batch"]] == [0, 1, 1]
    never = "--size-trigger=1000", "--staleness-trigger=1000"
    (file,) = document(project, "due", *never, "--format=json")["files"]
    assert [row["references"] for row in file["batch"]] == [None, None, None]


def test_a_plan_says_what_was_never_near_the_work(project: GitRepository) -> None:
    text = learnings("plan", MEMORY, "--only", "When the cache hangs", cwd=project.path).out
    assert "  > its files and commands did not change for 45 active days\n" in text
    assert "- keep `" in text  # evidence, and no verdict


def test_overview_and_report_count_dead_references(project: GitRepository) -> None:
    said = "2 of 4 references are dead"
    assert f"refs      {said}" in learnings(cwd=project.path).out
    report = document(project, "report", "--format=json")
    assert report["references"] == {"known": 4, "dead": 2}
    learnings("report", cwd=project.path)
    assert said in project.read("tmp/learnings-report.html").decode()
    project.write("learnings.toml", '[rules]\ndead-reference = "off"\n')
    assert "refs " not in learnings(cwd=project.path).out
