from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitError, GitRepository

HOOK = Command("learnings-lossless")
FILE, TARGET = "agents/learnings.md", "agents/decisions/tests.md"
ARCHIVE = "agents/archive/learnings-consolidated-2026-03-02.md"
HEAD = "# Learnings\n\n"
HANGS = "## When a build hangs\n\nLook at the lock file of the package manager first.\n\n"
SLOW = "## When a test is slow\n\nProfile the fixture before you touch the assertion itself.\n\n"
MERGED = (
    "## Tests (consolidated)\n\n**Consolidated from**: 2 entries (2026-03-01)\n\n"
    "- When a test is slow: profile the fixture before you touch the assertion itself.\n"
)
REWORDED = "## Tests\n\nProfile the fixture before you touch the assertion.\n"
COPY = f"# Archive\n\n## Group: Tests\n\n{SLOW}"
LEAVES = (
    'the entry "When a test is slow" leaves the file (was on line 7 of agents/learnings.md), '
    f"but its archive {ARCHIVE} is not committed with it"
)
ADVICE = f"Commit the archive with it:\n    git add -- {ARCHIVE}\n"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, HEAD + HANGS + SLOW)
    repository.write(TARGET, "# Tests\n")
    repository.commit()
    return repository


CHANGES: dict[str, dict[str, str | None]] = {
    "dropped": {FILE: HEAD + HANGS},
    "covered": {FILE: HEAD + HANGS + MERGED},
    "reworded": {FILE: HEAD + HANGS + REWORDED},
    "moved": {FILE: HEAD + HANGS, TARGET: f"# Tests\n\n{SLOW}"},
    "emptied": {FILE: HEAD + HANGS + "## When a test is slow\n"},
    "deleted with its file": {FILE: None, TARGET: f"# Tests\n\n{HANGS}"},
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_leaves_without_its_archive_is_refused(memory: GitRepository, name: str) -> None:
    for path, text in CHANGES[name].items():
        if text is None:
            (memory.path / path).unlink()
        else:
            memory.write(path, text)
    memory.git("add", "--all")
    memory.write(ARCHIVE, COPY)
    done = HOOK(cwd=memory.path)
    assert done.code == 1
    assert LEAVES in done.out
    assert ADVICE in done.out
    assert "learnings archive" not in done.out
    memory.git("add", ARCHIVE)
    done = HOOK(cwd=memory.path)
    assert (done.code, "notice" in done.out) == (0, False), done.out


def test_an_archive_that_is_staged_in_an_older_form_is_not_the_one(memory: GitRepository) -> None:
    memory.write(ARCHIVE, "# Archive\n")
    memory.write(FILE, HEAD + HANGS + MERGED)
    memory.git("add", "--all")
    memory.write(ARCHIVE, COPY)
    done = HOOK(cwd=memory.path)
    assert (done.code, LEAVES in done.out) == (1, True)


def test_an_archive_that_git_ignores_is_explained(
    memory: GitRepository, learnings: Command
) -> None:
    memory.write(".gitignore", "archive/\n")
    memory.write(ARCHIVE, COPY)
    memory.write(FILE, HEAD + HANGS + MERGED)
    memory.git("add", "--all")
    reason = (
        f"{LEAVES}: git ignores it (.gitignore:1: archive/); add the line !/agents/archive/ at "
        "the end of .gitignore"
    )
    for done in (HOOK(cwd=memory.path), learnings("verify", "--base", "HEAD", cwd=memory.path)):
        assert (done.code, reason in done.out) == (1, True), done.out
    memory.write(".gitignore", "archive/\n!/agents/archive/\n")
    memory.git("add", "--all")
    assert HOOK(cwd=memory.path).code == 0


def test_a_commit_without_its_archive_is_found_later(
    memory: GitRepository, learnings: Command
) -> None:
    memory.write(FILE, HEAD + HANGS + MERGED)
    memory.commit()
    memory.write(ARCHIVE, COPY)
    words = "verify", "--base", "HEAD~1", "--head"
    done = learnings(*words, "HEAD", cwd=memory.path)
    assert (done.code, LEAVES in done.out) == (1, True)
    memory.write("README.md", "# Readme\n")
    memory.git("add", "README.md")
    memory.commit(all=False)
    other = learnings("verify", "--base", "HEAD~2", "--head", "HEAD~1", cwd=memory.path)
    assert (other.code, "notice: " in other.out) == (0, True)
    memory.commit()
    assert learnings("verify", "--base", "HEAD~3", "--head", "HEAD", cwd=memory.path).code == 0


def test_an_archive_that_holds_nothing_of_it_changes_nothing(memory: GitRepository) -> None:
    memory.write(FILE, HEAD + HANGS + MERGED)
    memory.git("add", "--all")
    memory.write(ARCHIVE, COPY.replace("Profile", "Measure"))
    (memory.path / ARCHIVE).with_name("learnings-consolidated-2026-03-03.md").mkdir()
    done = HOOK(cwd=memory.path)
    assert (done.code, "is in no archive; agents/learnings.md:7 covers" in done.out) == (0, True)


@pytest.mark.slow
def test_a_commit_of_named_paths_leaves_a_staged_archive_out(memory: GitRepository) -> None:
    program = Path(sysconfig.get_path("scripts")) / "learnings-lossless"
    memory.write(".git/hooks/pre-commit", f"#!/bin/sh\nexec '{program}'\n").chmod(0o755)
    memory.write(FILE, HEAD + HANGS + MERGED)
    memory.write(ARCHIVE, COPY)
    memory.git("add", "--all")
    with pytest.raises(GitError, match="commits only the named paths; name the archive too"):
        memory.git("commit", "-q", "-m", "Consolidate", FILE)
    memory.git("commit", "-q", "-m", "Consolidate", FILE, ARCHIVE)
