"""The ages of the files of a memory folder, in real repositories."""

from __future__ import annotations

import pytest

from learnings.core.due.ages import COMMIT, MOVED, RESTORED, UNCOMMITTED, History
from learnings.core.errors import UntrustedHistory
from learnings.history.file_history import HistoryQuery
from learnings.history.folder_history import folder_history
from tests.support.repository import GitRepository

FOLDER = ".claude/memory"
NAMES = "abcdef"


def path(name: str) -> str:
    return f"{FOLDER}/{name}.md"


def text(name: str) -> str:
    return f"# {name}\n\n" + "".join(f"The {word} of {name} holds.\n" for word in NAMES)


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    for number, name in enumerate(NAMES, start=1):
        repository.write(path(name), text(name))
        repository.commit(date=f"2026-03-0{number}")
    return repository


def history(
    repository: GitRepository, *, as_of: str | None = None, folder: str = FOLDER
) -> History:
    files = sorted((repository.path / folder).glob("*.md"))
    query = HistoryQuery(
        repository.path / folder, repository.path, "2027-01-01", as_of=as_of, today="2026-04-01"
    )
    return folder_history(query, [file.relative_to(repository.path).as_posix() for file in files])


def added(found: History) -> dict[str, str | None]:
    return {name.removesuffix(".md"): origin.date for name, origin in found.origins.items()}


DAYS = {name: f"2026-03-0{number}" for number, name in enumerate(NAMES, start=1)}


def test_a_file_is_as_old_as_its_first_commit(memory: GitRepository) -> None:
    memory.write(path("a"), text("a") + "More.\n")
    memory.commit(date="2026-03-10")
    found = history(memory)
    assert added(found) == DAYS
    assert {origin.basis for origin in found.origins.values()} == {COMMIT}
    assert (found.consolidation, len(found.activity.days)) == (None, 7)


def test_a_folder_behind_a_link_has_the_history_of_its_end(memory: GitRepository) -> None:
    (memory.path / "linked").symlink_to(FOLDER)
    memory.write("linked/new.md", text("new"))
    found = history(memory, folder="linked")
    assert added(found) == DAYS | {"new": None}
    assert found == history(memory)


def test_a_renamed_file_keeps_its_age_committed_or_not(memory: GitRepository) -> None:
    memory.rename(path("a"), path("z"))
    expected = {"z" if name == "a" else name: day for name, day in DAYS.items()}
    assert added(history(memory)) == expected
    memory.commit(date="2026-03-10")
    assert added(history(memory)) == expected


@pytest.mark.parametrize(("again", "born"), [("a", DAYS["a"]), ("", "2026-03-11")])
def test_a_file_that_comes_back(memory: GitRepository, again: str, born: str) -> None:
    memory.remove(path("a"))
    memory.commit(date="2026-03-10")
    memory.write(path("a"), text(again) if again else "# a\n\nOther words.\n")
    memory.commit(date="2026-03-11")
    found = history(memory)
    assert added(found) == {**DAYS, "a": born}
    if again:
        assert found.origins["a.md"].gap == ("2026-03-10", "2026-03-11")


def test_a_file_that_was_in_the_archive(memory: GitRepository) -> None:
    (memory.path / FOLDER / "archive").mkdir()
    memory.rename(path("a"), f"{FOLDER}/archive/a.md")
    memory.commit(date="2026-03-10")
    memory.rename(f"{FOLDER}/archive/a.md", path("a"))
    memory.commit(date="2026-03-11")
    origin = history(memory).origins["a.md"]
    assert (origin.basis, origin.date) == (RESTORED, DAYS["a"])
    assert origin.gap == ("2026-03-10", "2026-03-11")


