"""A tree, a blob or a commit that git has lost is an error, never a table of zeros."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.history.memory import body, keep, memory, run
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
COMMANDS = (
    ("ages", FILE),
    ("ages", FILE, "--at=HEAD"),
    ("due",),
    ("due", "--replay"),
    ("batch", FILE),
    ("check", "--history"),
    ("ci",),
)


def soak(value: object) -> ParameterSet:
    return pytest.param(value, marks=pytest.mark.soak)


def removed(file: Path) -> None:
    file.unlink()


def truncated(file: Path) -> None:
    data = file.read_bytes()
    file.chmod(0o644)
    file.write_bytes(data[: len(data) // 2])


def changed(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x55
    file.chmod(0o644)
    file.write_bytes(bytes(data))


def damaged(path: Path, name: str, damage: Callable[[Path], None]) -> tuple[GitRepository, str]:
    """A repository in which an object has been lost or changed, and the id of that."""
    repository = GitRepository(path)
    keep(repository, 0, memory("A"), file=FILE)
    keep(repository, 1, memory("A", "B"), file=FILE)
    return repository, damage_object(repository, name, damage)


def damage_object(repository: GitRepository, name: str, damage: Callable[[Path], None]) -> str:
    identifier = repository.git("rev-parse", name)
    damage(repository.path / ".git" / "objects" / identifier[:2] / identifier[2:])
    return identifier


HEAD = ("HEAD", "HEAD^{tree}", "HEAD:agents", f"HEAD:{FILE}")


@pytest.mark.parametrize("name", [HEAD[-1], *(soak(name) for name in HEAD[:-1])])
def test_no_command_gives_zeros_where_an_object_of_head_is_missing(
    tmp_path: Path, name: str
) -> None:
    repository, identifier = damaged(tmp_path / "r", name, removed)
    for words in COMMANDS:
        done = run(repository, *words)
        assert done.code == 2, words
        assert "missing from this repository" in done.err or "unable to read" in done.err, words
        assert identifier in done.err


@pytest.mark.parametrize("damage", [truncated, changed])
@pytest.mark.parametrize("name", ["HEAD", *map(soak, (*HEAD[1:], "HEAD~1", "HEAD~1:agents"))])
def test_nor_where_one_is_damaged(
    tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    repository, _ = damaged(tmp_path / "r", name, damage)
    for words in COMMANDS:
        done = run(repository, *words)
        assert (done.code, "git fsck" in done.err) == (2, True), words


def test_a_commit_that_is_lost_where_the_cache_knows_what_is_older(
    repository: GitRepository,
) -> None:
    """An entry that the merge reworded seemed to be as young as the merge."""
    keep(repository, 0, memory("A", "B"), file=FILE)
    repository.branch("side")
    keep(repository, 1, memory("A", "B", "Old"), file=FILE)
    repository.checkout("main")
    keep(repository, 2, memory("B"), file=FILE)
    merged = memory("B", "Old").replace("## Old", "## New")
    merge = repository.merge("side", date="2026-01-05", resolve={FILE: merged})
    repository.work("2026-01-06", days=9)
    right = run(repository, "ages", FILE)
    assert right.code == 0
    for file in (repository.path / ".git" / "learnings").glob("origins-*"):
        file.unlink()  # as after an update that has changed what it holds
    damage_object(repository, merge, removed)
    done = run(repository, "ages", FILE)
    assert done.out == right.out or (done.code == 2 and merge in done.err)


@pytest.mark.slow
def test_commits_in_a_circle(repository: GitRepository) -> None:
    first, _, last = (
        keep(repository, day, memory(*"ABC"[: day + 1]), file=FILE) for day in range(3)
    )
    old, new = (repository.path / ".git/objects" / name[:2] / name[2:] for name in (first, last))
    old.unlink()
    old.write_bytes(new.read_bytes())
    done = run(repository, "due", "--replay")
    assert (done.code, "is its own ancestor" in done.err) == (2, True)


def test_what_is_not_in_a_commit_is_not_missing(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"), file="other/learnings.md")
    repository.write(FILE, memory("A"))
    done = run(repository, "ages", FILE, "--at=HEAD")
    assert (done.code, "does not exist at HEAD" in done.err) == (1, True)
    repository.git("add", FILE)
    assert run(repository, "ages", FILE).code == 0


@pytest.mark.parametrize("damage", [removed, soak(truncated), soak(changed)])
def test_an_emptied_memory_is_not_clean_where_its_last_version_is_lost(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    """Plain `check` asks git only about files without entries."""
    for number, name in enumerate(HEAD):
        repository, _ = damaged(tmp_path / str(number), name, damage)
        repository.write(FILE, "# Learnings\n")
        for words in (("check",), ("check", FILE)):
            done = run(repository, *words)
            assert (done.code, "git fsck" in done.err) == (2, True), (name, words)


@pytest.mark.slow
def test_the_version_before_a_change_that_is_lost(repository: GitRepository) -> None:
    """What a pull request changes is compared with the commit at which it began."""
    keep(repository, 0, memory("A", "B", "C"), file=FILE)
    repository.branch("topic")
    keep(repository, 1, memory("A", "B", "C", "D", D=body("D")), file=FILE)
    assert run(repository, "ci", "--base=main").code == 0
    damage_object(repository, f"main:{FILE}", removed)
    (repository.path / ".git" / "learnings").rename(repository.path / "cache")
    assert run(repository, "ci", "--base=main").code == 2
