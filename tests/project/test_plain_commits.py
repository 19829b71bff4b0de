"""Commits that are written without git are those that git would make."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.plain_commits import NotPlainError, write_commit
from tests.support.repository import GitRepository, dates

Tree = dict[str, str | bytes]
PERSON = "Ada Tester <ada@example.invalid>"
NOON = "2026-03-01T12:00:00 +0000"
LONG = "/".join(["folder-with-a-long-name"] * 9)
# Each is the whole work tree; a name that ends in * is executable.
TREES: list[Tree] = [
    {"a": "text\n"},
    {"a": "other\n", "b/c": b"\xff\0\r\n", "b.c": "", "b0": "x", "b-": "x", "tool*": "#!/bin/sh\n"},
    {"a/b/c": "a file became a folder\n", "tool": "#!/bin/sh\n"},
    {
        "ümläut/größe.md": "ä\n",
        "with space": "",
        f"{LONG}/deep": "1",
        **{f"n{i}": "" for i in range(9)},
    },
    {"same": "1\n"},
    {"same": "2\n"},
    {"same": "2\n"},
    {},
]
MESSAGES = ["Change", "Subject\nof two lines", "Größe\n\nA body:\n- one\n\n  two", "# no comment"]
AUTHORS = [
    PERSON,
    "B <b@x.y>",
    "dependabot[bot] <1+a[bot]@users.example>",
    "Zoë O'Neil Jr. III <z@z.z>",
]
DATES = [
    NOON,
    "2026-03-01T23:30:00 -0800",
    "2025-12-31T23:59:59 +0545",
    "2038-02-01T00:00:00 +1400",
]


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


def configuration(repository: GitRepository) -> bytes:
    return (repository.path / ".git" / "config").read_bytes()


def write(
    repository: GitRepository, message: str, author: str, date: str, *, config: bytes = b""
) -> str:
    return write_commit(
        repository.path,
        message,
        config=config or configuration(repository),
        author=author,
        committer=PERSON,
        dates=(date, NOON),
    )


def state(repository: GitRepository) -> dict[str, str]:
    """Return git's view of a repository; `diff-files` compares the times in the index."""
    questions = {
        "commit": ["cat-file", "commit", "HEAD"],
        "index": ["ls-files", "--stage", "-v"],
        "reflog of HEAD": ["reflog", "show", "--format=%H %gs %gn %gd", "--date=raw", "HEAD"],
        "reflog of the branch": ["reflog", "show", "--format=%H %gs", "--date=raw", "@{0}"],
        "changed files": ["diff-files"],
        "status": ["status", "--porcelain=v2", "--branch"],
        "faults": ["fsck", "--strict", "--no-dangling"],
    }
    return {name: repository.git(*question) for name, question in questions.items()}


def test_they_are_those_of_git(tmp_path: Path) -> None:
    ours, theirs = (GitRepository(tmp_path / name) for name in ("ours", "theirs"))
    for number, tree in enumerate(TREES):
        message, author, date = (
            values[number % len(values)] for values in (MESSAGES, AUTHORS, DATES)
        )
        if number == 3:
            for repository in (ours, theirs):
                # With a date, which the reflog keeps: the clock may tick between the two.
                repository.git("switch", "--quiet", "--create", "topic/one", env=dates(NOON, NOON))
        for repository in (ours, theirs):
            replace_tree(repository.path, tree)
        write(ours, message, author, date)
        theirs.git("add", "--all")
        how = ("--allow-empty", "--no-verify", f"--message={message}", f"--author={author}")
        theirs.git("commit", "--quiet", *how, env=dates(date, NOON))
        assert state(ours) == state(theirs), f"tree {number}"


def test_a_change_within_the_same_moment_is_seen(repository: GitRepository) -> None:
    repository.write("a", "one\n")
    repository.commit()
    status = (repository.path / "a").stat()
    repository.write("a", "two\n")
    os.utime(repository.path / "a", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert repository.git("status", "--porcelain") == " M a"


def unplain_files(repository: GitRepository) -> dict[str, Callable[[], object]]:
    git = repository.path / ".git"
    return {
        "ignore file": lambda: repository.write("deep/.gitignore", "left\n"),
        "attributes": lambda: repository.write(".gitattributes", "* text\n"),
        "symbolic link": lambda: (repository.path / "link").symlink_to("left"),
        "pipe": lambda: os.mkfifo(repository.path / "pipe"),
        "repository inside": lambda: GitRepository(repository.path / "inside"),
        "refused name": lambda: repository.write("git~1", ""),
        "setting": lambda: repository.git("config", "core.autocrlf", "true"),
        "hook": (git / "hooks").mkdir,
        "rules of the clone": lambda: repository.write(".git/info/exclude", "left\n"),
        "merge": lambda: repository.write(".git/MERGE_HEAD", ""),
        "packed references": lambda: repository.git("pack-refs", "--all"),
        "untouched file": lambda: repository.git("update-index", "--skip-worktree", "first"),
        "no branch": lambda: repository.git("checkout", "--quiet", "--detach"),
        "symbolic branch": lambda: (
            repository.git("symbolic-ref", "refs/heads/s", "refs/heads/main")
            + repository.git("symbolic-ref", "HEAD", "refs/heads/s")
        ),
        "worktree": lambda: repository.write(".git/config.worktree", ""),
    }


def test_what_is_not_plain_is_left_to_git(tmp_path: Path) -> None:
    failures = []
    for name in unplain_files(GitRepository(tmp_path / "names")):
        repository = GitRepository(tmp_path / name)
        repository.write("first", "")
        repository.commit()
        repository.write("left", "")
        config = configuration(repository)
        unplain_files(repository)[name]()
        try:
            write(repository, "Change", PERSON, NOON, config=config)
        except NotPlainError:
            continue
        failures.append(name)
    assert failures == []


def test_what_is_said_in_another_way_is_left_to_git(repository: GitRepository) -> None:
    cases = [
        *(
            (message, PERSON, NOON)
            for message in ("", "a\n", "a \nb", "a\n\n\nb", "\na", "a\0", "\udcff")
        ),
        *(("Change", author, NOON) for author in ("no mail", ".B <b@x.y>", "B. <b@x.y>", "B <>")),
        *(
            ("Change", PERSON, date)
            for date in ("yesterday", "1969-12-31T12:00:00 +0000", "@0 +0000")
        ),
    ]
    failures = []
    for case in cases:
        try:
            write(repository, *case)
        except NotPlainError:
            continue
        failures.append(case)
    assert failures == []


def test_settings_of_the_user_are_left_to_git(
    repository: GitRepository,
    global_git_config: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    repository.write("left.log", "")
    with global_git_config.open("a", encoding="utf-8") as file:
        file.write("[core]\n\texcludesFile = /nowhere\n")
    with pytest.raises(NotPlainError):
        write(repository, "Change", PERSON, NOON)
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "ignore").write_text("*.log\n", encoding="utf-8")
    with pytest.raises(NotPlainError):
        write(repository, "Change", PERSON, NOON)
    repository.commit()
    assert repository.git("ls-files") == ""


def test_a_commit_starts_git_only_where_it_has_to(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("a", "")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        repository.commit()
    repository.write(".gitignore", "b\n")
    repository.write("b", "")
    repository.commit()
    assert repository.git("ls-files").split() == [".gitignore", "a"]