@pytest.mark.parametrize("keeps", [False, True])
def test_a_learnings_file_split_into_files(repository: GitRepository, keeps: bool) -> None:
    for number, names in enumerate(["ab", "abc", "abcd"], start=1):
        entries = "".join(f"#{text(name)}\n" for name in names)
        repository.write("agents/learnings.md", f"# Learnings\n\n{entries}")
        repository.commit(date=f"2026-03-0{number}")
    if keeps:
        repository.write("agents/learnings.md", f"# Learnings\n\n#{text('d')}")
    else:
        repository.remove("agents/learnings.md")
    front_matter = "---\nname: b\ndescription: About b.\n---\n"
    repository.write(path("a"), text("a"))
    repository.write(path("b"), front_matter + text("b").partition("\n\n")[2])
    repository.write(path("c"), f"{front_matter}\n{text('c')}")
    repository.write(path("new"), text("new"))
    repository.commit(date="2026-03-10")
    expected = {"a": "2026-03-01", "b": "2026-03-01", "c": "2026-03-02", "new": "2026-03-10"}
    found = history(repository)
    assert added(found) == expected
    assert found.origins["a.md"].moved_from == "agents/learnings.md"
    repository.rename(path("c"), path("z"))
    repository.commit(date="2026-03-11")
    assert added(history(repository))["z"] == "2026-03-02"


def test_a_file_from_elsewhere_brings_its_age(memory: GitRepository) -> None:
    memory.write("notes/old.md", text("old"))
    memory.commit(date="2026-03-08")
    memory.rename("notes/old.md", path("old"))
    memory.commit(date="2026-03-12")
    origin = history(memory).origins["old.md"]
    assert (origin.basis, origin.date, origin.moved_from) == (MOVED, "2026-03-08", "notes/old.md")


def test_a_file_of_a_branch_counts_from_its_own_commit(memory: GitRepository) -> None:
    memory.branch("work")
    memory.write(path("x"), text("x"))
    memory.commit(date="2026-03-10")
    memory.checkout("main")
    memory.write(path("y"), text("y"))
    memory.commit(date="2026-03-11")
    memory.merge("work", date="2026-03-12")
    assert added(history(memory)) == {**DAYS, "x": "2026-03-10", "y": "2026-03-11"}


def test_three_files_that_leave_are_a_consolidation(memory: GitRepository) -> None:
    for name in "ab":
        memory.remove(path(name))
    assert history(memory).consolidation is None
    memory.commit(date="2026-03-10")
    assert history(memory).consolidation is None
    for name in "cde":
        memory.remove(path(name))
    last = history(memory).consolidation
    assert last is not None
    assert (last.commit, last.date, last.removed) == (None, "2026-04-01", 3)
    commit = memory.commit(date="2026-03-11")
    last = history(memory).consolidation
    assert last is not None
    assert (last.commit, last.date, last.removed) == (commit, "2026-03-11", 3)
    assert history(memory, as_of="2026-03-10").consolidation is None


def test_what_is_no_entry_leaves_nothing(memory: GitRepository) -> None:
    others = ("README.md", "MEMORY.md", "templates/a.md", "learnings/a.md", "notes.txt")
    for name in others:
        memory.write(f"{FOLDER}/{name}", text("other"))
    memory.commit(date="2026-03-10")
    for name in others:
        memory.remove(f"{FOLDER}/{name}")
    memory.commit(date="2026-03-11")
    assert history(memory).consolidation is None


def test_one_file_that_goes_to_the_archive_is_a_consolidation(memory: GitRepository) -> None:
    (memory.path / FOLDER / "archive").mkdir()
    memory.rename(path("a"), f"{FOLDER}/archive/a.md")
    commit = memory.commit(date="2026-03-10")
    last = history(memory).consolidation
    assert last is not None
    assert (last.commit, last.removed) == (commit, 1)


def test_what_is_not_committed_or_came_later_or_is_not_here(memory: GitRepository) -> None:
    memory.write(path("new"), text("new"))
    assert history(memory).origins["new.md"].basis == UNCOMMITTED
    found = history(memory, as_of="2026-03-03")
    assert added(found) == {name: day for name, day in DAYS.items() if day <= "2026-03-03"}
    assert found.activity.as_of == "2026-03-03"
    with pytest.raises(UntrustedHistory, match="shallow clone"):
        history(memory.clone(depth=1))
