"""Objects as git hands them over, those of a hostile history too."""

from __future__ import annotations

import pytest

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UntrustedHistory
from learnings.history.git.objects import ObjectReader
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
    reader = ObjectReader(repository.path)
    names = [f"HEAD:{name}" for name in ("giant.md", "gone.md", "small.md", "giant.md")]
    reader.prefetch(names)
    contents = [git_object and git_object.content for git_object in map(reader.get, names)]
    reader.close()
    assert contents == [GIANT[: LARGEST_FILE + 1], None, b"small\n", GIANT[: LARGEST_FILE + 1]]


def test_what_is_no_longer_in_memory_is_read_again(repository: GitRepository) -> None:
    for number in range(5):
        repository.write(f"giant{number}.md", str(number).encode() + GIANT)
    repository.commit()
    reader = ObjectReader(repository.path)
    ids = [repository.git("rev-parse", f"HEAD:giant{number}.md").strip() for number in range(5)]
    contents = [reader.get(name) for name in [*ids, *ids]]
    reader.close()
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
    reader = ObjectReader(repository.path)
    with pytest.raises(UntrustedHistory):
        reader.get("HEAD:giant.md")
    with pytest.raises(UntrustedHistory):
        committed_blobs(repository.path, ["giant.md"], rev="HEAD")
