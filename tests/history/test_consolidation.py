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
    day,
    every_removal_counts,
    keep,
    memory,
    run,
)
from tests.support.repository import GitRepository

__all__ = ["every_removal_counts"]


def test_never_consolidated(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    keep(repository, 1, memory("A", "B"))
    assert ages(repository)["last_consolidation"] is None
    line = "**Last consolidation:** unknown (no prior consolidation detected)"
    assert line in run(repository, "ages", FILE).out.splitlines()
    summary = run(repository, "ages", FILE, "--summary").out
    assert summary == "2 entries (0 ≥7 days, no prior consolidation)\n"


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


def test_entries_merged_into_one_of_their_own(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    both = f"{body('A')} {body('B')}"
    removing = keep(repository, 1, memory("Both", "C", Both=both))
    assert consolidation(ages(repository)) == (removing, 1)
    assert added(ages(repository))["Both"] == day(0)


def test_one_of_two_entries_under_the_same_heading(repository: GitRepository) -> None:
    twins = "# L\n\n## A\n\nfirst\n\n## A\n\nsecond of them\n"
    keep(repository, 0, twins)
    removing = keep(repository, 1, "# L\n\n## A\n\nsecond of them\n")
    assert consolidation(ages(repository)) == (removing, 1)


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


BULLETS = "# L\n\n- 2025-01-01: never retry on 409\n- 2025-01-02: quote every path\n"
STAMPED = "# L\n\n## [2025-01-01-120000] A\n\n{}\n\n## [2025-01-02-120000] B\n\n{}\n"
IDS = "# L\n\n## [L-001] A\n\n{}\n\n## [L-002] B\n\n{}\n"
GROUPED = "# L\n\n## Git\n\n### A\n\n{}\n\n## Shell\n\n### B\n\n{}\n"
DEEPER = "# L\n\n### A\n\n{}\n\n### B\n\n{}\n"
BODIES = (body("A"), body("B"))
# What was no entry before, or what is none now, has no older date.
BORN_AGAIN = {"no dialect before", "headings with dated items"}
DIALECTS = {
    "heading to timestamped": (memory("A", "B"), STAMPED.format(*BODIES)),
    "heading to identified": (memory("A", "B"), IDS.format(*BODIES)),
    "heading to categories": (memory("A", "B"), GROUPED.format(*BODIES)),
    "categories to heading": (GROUPED.format(*BODIES), memory("A", "B")),
    "a level deeper": (memory("A", "B"), DEEPER.format(*BODIES)),
    "headings with dated items": (memory("A", "B"), memory("A", "B") + BULLETS.partition("\n")[2]),
    "items under headings": (
        BULLETS,
        BULLETS.replace("- 2025-01-02", "## Later\n\n- 2025-01-02").replace(
            "# L\n", "# L\n\n## Now\n"
        ),
    ),
    "items that lose their dates": (BULLETS, BULLETS.replace("2025-01-01: ", "")),
    "no dialect before": ("Nothing to read here.\n", memory("A", "B")),
}


ROWS = "# L\n\n| {} |\n|{}\n| K-1 | {}Pin the linter, always. |{}\n| K-2 | {}Copy fixtures. |{}\n"
DATES = ROWS.replace("K-1", "2026-02-05").replace("K-2", "2026-02-08")
COLUMNS = {
    f"{name}, {where}": (
        text.format("Key | Lesson", "---|---|", "", "", "", ""),
        text.format("Key | Lesson | Who", "---|---|---|", *cells),
    )
    for name, text in (("ids", ROWS), ("dates", DATES))
    for where, cells in (
        ("last", ("", " Ann |", "", " Bob of the team |")),
        ("in the middle", ("Ann | ", "", "Bob of the team | ", "")),
    )
}


@pytest.mark.parametrize("is_added", [True, False])
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_more_or_less(repository: GitRepository, name: str, is_added: bool) -> None:
    versions = COLUMNS[name] if is_added else COLUMNS[name][::-1]
    for number, text in enumerate(versions):
        keep(repository, number, text)
    document = ages(repository)
    assert [entry["added"] for entry in document["entries"]] == [day(0)] * 2
    assert document["last_consolidation"] is None


@pytest.mark.parametrize("name", NO_REMOVALS | DIALECTS)
def test_what_is_no_removal(repository: GitRepository, name: str) -> None:
    before, after = (NO_REMOVALS | DIALECTS)[name]
    keep(repository, 0, before)
    keep(repository, 1, after)
    document = ages(repository)
    assert document["last_consolidation"] is None
    born = 1 if name in BORN_AGAIN else 0
    assert set(added(document).values()) == {day(born)}


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
