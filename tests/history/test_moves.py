"""Entries that came from other files, over one hop or several, and what is read for it."""

from __future__ import annotations

import pytest

from tests.history.memory import added, ages, body, day, keep, memory
from tests.support.repository import GitRepository

ARCHIVE = "archive/learnings-consolidated-2025.md"


def archive(*titles: str) -> str:
    """An archive that has the entries in a group, at a deeper level."""
    entries = (f"### {title}\n\n{body(title)}\n\n" for title in titles)
    return "# Archive\n\n## Group: Old ones\n\n" + "".join(entries)


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


def test_archived_and_brought_back(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDE"))
    repository.write(ARCHIVE, archive("A", "B", "C"))
    consolidated = keep(repository, 1, memory("D", "E"))
    repository.write(ARCHIVE, archive("A", "C"))
    keep(repository, 2, memory("D", "E", "B"))
    document = ages(repository)
    assert added(document) == {"D": day(0), "E": day(0), "B": day(0)}
    assert document["entries"][2]["moved_from"] == ARCHIVE
    assert document["last_consolidation"]["commit"] == consolidated


def test_a_heading_of_another_form(repository: GitRepository) -> None:
    """The title is the same where its time stamp or level is not."""
    repository.write("notes.md", memory("M", "N"))
    stamped = "# L\n\n## [2025-01-01-100000] A\n\na b c\n\n## [2025-01-01-110000] B\n\nd e f\n\n"
    keep(repository, 0, stamped)
    repository.write("notes.md", memory("N"))
    keep(repository, 1, f"{stamped}## [2025-01-02-090000] M\n\n{body('M')}\n")
    assert added(ages(repository))["M"] == day(0)


def test_with_other_line_ends_and_white_space(repository: GitRepository) -> None:
    repository.write("notes.md", memory("M", "N").replace("\n", "\r\n"))
    keep(repository, 0, memory("A"))
    repository.write("notes.md", memory("N").replace("\n", "\r\n"))
    keep(repository, 1, memory("A", "M").replace("## M", "##   M").replace("m3 ", "m3  "))
    assert added(ages(repository)) == {"A": day(0), "M": day(0)}
