"""The ages of the files of a memory folder, in real repositories."""

from __future__ import annotations

import pytest

from learnings.core.due.ages import COMMIT, MOVED, UNCOMMITTED, History
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


def test_a_file_that_comes_back_begins_anew(memory: GitRepository) -> None:
    memory.remove(path("a"))
    memory.commit(date="2026-03-10")
    memory.write(path("a"), text("a"))
    memory.commit(date="2026-03-11")
    assert added(history(memory)) == {**DAYS, "a": "2026-03-11"}


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
