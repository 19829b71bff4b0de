"""Which commit counts as the last consolidation of a file, and which changes are none."""

from __future__ import annotations

import pytest

from tests.history.memory import (
    FILE,
    added,
    ages,
    body,
    configure,
    consolidation,
    count_every_removal,
    day,
    keep,
    live,
    memory,
    run,
)
from tests.support.repository import GitRepository


@pytest.fixture(name="repository")
def every_removal_counts(repository: GitRepository) -> GitRepository:
    """Return a repository in which one removed entry makes a consolidation."""
    return count_every_removal(repository)


def test_never_consolidated(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    keep(repository, 1, memory("A", "B"))
    assert ages(repository)["last_consolidation"] is None
    line = "**Last consolidation:** unknown (no prior consolidation detected)"
    assert line in run(repository, "ages", FILE).out.splitlines()
    summary = run(repository, "ages", FILE, "--summary").out
    assert summary == "2 entries (0 ≥7 days, no prior consolidation)\n"


def test_the_newest_of_several(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C", "D", "E"))
    keep(repository, 1, memory("A", "B", "C", "D"))
    newest = keep(repository, 3, memory("A", "B"))
    keep(repository, 4, memory("A", "B", "C"))
    live(repository, 5, 6)
    document = ages(repository)
    assert document["last_consolidation"] == {
        "commit": newest,
        "date": day(3),
        "active_days": 3,
        "removed": 2,
    }
    summary = run(repository, "ages", FILE, "--summary").out
    assert summary == "3 entries (0 ≥7 days, consolidation 3d ago)\n"


def test_newest_is_meant_in_the_order_of_git(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    keep(repository, 5, memory("A", "B"))
    repository.write(FILE, memory("A"))
    newest = repository.commit(date=day(3), committer_date=day(9))
    document = ages(repository)
    assert consolidation(document) == (newest, 1)
    assert document["last_consolidation"]["date"] == day(3)
    assert document["last_consolidation"]["active_days"] == 1


@pytest.mark.parametrize(("least", "index"), [(1, 3), (2, 2), (3, 1), (4, None)])
def test_how_many_removals_make_one(
    repository: GitRepository, least: int, index: int | None
) -> None:
    commits = [keep(repository, 0, memory(*"ABCDEFGH"))]
    for number, titles in enumerate(["ABCDE", "ABC", "AB"], start=1):
        commits.append(keep(repository, number, memory(*titles)))
    configure(repository, consolidation_min_removed=least)
    expected = index and (commits[index], 4 - index)
    assert consolidation(ages(repository)) == expected


def test_rewordings_are_not_counted_among_the_removals(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDE"))
    text = memory("Ay", "Be", "C", "New", Ay=body("A"), Be=body("B"))
    removing = keep(repository, 1, text)
    assert consolidation(ages(repository)) == (removing, 2)


def test_entries_merged_into_one_of_their_own(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    both = f"{body('A')} {body('B')}"
    removing = keep(repository, 1, memory("Both", "C", Both=both))
    assert consolidation(ages(repository)) == (removing, 1)
    assert added(ages(repository))["Both"] == day(0)


def test_an_entry_that_went_to_another_file(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    repository.write("archive.md", memory("A"))
    removing = keep(repository, 1, memory("B"))
    assert consolidation(ages(repository)) == (removing, 1)


@pytest.mark.parametrize("remaining", ["", "# Learnings\n"])
def test_a_file_that_was_emptied(repository: GitRepository, remaining: str) -> None:
    keep(repository, 0, memory("A", "B"))
    removing = keep(repository, 1, remaining)
    document = ages(repository)
    assert consolidation(document) == (removing, 2)
    assert document["entries"] == []


def test_one_of_two_entries_under_the_same_heading(repository: GitRepository) -> None:
    twins = "# L\n\n## A\n\nfirst\n\n## A\n\nsecond of them\n"
    keep(repository, 0, twins)
    removing = keep(repository, 1, "# L\n\n## A\n\nsecond of them\n")
    assert consolidation(ages(repository)) == (removing, 1)


def test_a_revert_does_not_undo_it(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    removing = keep(repository, 1, memory("A"))
    keep(repository, 2, memory("A", "B"))
    document = ages(repository)
    assert consolidation(document) == (removing, 1)
    assert added(document) == {"A": day(0), "B": day(2)}


FENCED = "# L\n\n## A\n\n```\n## In a fence\n## Another\n```\n\n<!--\n## In a comment\n-->\n"
NO_REMOVALS = {
    "a fence": (FENCED, "# L\n\n## A\n\ntext\n"),
    "a comment": (FENCED, FENCED.partition("<!--")[0]),
    "the order": (memory("A", "B", "C"), memory("C", "A", "B")),
    "line ends": (memory("A", "B"), memory("A", "B").replace("\n", "\r\n")),
    "white space": (memory("A B", "C"), memory("A B", "C").replace("## A B", "##  A \t B  ")),
    "the preamble": (memory("A"), memory("A").replace("What we learned.", "Other words.")),
    "a heading above": (memory("A", "B"), memory("A", "B").replace("# Learnings", "# Memory")),
    "bodies": (memory("A", "B"), memory("A", "B", A="x", B="y")),
    "a subheading": ("# L\n\n## A\n\n### Sub\n\nx\n\n## B\n", "# L\n\n## A\n\nx\n\n## B\n"),
    "everything a byte order mark can hide": ("\ufeff## A\n\n## B\n", "## A\n\n## B\n"),
}


@pytest.mark.parametrize("name", NO_REMOVALS)
def test_what_is_no_removal(repository: GitRepository, name: str) -> None:
    before, after = NO_REMOVALS[name]
    keep(repository, 0, before)
    keep(repository, 1, after)
    document = ages(repository)
    assert document["last_consolidation"] is None
    assert set(added(document).values()) == {day(0)}


def test_the_deletion_of_the_file_is_none(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    repository.remove(FILE)
    repository.commit(date=day(1))
    keep(repository, 2, memory("A"))
    assert ages(repository)["last_consolidation"] is None


def test_one_before_the_deletion_of_the_file_counts(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    removing = keep(repository, 1, memory("A", "B"))
    repository.remove(FILE)
    repository.commit(date=day(2))
    keep(repository, 3, memory("D"))
    assert consolidation(ages(repository)) == (removing, 1)


def test_one_under_an_older_name_counts(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"), file="one.md")
    removing = keep(repository, 1, memory("A", "B"), file="one.md")
    for number, (old, new) in enumerate([("one.md", "two.md"), ("two.md", FILE)], start=2):
        repository.rename(old, new)
        repository.commit(date=day(number))
    assert consolidation(ages(repository)) == (removing, 1)


def test_what_another_file_of_an_older_name_lost_is_none(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"), file="one.md")
    repository.rename("one.md", FILE)
    repository.commit(date=day(1))
    keep(repository, 2, memory("X", "Y", "Z"), file="one.md")
    keep(repository, 3, memory("X"), file="one.md")
    assert ages(repository)["last_consolidation"] is None


def test_a_file_in_a_folder_that_moved(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"), file="old/folder/learnings.md")
    removing = keep(repository, 1, memory("A", "B"), file="old/folder/learnings.md")
    repository.rename("old/folder", "new")
    repository.commit(date=day(2))
    document = ages(repository, file="new/learnings.md")
    assert consolidation(document) == (removing, 1)
    assert added(document) == {"A": day(0), "B": day(0)}


BULLETS = "# L\n\n- 2025-01-01: never retry on 409\n- 2025-01-02: quote every path\n"
STAMPED = "# L\n\n## [2025-01-01-120000] A\n\n{}\n\n## [2025-01-02-120000] B\n\n{}\n"
IDS = "# L\n\n## [L-001] A\n\n{}\n\n## [L-002] B\n\n{}\n"
GROUPED = "# L\n\n## Git\n\n### A\n\n{}\n\n## Shell\n\n### B\n\n{}\n"
DEEPER = "# L\n\n### A\n\n{}\n\n### B\n\n{}\n"
BODIES = (body("A"), body("B"))
DIALECTS = {
    "heading to timestamped": (memory("A", "B"), STAMPED.format(*BODIES)),
    "timestamped to heading": (STAMPED.format(*BODIES), memory("A", "B")),
    "heading to identified": (memory("A", "B"), IDS.format(*BODIES)),
    "identified to timestamped": (IDS.format(*BODIES), STAMPED.format(*BODIES)),
    "heading to categories": (memory("A", "B"), GROUPED.format(*BODIES)),
    "categories to heading": (GROUPED.format(*BODIES), memory("A", "B")),
    "a level deeper": (memory("A", "B"), DEEPER.format(*BODIES)),
    "a level up": (DEEPER.format(*BODIES), memory("A", "B")),
    "categories to timestamped": (GROUPED.format(*BODIES), STAMPED.format(*BODIES)),
    "headings with dated items": (memory("A", "B"), memory("A", "B") + BULLETS.partition("\n")[2]),
    "items with a heading above": (BULLETS, BULLETS.replace("# L\n", "# L\n\n## Rules\n")),
    "items under headings": (
        BULLETS,
        BULLETS.replace("- 2025-01-02", "## Later\n\n- 2025-01-02").replace(
            "# L\n", "# L\n\n## Now\n"
        ),
    ),
    "items that lose their dates": (BULLETS, BULLETS.replace("2025-01-01: ", "")),
    "items with another sign": (BULLETS, BULLETS.replace("- ", "* ")),
    "no dialect before": ("Nothing to read here.\n", memory("A", "B")),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_another_dialect_takes_nothing_out(repository: GitRepository, name: str) -> None:
    before, after = DIALECTS[name]
    keep(repository, 0, before)
    keep(repository, 1, after)
    assert ages(repository)["last_consolidation"] is None


@pytest.mark.parametrize(
    "name", ["heading to timestamped", "a level deeper", "categories to heading"]
)
def test_another_dialect_keeps_the_ages(repository: GitRepository, name: str) -> None:
    before, after = DIALECTS[name]
    keep(repository, 0, before)
    keep(repository, 1, after)
    assert added(ages(repository)) == {"A": day(0), "B": day(0)}


def test_a_removal_in_the_commit_that_changes_the_dialect(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C", "D"))
    removing = keep(repository, 1, STAMPED.format(*BODIES))
    assert consolidation(ages(repository)) == (removing, 2)


def test_removals_from_items_and_from_headings(repository: GitRepository) -> None:
    keep(repository, 0, BULLETS + "- 2025-01-03: third rule of it\n")
    first = keep(repository, 1, BULLETS)
    assert consolidation(ages(repository)) == (first, 1)
    assert set(added(ages(repository)).values()) == {day(0)}


def test_an_older_version_in_another_dialect_than_the_configured(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    removing = keep(repository, 1, memory("A", "B"))
    keep(repository, 2, STAMPED.format(*BODIES))
    configure(repository, dialect="timestamped", consolidation_min_removed=1)
    document = ages(repository)
    assert consolidation(document) == (removing, 1)
    assert added(document) == {"A": day(0), "B": day(0)}
