"""Entries that came from other files, over one hop or several, and what is read for it."""

from __future__ import annotations

import pytest

from tests.history.memory import FILE, Json, added, ages, basis, body, day, keep, live, memory, run
from tests.support.repository import GitRepository

ARCHIVE = "archive/learnings-consolidated-2025.md"


def moved_from(document: Json) -> dict[str, str | None]:
    """The file that each entry came from, by title."""
    return {entry["title"]: entry["moved_from"] for entry in document["entries"]}


def archive(*titles: str) -> str:
    """An archive that has the entries in a group, at a deeper level."""
    entries = (f"### {title}\n\n{body(title)}\n\n" for title in titles)
    return "# Archive\n\n## Group: Old ones\n\n" + "".join(entries)


@pytest.mark.parametrize("source", ["notes.md", "docs/notes.txt", "NOTES", "notes.mdc"])
def test_from_a_text_file(repository: GitRepository, source: str) -> None:
    repository.write(source, memory("M", "N"))
    keep(repository, 0, memory("A"))
    repository.write(source, memory("N"))
    keep(repository, 1, memory("A", "M"))
    document = ages(repository)
    assert added(document) == {"A": day(0), "M": day(0)}
    assert basis(document) == {"A": "commit", "M": "moved"}
    assert moved_from(document) == {"A": None, "M": source}
    assert f"- Rests on: moved from {source}" in run(repository, "ages", FILE).out


def test_not_from_a_file_of_another_kind(repository: GitRepository) -> None:
    repository.write("notes.py", memory("M"))
    keep(repository, 0, memory("A"))
    repository.remove("notes.py")
    keep(repository, 1, memory("A", "M"))
    assert added(ages(repository)) == {"A": day(0), "M": day(1)}


@pytest.mark.parametrize(("letters", "born"), [(39, 1), (40, 0)])
def test_a_block_needs_forty_letters_and_digits(
    repository: GitRepository, letters: int, born: int
) -> None:
    entry = f"## M\n\n{'x' * (letters - 1)}\n"
    repository.write("notes.md", f"# Notes\n\n{entry}")
    keep(repository, 0, memory("A"))
    repository.write("notes.md", "# Notes\n")
    keep(repository, 1, f"{memory('A')}{entry}")
    assert added(ages(repository)) == {"A": day(0), "M": day(born)}


def test_short_entries_that_came_together(repository: GitRepository) -> None:
    block = "".join(f"## Short one {n}\n\nText {n}.\n\n" for n in range(4))
    repository.write("notes.md", f"# Notes\n\n{block}")
    keep(repository, 0, memory("A"))
    repository.write("notes.md", "# Notes\n")
    keep(repository, 1, memory("A") + block)
    assert set(added(ages(repository)).values()) == {day(0)}


def test_over_two_files(repository: GitRepository) -> None:
    repository.write("inbox.txt", memory("M"))
    keep(repository, 0, memory("A"))
    repository.write("inbox.txt", "empty\n")
    repository.write("notes.md", memory("M", "N"))
    repository.commit(date=day(1))
    repository.write("notes.md", memory("N"))
    keep(repository, 2, memory("A", "M"))
    document = ages(repository)
    assert added(document)["M"] == day(0)
    assert moved_from(document)["M"] == "notes.md"


def test_reworded_in_the_other_file(repository: GitRepository) -> None:
    repository.write("notes.md", memory("Em", "N", Em=body("M")))
    keep(repository, 0, memory("A"))
    repository.write("notes.md", memory("M", "N"))
    repository.commit(date=day(1))
    repository.write("notes.md", memory("N"))
    keep(repository, 2, memory("A", "M"))
    document = ages(repository)
    assert added(document)["M"] == day(0)
    assert basis(document)["M"] == "renamed-heading"


