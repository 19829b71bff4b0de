"""Memories that an agent keeps in the home folder, outside a git repository."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.schemas import validate

LEARNINGS = Command("learnings")
PLACE = ".claude/projects/-home-me-shop/memory"


@pytest.fixture
def local(tmp_path: Path) -> Path:
    """Return a memory folder with two files, one dated, and an index with a dead row."""
    folder = tmp_path / "home" / PLACE
    folder.mkdir(parents=True)
    (folder / "clock.md").write_text("---\nname: Clock\n---\n\nFreeze it.\n", encoding="utf-8")
    (folder / "locks.md").write_text(
        "---\nname: Locks\ndate: 2026-01-05\n---\n\nLook at them first.\n", encoding="utf-8"
    )
    (folder / "MEMORY.md").write_text("# Memory\n\n- [Clock](clock.md)\n- [Gone](gone.md)\n")
    os.utime(folder / "clock.md", (1_770_000_000, 1_770_000_000))  # 2 February 2026
    return folder


def test_a_check_from_anywhere(local: Path, repository: GitRepository) -> None:
    for cwd, words in ((repository.path, [str(local)]), (local, ["."]), (local, [])):
        run = LEARNINGS("check", *words, cwd=cwd)
        assert run.code == 1
        assert re.findall(r"(?:error|notice) (\S+)", run.out) == [
            "index-missing-file",
            "index-missing-row",
        ], cwd
    assert (
        f"{local}/MEMORY.md:4:1: error" in LEARNINGS("check", str(local), cwd=repository.path).out
    )


def test_other_folders_outside_stay_refused(local: Path, repository: GitRepository) -> None:
    for folder in (local.parent, local.parents[3]):
        run = LEARNINGS("check", str(folder), cwd=repository.path)
        assert (run.code, "is outside of the repository" in run.err) == (2, True)


def test_dates_are_shown_as_what_they_are(local: Path) -> None:
    text = LEARNINGS("ages", str(local), cwd=local).out
    assert "**Note:** not in a git repository: dates come from the text or the file times" in text
    document = json.loads(LEARNINGS("ages", str(local), "--format", "json", cwd=local).out)
    validate(document, "ages")
    assert [(e["title"], e["added"], e["basis"]) for e in document["entries"]] == [
        ("Clock", "2026-02-02", "file-time"),
        ("Locks", "2026-01-05", "stated-date"),
    ]
    assert {e["active_days"] for e in document["entries"]} == {None}


def test_nothing_triggers(local: Path) -> None:
    run = LEARNINGS("due", str(local), cwd=local)
    assert (run.code, run.out) == (2, "")
    assert "is not in a git repository, so nothing triggers a consolidation" in run.err


def test_a_consolidation_without_history(local: Path) -> None:
    plan = LEARNINGS("plan", "--all", "--output", "plan.md", str(local), cwd=local)
    assert plan.code == 0
    text = (local / "plan.md").read_text(encoding="utf-8")
    edited = re.sub(r"- keep[^`]*(`\w+` Clock)", r"- drop old \1", text)
    (local / "plan.md").write_text(edited, encoding="utf-8")
    before = (local / "clock.md").read_bytes()
    run = LEARNINGS("apply", "plan.md", cwd=local)
    assert (run.code, run.err) == (0, "")
    assert "commit" not in run.out
    assert (local / "archive/clock.md").read_bytes() == before
    assert (local / "MEMORY.md").read_text(encoding="utf-8") == "# Memory\n\n- [Gone](gone.md)\n"
    assert LEARNINGS("archive", "--restore", "Clock", "--file", str(local), cwd=local).code == 0
    assert (local / "clock.md").read_bytes() == before
