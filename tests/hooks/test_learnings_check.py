"""The hook `learnings-check`, as installed and as git runs it."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitError, GitRepository

pytestmark = pytest.mark.usefixtures("instructed")

HOOK = Command("learnings-check")
GOOD = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
BAD = f"{GOOD}\n## When a build hangs\n\nKill it.\n"
SCRIPT = """\
#!/bin/sh
git diff --cached --name-only --diff-filter=ACMR -z -- '*.md' | xargs -0 {command}
"""


def install(repository: GitRepository, command: Path) -> None:
    """Make the command a plain pre-commit hook, without any framework."""
    hooks = repository.path / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    script = hooks / "pre-commit"
    script.write_text(SCRIPT.format(command=shlex.quote(str(command))))
    script.chmod(0o755)


@pytest.mark.parametrize(
    ("path", "source", "code"),
    [
        ("agents/learnings.md", BAD, 1),
        ("agents/learnings.md", GOOD, 0),
        (".claude/lessons.md", BAD, 1),
        ("learnings.md", "no entry and no newline", 0),
        ("README.md", BAD, 0),
        ("docs/decisions/cli.md", BAD, 0),
        ("notes/learnings.md", BAD, 0),
        ("CHANGELOG.md", "no newline", 0),
    ],
)
def test_only_learnings_files_are_looked_at(
    repository: GitRepository, path: str, source: str, code: int
) -> None:
    repository.write(path, source)
    done = HOOK(path, cwd=repository.path)
    assert done.code == code
    assert (done.out == "", done.err == "") == (not code, not code)


def test_arguments_before_the_files(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", GOOD + "text\n" * 80)
    assert HOOK("agents/learnings.md", cwd=repository.path).code == 0
    assert HOOK("--strict", "agents/learnings.md", cwd=repository.path).code == 1
    assert HOOK("--no-such-option", "agents/learnings.md", cwd=repository.path).code == 2


def test_wrong_configuration_is_one_sentence(repository: GitRepository) -> None:
    repository.write("learnings.toml", "line-limt = 1\n")
    repository.write("agents/learnings.md", GOOD)
    done = HOOK("agents/learnings.md", cwd=repository.path)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "learnings.toml:1" in done.err


def test_commit_is_stopped_and_let_through(repository: GitRepository) -> None:
    install(repository, HOOK.path)
    repository.write("agents/learnings.md", BAD)
    repository.write("README.md", "no newline")
    repository.git("add", "--all")
    with pytest.raises(GitError, match="duplicate-entry"):
        repository.git("commit", "--quiet", "--message=Bad")
    assert repository.read("agents/learnings.md") == BAD.encode()
    repository.write("agents/learnings.md", GOOD)
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message=Good")
    assert repository.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_commit_with_an_index_of_its_own(repository: GitRepository, tmp_path: Path) -> None:
    repository.write("agents/learnings.md", GOOD)
    repository.commit()
    linked = repository.worktree(tmp_path / "linked", branch="side")
    install(repository, HOOK.path)
    for checkout in (repository, linked):
        checkout.write("agents/learnings.md", BAD)
        for how in (["--all"], ["agents/learnings.md"]):
            with pytest.raises(GitError, match="duplicate-entry"):
                checkout.git("commit", "--quiet", "--message=Bad", *how)
