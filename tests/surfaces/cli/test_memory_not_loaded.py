"""The notice `memory-not-loaded`, wherever findings are shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

Hook = Callable[[str], Command]
RULE, MEMORY = "memory-not-loaded", "agents/learnings.md"
ENTRY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
IMPORT = f"@{MEMORY}\n"
MESSAGE = (
    "no agent instructions import or mention this file, so agents do not read it; "
    f"add `@{MEMORY}` to CLAUDE.md, or name it in AGENTS.md"
)


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
    assert run.out == f"{MEMORY}:1:1: notice {RULE} {MESSAGE}\n"
    assert learnings("check", "--strict", cwd=memory.path).code == 1
    assert f"1 notice in 1 file: {RULE}\n" in learnings(cwd=memory.path).out


@pytest.mark.parametrize("words", [[], [MEMORY], ["--role=learnings"]])
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


def test_the_hook_with_file_names(hook: Hook, memory: GitRepository) -> None:
    check = hook("learnings-check")
    run = check(MEMORY, cwd=memory.path)
    assert (run.code, run.out) == (0, f"{MEMORY}:1:1: notice {RULE} {MESSAGE}\n")
    assert check("--strict", MEMORY, cwd=memory.path).code == 1
    memory.write("AGENTS.md", f"Append to `{MEMORY}`.\n")
    assert check("--strict", MEMORY, cwd=memory.path).code == 0


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


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (MEMORY, "# Learnings\n\nMoved to docs/decisions.\n"),
        ("README.md", "# Parcels\n\n## Install\n\nRun it.\n"),
        ("tests/data/learnings.md", ENTRY),
        ("docs/decisions/cli.md", ENTRY),
    ],
)
def test_what_is_no_memory_needs_no_name(
    learnings: Command, repository: GitRepository, path: str, text: str
) -> None:
    repository.write(path, text)
    assert paths_in(learnings, repository.path, path) == []


def test_outside_of_a_repository(learnings: Command, tmp_path: Path) -> None:
    (tmp_path / "learnings.md").write_text(ENTRY)
    assert paths_in(learnings, tmp_path) == []


def test_every_memory_of_a_monorepo(learnings: Command, memory: GitRepository) -> None:
    for package in ("api", "web"):
        memory.write(f"packages/{package}/package.json", "{}\n")
        memory.write(f"packages/{package}/learnings.md", ENTRY)
    memory.write("packages/api/CLAUDE.md", "@learnings.md\n")
    memory.commit()
    assert paths_in(learnings, memory.path) == [MEMORY, "packages/web/learnings.md"]


def test_the_baseline_knows_it(learnings: Command, memory: GitRepository) -> None:
    learnings("baseline", cwd=memory.path)
    assert paths_in(learnings, memory.path) == []
    memory.write(MEMORY, f"\n{ENTRY}")
    assert paths_in(learnings, memory.path) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("CLAUDE.md", IMPORT),
        (".cursorrules", f"Read {MEMORY}.\n"),
        (".claude/settings.json", '{"command": "learnings"}\n'),
    ],
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
