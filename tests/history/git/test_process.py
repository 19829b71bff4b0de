"""Processes of git that are read in the background."""

from __future__ import annotations

import pytest

from learnings.history.git import commands
from learnings.history.git.process import Background, GitFailed, read_to_end, start
from tests.support.repository import GitRepository


def test_output_comes_in_blocks_and_errors_at_the_end(repository: GitRepository) -> None:
    commit = repository.commit()
    printed: list[bytes] = []
    errors = read_to_end(start(["rev-parse", "HEAD"], repository.path), printed.append)
    assert (b"".join(printed), printed[-1], errors) == (f"{commit}\n".encode(), b"", b"")
    errors = read_to_end(start(["rev-parse", "none"], repository.path), printed.append)
    assert b"unknown revision" in errors


def test_output_ends_where_reading_it_fails(repository: GitRepository) -> None:
    repository.commit()
    printed: list[bytes] = []

    def put(block: bytes) -> None:
        printed.append(block)
        assert not block, "this block is lost"

    process = start(["rev-parse", "HEAD"], repository.path)
    with pytest.raises(AssertionError, match="lost"):
        read_to_end(process, put)
    process.wait()
    assert len(printed) == 2
    assert printed[-1] == b""


def test_what_git_is_given_while_it_runs(repository: GitRepository) -> None:
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"text\n")
    running = Background(start(commands.CAT_FILE, repository.path, interactive=True))
    running.write(f"{blob}\n".encode())
    assert running.finish() == f"{blob} blob 5\ntext\n\n".encode()


def test_git_that_takes_no_more_input(repository: GitRepository) -> None:
    arguments = ["cat-file", "--no-such-option"]
    running = Background(start(arguments, repository.path, interactive=True))
    for _ in range(100):
        running.write(b"more than a pipe takes\n" * 1000)
    running._reader.join()
    running.write(b"more after its end\n")
    with pytest.raises(GitFailed, match="no-such-option"):
        running.finish()
