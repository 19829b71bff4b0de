"""Commits that the tests make without a process are those that git would make."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import repository as module
from tests.support.repository import NotPlainError

GitRepository = module.GitRepository
Tree = dict[str, str | bytes]
NOON = "2026-03-01T12:00:00 +0000"
# Each is the whole work tree; a name that ends in * is executable.
TREES: list[Tree] = [
    {"a": "text\n"},
    {"a": "other\n", "b/c": b"\xff\0\r\n", "b.c": "", "b0": "x", "b-": "x", "tool*": "#!/bin/sh\n"},
    {"a/b/c": "a file became a folder\n", "tool": "#!/bin/sh\n", "ümläut/größe.md": "ä\n"},
    {"/".join(["folder-with-a-long-name"] * 9): "1", **{f"n{i}": "" for i in range(9)}},
    {},
]
MESSAGES = ["Change", "Subject\nof two lines", "Größe\n\nA body:\n- one\n\n  two", "# no comment"]
AUTHORS = [None, "B <b@x.y>", "dependabot[bot] <1+a[bot]@users.example>", "Zoë O'Neil III <z@z.z>"]
DATES = [NOON, "2026-03-01T23:30:00 -0800", "2025-12-31T23:59:59 +0545"]


def replace_tree(path: Path, tree: Tree) -> None:
    for old in path.iterdir():
        if old.is_dir() and old.name != ".git":
            shutil.rmtree(old)
        elif not old.is_dir():
            old.unlink()
    for name, content in tree.items():
        target = path / name.removesuffix("*")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        target.chmod(0o755 if name.endswith("*") else 0o644)


def state(repository: GitRepository) -> dict[str, str]:
    """Return git's view of a repository; `diff-files` compares the times in the index."""
    questions = {
        "commit": ["cat-file", "commit", "HEAD"],
        "index": ["ls-files", "--stage", "-v"],
        "changed files": ["diff-files"],
        "status": ["status", "--porcelain=v2", "--branch"],
        "faults": ["fsck", "--strict", "--no-dangling"],
    }
    return {name: repository.git(*question) for name, question in questions.items()}


def test_they_are_those_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = (GitRepository(tmp_path / name) for name in ("ours", "theirs"))
    for number, tree in enumerate(TREES):
        message, date = MESSAGES[number % 4], DATES[number % 3]
        author = AUTHORS[number % 4]
        for repository in (ours, theirs):
            if number == 3:
                repository.git("symbolic-ref", "HEAD", "refs/heads/topic/one")
            replace_tree(repository.path, tree)
        with monkeypatch.context() as patch:
            patch.setenv("PATH", "")  # no git
            ours.commit(message, author=author, date=date, committer_date=NOON)
        theirs.git("add", "--all")
        theirs.commit(message, author=author, date=date, committer_date=NOON, all=False)
        assert state(ours) == state(theirs), f"tree {number}"


def test_a_change_within_the_same_moment_is_seen(repository: GitRepository) -> None:
    repository.write("a", "one\n")
    repository.commit()
    status = (repository.path / "a").stat()
    repository.write("a", "two\n")
    os.utime(repository.path / "a", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert repository.git("status", "--porcelain") == " M a"


UNPLAIN: dict[str, Callable[[GitRepository], object]] = {
    "ignore file": lambda made: made.write("deep/.gitignore", "left\n"),
    "symbolic link": lambda made: (made.path / "link").symlink_to("left"),
    "repository inside": lambda made: GitRepository(made.path / "inside"),
    "setting": lambda made: made.git("config", "core.autocrlf", "true"),
    "hook": lambda made: (made.path / ".git/hooks").mkdir(),
    "merge": lambda made: made.write(".git/MERGE_HEAD", ""),
    "no branch": lambda made: made.git("checkout", "--quiet", "--detach"),
    "name": lambda made: made.write("\udcff", ""),
}


def test_the_unusual_is_left_to_git(tmp_path: Path) -> None:
    def refuses(made: GitRepository, message: str, author: str | None, date: str) -> bool:
        try:
            made._write_commit(message, author, module.dates(date, None))
        except NotPlainError:
            return True
        return False

    for name, change in UNPLAIN.items():
        made = GitRepository(tmp_path / name)
        made.write("first", "")
        made.commit()
        assert not refuses(made, "Change", None, NOON), name
        change(made)
        assert refuses(made, "Change", None, NOON), name
    plain = GitRepository(tmp_path / "plain")
    for message in ("", "a\n", "a \nb", "a\n\n\nb", "\na", "a\0", "\udcff"):
        assert refuses(plain, message, None, NOON), message
    for author in ("no mail", ".B <b@x.y>", "B <>"):
        assert refuses(plain, "Change", author, NOON), author
    for date in ("yesterday", "1969-12-31T12:00:00 +0000"):
        assert refuses(plain, "Change", None, date), date
