"""Memories that an agent keeps in the home folder, outside a git repository."""

from __future__ import annotations

import json
import os
import re
import shlex
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


def test_a_consolidation_from_anywhere(
    local: Path, repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(local.parents[3])
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("USERPROFILE", home)
    before = (local / "clock.md").read_bytes()
    LEARNINGS("plan", "--all", "--output", "plan.md", str(local), cwd=repository.path)
    text = repository.read("plan.md").decode()
    repository.write("plan.md", re.sub(r"- keep[^`]*(`\w+` Clock)", r"- drop old \1", text))
    run = LEARNINGS("apply", "plan.md", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert (local / "archive/clock.md").read_bytes() == before
    (undo,) = re.findall(r"Undo: learnings (.*)", run.out)
    assert LEARNINGS(*shlex.split(undo), cwd=repository.path).code == 0
    assert (local / "clock.md").read_bytes() == before


RULE, MEMORY = "memory-not-loaded", "agents/learnings.md"
ENTRY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
IMPORT = f"@{MEMORY}\n"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository with a committed memory that nothing names."""
    repository.write(MEMORY, ENTRY)
    repository.commit()
    return repository


def paths_in(learnings: Command, folder: Path, *words: str, stdin: bytes = b"") -> list[str]:
    """Return the paths of the files that nothing names, from a check."""
    run = learnings("check", "--format=json", *words, cwd=folder, stdin=stdin)
    assert run.code in (0, 1), run.err
    return [finding["path"] for finding in run.json["findings"] if finding["rule"] == RULE]


def test_as_text_and_in_the_overview(learnings: Command, memory: GitRepository) -> None:
    run = learnings("check", cwd=memory.path)
    assert (run.code, run.err) == (0, "0 errors, 1 notice in 1 file\n")
    assert run.out.startswith(f"{MEMORY}:1:1: notice {RULE} no agent instructions import")
    assert learnings("check", "--strict", cwd=memory.path).code == 1
    assert f"1 notice in 1 file: {RULE}\n" in learnings(cwd=memory.path).out


@pytest.mark.parametrize("words", [[], [MEMORY]])
def test_instructions_count_whatever_is_checked(
    learnings: Command, memory: GitRepository, words: list[str]
) -> None:
    assert paths_in(learnings, memory.path, *words) == [MEMORY]
    memory.write("CLAUDE.md", IMPORT)
    assert paths_in(learnings, memory.path, *words) == []


def test_standard_input(learnings: Command, memory: GitRepository) -> None:
    words = ("--stdin-filename", "docs/lessons.md", "-")
    assert paths_in(learnings, memory.path, *words, stdin=ENTRY.encode()) == ["docs/lessons.md"]
    memory.write("CLAUDE.md", "@docs/lessons.md\n")
    assert paths_in(learnings, memory.path, *words, stdin=ENTRY.encode()) == []


def test_another_repository_has_its_own_instructions(
    learnings: Command, memory: GitRepository, tmp_path: Path
) -> None:
    other = GitRepository(tmp_path / "other")
    other.write(MEMORY, ENTRY)
    other.write("CLAUDE.md", IMPORT)
    path = other.path / MEMORY
    assert paths_in(learnings, memory.path, str(path), MEMORY) == [MEMORY]
    (other.path / "CLAUDE.md").unlink()
    run = learnings("check", str(path), cwd=memory.path)
    assert f"add `@{MEMORY}` to CLAUDE.md" in run.out


def test_what_is_no_memory_needs_no_name(learnings: Command, repository: GitRepository) -> None:
    paths = ("README.md", "tests/data/learnings.md", "docs/decisions/cli.md")
    for path in paths:
        repository.write(path, ENTRY)
    repository.write(MEMORY, "# Learnings\n\nMoved to docs/decisions.\n")
    assert paths_in(learnings, repository.path, MEMORY, *paths) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [("CLAUDE.md", IMPORT), (".claude/settings.json", '{"command": "learnings"}\n')],
)
def test_it_is_new_once_the_last_name_is_gone(
    learnings: Command, memory: GitRepository, path: str, text: str
) -> None:
    memory.write(path, text)
    memory.commit()
    assert paths_in(learnings, memory.path, "--since=HEAD") == []
    memory.write(path, "")
    assert paths_in(learnings, memory.path, "--since=HEAD") == [MEMORY]
    memory.commit()
    assert paths_in(learnings, memory.path, "--since=HEAD") == []
