"""Git commands started on a guess save time and change no answer."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any

import pytest

from learnings.core.file_names import DEFAULT_FILE
from learnings.history.git import commands, process
from tests.history.memory import FILE, ages, day, keep, memory, run
from tests.support.repository import GitRepository

LS_FILES = "--no-literal-pathspecs"  # what the arguments of `git ls-files` begin with


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The arguments of every git process, in the order of their starts."""
    calls: list[tuple[str, ...]] = []
    popen = subprocess.Popen

    def recorded(words: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401
        if words[1:2] == ["--no-pager"]:  # not one of the tests themselves
            calls.append(tuple(words[2 + 2 * len(process.SETTINGS) :]))
        return popen(words, **options)

    monkeypatch.setattr(subprocess, "Popen", recorded)
    return calls


def test_a_right_guess_is_not_run_twice(
    repository: GitRepository, started: list[tuple[str, ...]]
) -> None:
    keep(repository, 0, memory("A", "B"))
    with commands.prefetching([FILE, "--format", "json"], repository.path):
        guessed = list(started)
        document = ages(repository)
    kinds = [arguments[0] for arguments in guessed]
    assert kinds == ["rev-parse", "cat-file", "log", "log", "diff-tree"]
    assert started == guessed
    assert [entry["added"] for entry in document["entries"]] == [day(0), day(0)]


def test_where_no_file_is_named_discovery_does_not_wait_either(
    repository: GitRepository, started: list[tuple[str, ...]]
) -> None:
    keep(repository, 0, memory("A", "B"), file=DEFAULT_FILE)
    run(repository, "ages", DEFAULT_FILE)  # from now on there is a cache
    started.clear()
    assert "2 entries" in run(repository, "ages", "--summary").out
    assert [arguments[0] for arguments in started] == ["rev-parse", "cat-file", LS_FILES]
    repository.write("learnings.toml", "line-limit = 10\n")  # it may name the files
    with commands.prefetching([], repository.path):
        assert len(process._prefetched) == 2


def test_a_wrong_guess_changes_nothing(repository: GitRepository) -> None:
    text = "# Learnings\n\n```\n## No entry\n```\n\n---\n\n## A\n\nSome words of it.\n"
    keep(repository, 0, text)
    keep(repository, 1, text + "\n## B\n\nOther words of that.\n")
    repository.write(FILE, repository.read(FILE) + b"\n## C\n\nNot committed.\n")
    plain = ages(repository)
    (repository.path / ".git" / "learnings" / "none").parent.mkdir(exist_ok=True)
    with commands.prefetching([FILE], repository.path):
        assert ages(repository) == plain


@pytest.mark.parametrize("words", [["--at", "HEAD", FILE], ["missing.md"], [FILE, "--replay"]])
def test_nothing_is_started_without_a_file(
    repository: GitRepository, started: list[tuple[str, ...]], words: list[str]
) -> None:
    keep(repository, 0, memory("A"))
    with commands.prefetching(words, repository.path):
        assert [arguments[0] for arguments in started] == []


def test_unused_processes_are_stopped(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    with commands.prefetching([FILE], repository.path):
        prefetched = list(process._prefetched.values())
        assert len(prefetched) == 5
    assert not process._prefetched
    assert all(git.returncode is not None for git in prefetched)