def test_archived_and_brought_back(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDE"))
    repository.write(ARCHIVE, archive("A", "B", "C"))
    consolidated = keep(repository, 1, memory("D", "E"))
    repository.write(ARCHIVE, archive("A", "C"))
    keep(repository, 2, memory("D", "E", "B"))
    document = ages(repository)
    assert added(document) == {"D": day(0), "E": day(0), "B": day(0)}
    assert moved_from(document)["B"] == ARCHIVE
    assert document["last_consolidation"]["commit"] == consolidated


def test_copied_by_the_commit_that_created_the_file(repository: GitRepository) -> None:
    repository.write("notes.md", memory("A", "B", "N"))
    repository.commit(date=day(0))
    live_on = memory("A", "B", "C")
    keep(repository, 1, live_on)
    document = ages(repository)
    assert added(document) == {"A": day(0), "B": day(0), "C": day(1)}
    assert moved_from(document) == {"A": "notes.md", "B": "notes.md", "C": None}
    keep(repository, 2, memory("A", "B", "C", "N"))
    assert added(ages(repository))["N"] == day(2)


def test_on_a_branch_that_was_merged(repository: GitRepository) -> None:
    repository.write("notes.md", memory("M", "N"))
    keep(repository, 0, memory("A"))
    repository.branch("work")
    repository.write("notes.md", memory("N"))
    keep(repository, 1, memory("A", "M"))
    repository.checkout("main")
    keep(repository, 2, memory("Z", "A"))
    repository.merge("work", resolve={FILE: memory("Z", "A", "M")}, date=day(3))
    document = ages(repository)
    assert added(document) == {"Z": day(2), "A": day(0), "M": day(0)}


def test_a_heading_of_another_form(repository: GitRepository) -> None:
    """The title is the same where its time stamp or level is not."""
    repository.write("notes.md", memory("M", "N"))
    stamped = "# L\n\n## [2025-01-01-100000] A\n\na b c\n\n## [2025-01-01-110000] B\n\nd e f\n\n"
    keep(repository, 0, stamped)
    repository.write("notes.md", memory("N"))
    keep(repository, 1, f"{stamped}## [2025-01-02-090000] M\n\n{body('M')}\n")
    assert added(ages(repository))["M"] == day(0)


def test_by_a_merge_that_no_branch_prepared(repository: GitRepository) -> None:
    repository.write("notes.md", memory("M", "N"))
    keep(repository, 0, memory("A"))
    repository.branch("work")
    keep(repository, 1, memory("A", "Work"))
    repository.checkout("main")
    keep(repository, 2, memory("Main", "A"))
    resolve = {FILE: memory("Main", "A", "Work", "M"), "notes.md": memory("N")}
    repository.merge("work", resolve=resolve, date=day(3))
    document = ages(repository)
    assert added(document) == {"Main": day(2), "A": day(0), "Work": day(1), "M": day(0)}
    assert moved_from(document)["M"] == "notes.md"


def test_copied_by_a_merge_from_a_file_of_the_other_branch(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    repository.branch("work")
    repository.write("notes.txt", memory("M"))
    repository.commit(date=day(1))
    repository.checkout("main")
    repository.commit(date=day(2))
    repository.merge("work", resolve={FILE: memory("M")}, date=day(3))
    document = ages(repository)
    assert added(document) == {"M": day(1)}
    assert moved_from(document) == {"M": "notes.txt"}


def test_both_files_renamed_since(repository: GitRepository) -> None:
    repository.write("inbox.md", memory("M", "N", "O"))
    keep(repository, 0, memory("A"), file="lessons.md")
    repository.rename("inbox.md", "notes.md")
    repository.commit(date=day(1))
    repository.write("notes.md", memory("N", "O"))
    keep(repository, 2, memory("A", "M"), file="lessons.md")
    repository.rename("lessons.md", FILE)
    repository.commit(date=day(3))
    document = ages(repository)
    assert added(document) == {"A": day(0), "M": day(0)}
    assert moved_from(document) == {"A": None, "M": "notes.md"}


def test_with_other_line_ends_and_white_space(repository: GitRepository) -> None:
    repository.write("notes.md", memory("M", "N").replace("\n", "\r\n"))
    keep(repository, 0, memory("A"))
    repository.write("notes.md", memory("N").replace("\n", "\r\n"))
    keep(repository, 1, memory("A", "M").replace("## M", "##   M").replace("m3 ", "m3  "))
    assert added(ages(repository)) == {"A": day(0), "M": day(0)}


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("again", [False, True])
def test_what_is_not_committed_counts_as_the_commit_would(
    repository: GitRepository, *, staged: bool, again: bool
) -> None:
    repository.write("notes.md", memory("M", "N"))
    keep(repository, 0, memory("A"))
    live(repository, 1, 2)
    if again:
        ages(repository)
    repository.write("notes.md", memory("N"))
    repository.write(FILE, memory("A", "M", "New"))
    if staged:
        repository.git("add", "--all")
    document = ages(repository)
    assert basis(document) == {"A": "commit", "M": "moved", "New": "uncommitted"}
    assert added(document) == {"A": day(0), "M": day(0), "New": None}
    repository.commit(date=day(3))
    document = ages(repository)
    assert basis(document) == {"A": "commit", "M": "moved", "New": "commit"}
    assert added(document) == {"A": day(0), "M": day(0), "New": day(3)}


def test_a_copy_of_what_stays_elsewhere_is_new(repository: GitRepository) -> None:
    repository.write("notes.md", memory("M", "N"))
    keep(repository, 0, memory("A"))
    repository.write(FILE, memory("A", "M"))
    assert basis(ages(repository)) == {"A": "commit", "M": "uncommitted"}


@pytest.mark.parametrize("renamed", [False, True])
def test_a_new_file_that_is_not_committed(repository: GitRepository, *, renamed: bool) -> None:
    repository.write("notes.md", memory("M", "N"))
    repository.commit(date=day(0))
    if renamed:
        repository.rename("notes.md", FILE)
    else:  # copied, as a commit that creates the file is asked for copies
        repository.write(FILE, memory("M", "N"))
        repository.git("add", FILE)
    document = ages(repository)
    assert basis(document) == {"M": "moved", "N": "moved"}
    assert added(document) == {"M": day(0), "N": day(0)}
    repository.commit(date=day(1))
    assert added(ages(repository)) == {"M": day(0), "N": day(0)}
