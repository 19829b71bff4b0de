from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitError, GitRepository

HOOK = Command("learnings-lossless")
FILE = "agents/learnings.md"
ARCHIVE = "agents/archive/learnings-consolidated-2026-03-02.md"
HEAD = "# Learnings\n\n"
HANGS = "## When a build hangs\n\nLook at the lock file of the package manager first.\n\n"
SLOW = "## When a test is slow\n\nProfile the fixture before you touch the assertion itself.\n\n"
NEW = "## When a branch adds\n\nIts entry has to be there after the merge of the branch.\n\n"
LOST = 'the entry "When a test is slow" is lost'


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write("README.md", "# Readme\n")
    repository.write(FILE, HEAD + HANGS + SLOW)
    repository.commit()
    return repository


def install(repository: GitRepository) -> None:
    program = Path(sysconfig.get_path("scripts")) / "learnings-lossless"
    for name in ("pre-commit", "pre-merge-commit"):
        path = repository.write(f".git/hooks/{name}", f"#!/bin/sh\nexec '{program}'\n")
        path.chmod(0o755)


def test_nothing_staged_is_said(memory: GitRepository) -> None:
    done = HOOK(cwd=memory.path)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "learnings: nothing is staged and no range is given, so there is nothing to compare\n"
    )


def test_what_is_staged_counts_and_not_what_is_on_disk(memory: GitRepository) -> None:
    memory.write(FILE, HEAD + HANGS)
    assert HOOK(cwd=memory.path).code == 0
    memory.git("add", "--all")
    memory.write(FILE, HEAD + HANGS + SLOW)
    done = HOOK(cwd=memory.path)
    assert (done.code, LOST in done.out) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["-i", FILE],
        *(
            pytest.param(words, marks=pytest.mark.soak)
            for words in (["-a"], [FILE], ["-a", "--amend"], ["--only", FILE])
        ),
    ],
)
def test_every_form_of_commit_is_refused(memory: GitRepository, arguments: list[str]) -> None:
    install(memory)
    memory.write(FILE, HEAD + HANGS)
    with pytest.raises(GitError, match="is lost"):
        memory.git("commit", "-q", "-m", "Lose", *arguments)
    memory.write(FILE, HEAD + HANGS + SLOW + NEW)
    memory.git("commit", "-q", "-m", "Keep", *arguments)


def branches(repository: GitRepository) -> None:
    """Make two branches: one adds an entry, the other changes another file."""
    repository.git("checkout", "-q", "-b", "other")
    repository.write(FILE, HEAD + HANGS + SLOW + NEW)
    repository.commit()
    repository.git("checkout", "-q", "-")
    repository.write("README.md", "# Read me\n")
    repository.commit()
    install(repository)


@pytest.mark.slow
def test_what_a_merge_drops_of_the_other_side_is_refused(memory: GitRepository) -> None:
    branches(memory)
    memory.git("merge", "-q", "--no-commit", "other")
    memory.git("checkout", "-q", "HEAD", "--", FILE)
    with pytest.raises(GitError, match='"When a branch adds" is lost'):
        memory.git("commit", "-q", "-m", "Merge")
    memory.git("merge", "--abort")
    with pytest.raises(GitError, match='"When a branch adds" is lost'):
        memory.git("merge", "-q", "-s", "ours", "--no-edit", "other")
    memory.git("reset", "-q", "--hard")
    memory.git("merge", "-q", "--no-edit", "other")
    assert NEW.strip().encode() in memory.read(FILE)


@pytest.mark.soak
def test_what_one_side_removed_may_leave_with_a_merge(memory: GitRepository) -> None:
    memory.git("checkout", "-q", "-b", "other")
    memory.write(FILE, HEAD + HANGS)
    memory.write(ARCHIVE, f"# Archive\n\n## Group: Tests\n\n{SLOW}")
    memory.commit()
    memory.git("rm", "-q", ARCHIVE)
    memory.commit()
    memory.git("checkout", "-q", "-")
    memory.write("README.md", "# Read me\n")
    memory.commit()
    install(memory)
    memory.git("merge", "-q", "--no-edit", "other")


def test_a_range_is_compared_where_a_framework_names_one(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = memory.git("rev-parse", "HEAD")
    memory.write("README.md", "# Read me\n")
    other = memory.commit()
    memory.write(FILE, HEAD + HANGS)
    memory.commit()
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", base)
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    done = HOOK(cwd=memory.path)
    assert (done.code, LOST in done.out) == (1, True)
    monkeypatch.setenv("PRE_COMMIT_TO_REF", other)
    assert HOOK(cwd=memory.path).code == 0


def test_what_a_branch_does_not_have_yet_is_lost_by_a_push_alone(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    branches(memory)
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "other")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    assert HOOK(cwd=memory.path).code == 0
    monkeypatch.setenv("PRE_COMMIT_LOCAL_BRANCH", "refs/heads/main")
    assert HOOK(cwd=memory.path).code == 1


def test_the_index_of_another_repository_is_not_meant(
    memory: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = GitRepository(tmp_path / "outer")
    outer.write("file", "")
    outer.commit()
    monkeypatch.setenv("GIT_INDEX_FILE", os.fspath(outer.path / ".git" / "index"))
    assert HOOK(cwd=memory.path).code == 0
