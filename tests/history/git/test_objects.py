"""Objects as git hands them over, those of a hostile history too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UntrustedHistory
from learnings.history.git import commands
from learnings.history.git.objects import ObjectReader
from learnings.history.git.process import Background, GitFailed, start
from learnings.history.git.repository import current_branch
from learnings.history.git.tracked import committed_blobs
from tests.support.repository import GitRepository

FIRST = [b"0", b"1", b"2", b"3", b"4"]
GIANT = b"0" * (LARGEST_FILE + 100_000)


@pytest.fixture
def repository(repository: GitRepository) -> GitRepository:
    repository.write("giant.md", GIANT)
    repository.write("small.md", "small\n")
    repository.commit()
    return repository


def test_no_more_than_a_memory_file_is_kept_of_a_giant(repository: GitRepository) -> None:
    names = [f"HEAD:{name}" for name in ("giant.md", "gone.md", "small.md", "giant.md")]
    with ObjectReader(repository.path) as reader:
        reader.prefetch(names)
        contents = [git_object and git_object.content for git_object in map(reader.get, names)]
    assert contents == [GIANT[: LARGEST_FILE + 1], None, b"small\n", GIANT[: LARGEST_FILE + 1]]


def test_what_is_no_longer_in_memory_is_read_again(repository: GitRepository) -> None:
    for number in range(5):
        repository.write(f"giant{number}.md", str(number).encode() + GIANT)
    repository.commit()
    ids = [repository.git("rev-parse", f"HEAD:giant{number}.md").strip() for number in range(5)]
    with ObjectReader(repository.path) as reader:
        contents = [reader.get(name) for name in [*ids, *ids]]
    assert [git_object and git_object.content[:1] for git_object in contents] == FIRST * 2


def test_the_same_of_what_a_commit_holds(repository: GitRepository) -> None:
    paths = ["giant.md", "gone.md", "small.md"]
    blobs = committed_blobs(repository.path, paths, rev="HEAD")
    assert blobs == {"giant.md": GIANT[: LARGEST_FILE + 1], "small.md": b"small\n"}


def test_an_object_that_ends_early_is_an_error(repository: GitRepository) -> None:
    blob = repository.git("rev-parse", "HEAD:giant.md")
    path = repository.path / ".git" / "objects" / blob[:2] / blob[2:]
    data = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(data[: len(data) // 2])
    # Git begins to print a blob of that size before it has looked at all of it.
    repository.git("config", "core.bigFileThreshold", "1m")
    with ObjectReader(repository.path) as reader, pytest.raises(UntrustedHistory):
        reader.get("HEAD:giant.md")
    with pytest.raises(UntrustedHistory):
        committed_blobs(repository.path, ["giant.md"], rev="HEAD")


def test_the_branch_that_is_checked_out(repository: GitRepository) -> None:
    repository.write("dir/a.md", "x\n")
    repository.commit()
    repository.branch("feature")
    assert current_branch(repository.path / "dir") == "feature"
    repository.git("checkout", "--quiet", "--detach")
    assert current_branch(repository.path) == ""


def test_no_repository_has_no_branch(tmp_path: Path) -> None:
    assert current_branch(tmp_path) == ""


def test_output_comes_in_blocks_and_errors_at_the_end(repository: GitRepository) -> None:
    commit = repository.commit()
    running = Background(start(["rev-parse", "HEAD"], repository.path))
    assert b"".join(running.chunks()) == f"{commit}\n".encode()
    with pytest.raises(GitFailed, match="unknown revision"):
        Background(start(["rev-parse", "none"], repository.path)).finish()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_output_ends_where_reading_it_fails(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start(["rev-parse", "none"], repository.path)

    def read(descriptor: int, size: int) -> bytes:
        raise OSError(f"no {size} bytes from {descriptor}")

    monkeypatch.setattr(os, "read", read)
    with pytest.raises(GitFailed):
        Background(process).finish()


def test_what_git_is_given_while_it_runs(repository: GitRepository) -> None:
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"text\n")
    running = Background(start(commands.CAT_FILE, repository.path, interactive=True))
    running.write(f"{blob}\n".encode())
    assert running.read_until(b"text\n\n") == f"{blob} blob 5\n".encode()
    running.close()


def test_an_answer_ends_where_git_repeats_a_line(repository: GitRepository) -> None:
    repository.write("small.md", "other\n")
    commit = repository.commit()
    running = Background(start(commands.CHANGED_FILES, repository.path, interactive=True))
    answers = []
    for _ in range(2):
        running.write(f"{commit}\nno commit\n".encode())
        answers.append(running.read_until(b"no commit\n"))
    running.close()
    assert answers == [answers[0]] * 2
    assert commit.encode() in answers[0]
    assert b"no commit" not in answers[0]


def test_git_that_takes_no_more_input(repository: GitRepository) -> None:
    arguments = ["cat-file", "--no-such-option"]
    running = Background(start(arguments, repository.path, interactive=True))
    for _ in range(100):
        running.write(b"more than a pipe takes\n" * 1000)
    running._reader.join()
    running.write(b"more after its end\n")
    with pytest.raises(GitFailed, match="no-such-option"):
        running.finish()
    with pytest.raises(GitFailed, match="no-such-option"):  # it does not wait for more
        running.read_until(b"end\n")
    running.close()
