"""Processes of git that are read in the background."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from learnings.history.git import commands
from learnings.history.git.process import Background, GitFailed
from tests.support.repository import GitRepository


@pytest.fixture
def ended_at_once() -> Iterator[None]:
    """A tracer that ends each new thread before it has read anything."""
    before = threading.gettrace()

    def tracer(_frame: FrameType, _event: str, _argument: object) -> None:
        raise RuntimeError("this thread ends")

    threading.settrace(tracer)
    yield
    threading.settrace(before)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.usefixtures("ended_at_once")
def test_a_reader_that_ends_early_loses_nothing(repository: GitRepository) -> None:
    commits = [repository.commit(date=f"2026-01-0{day}") for day in range(1, 4)]
    arguments = ["log", "--format=%H", "HEAD"]
    printed = Background(arguments, repository.path).finish()
    assert printed.decode("ascii").split() == commits[::-1]
    chunks = Background(arguments, repository.path).chunks()
    assert b"".join(chunks).decode("ascii").split() == commits[::-1]


def test_what_git_is_given_while_it_runs(repository: GitRepository) -> None:
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"text\n")
    running = Background(commands.CAT_FILE, repository.path, interactive=True)
    running.write(f"{blob}\n".encode())
    assert running.finish() == f"{blob} blob 5\ntext\n\n".encode()


def test_git_that_takes_no_more_input(repository: GitRepository) -> None:
    running = Background(["cat-file", "--no-such-option"], repository.path, interactive=True)
    for _ in range(100):
        running.write(b"more than a pipe takes\n" * 1000)
    running._reader.join()
    running.write(b"more after its end\n")
    with pytest.raises(GitFailed, match="no-such-option"):
        running.finish()
