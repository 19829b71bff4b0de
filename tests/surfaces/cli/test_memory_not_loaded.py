"""The notice `memory-not-loaded`, wherever findings are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

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
