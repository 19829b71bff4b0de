"""What makes a removal a consolidation: enough entries, or an archive with some in a group."""

from __future__ import annotations

import os
from datetime import date

import pytest

from tests.history.memory import FILE, ages, body, consolidation, day, due, keep, live, memory, run
from tests.support.repository import GitRepository

ARCHIVE = f"archive/learnings-consolidated-{day(1)}.md"
TITLE = "# Consolidated learnings\n\nOriginals of entries that left the file.\n"


def group(name: str, *titles: str) -> str:
    """A part of an archive, with its entries word for word."""
    entries = (f"## {title}\n\n{body(title)}\n\n" for title in titles)
    return f"\n## {name}\n\n{''.join(entries)}"


@pytest.fixture
def six(repository: GitRepository) -> GitRepository:
    """Return a repository whose memory file has had six entries since the day before the first."""
    keep(repository, 0, memory(*"ABCDEF"))
    return repository


@pytest.mark.parametrize(("left", "removed"), [("ABCDE", 1), ("ABCD", 2), ("ABC", 3), ("", 6)])
def test_upkeep_is_not_consolidation(six: GitRepository, left: str, removed: int) -> None:
    commit = keep(six, 1, memory(*left))
    assert consolidation(ages(six)) == ((commit, removed) if removed >= 3 else None)


ARCHIVES = {
    "a group": (ARCHIVE, TITLE + group("Group: Builds", "A")),
    "a second group": (ARCHIVE, TITLE + group("Group: X", "Z") + group("Group: Y", "A")),
    "after what was dropped": (
        ARCHIVE,
        TITLE + group("Dropped: old", "Z") + group("Group: Y", "A"),
    ),
    "line ends": (ARCHIVE, (TITLE + group("Group: X", "A")).replace("\n", "\r\n")),
    "another day": (ARCHIVE.replace(day(1), "2020-01-01-b"), group("Group: X", "A")),
    "in capitals": (ARCHIVE.replace("learnings", "LEARNINGS"), group("Group: X", "A")),
}
NO_ARCHIVES = {
    "dropped": (ARCHIVE, TITLE + group("Dropped: wrong since 1a2b3c4", "A")),
    "dropped after a group": (ARCHIVE, TITLE + group("Group: X", "Z") + group("Dropped: y", "A")),
    "no group": (ARCHIVE, TITLE + group("A", "A")),
    "another entry": (ARCHIVE, TITLE + group("Group: X", "Z")),
    "another text": (ARCHIVE, TITLE + group("Group: X", "A").replace("a3 ", "")),
    "the heading alone": (ARCHIVE, TITLE + "\n## Group: X\n\n## A\n"),
    "of another file": (ARCHIVE.replace("learnings", "decisions"), group("Group: X", "A")),
    "another folder": (f"old/{ARCHIVE}", group("Group: X", "A")),
    "no Markdown": (ARCHIVE.replace(".md", ".txt"), group("Group: X", "A")),
}


@pytest.mark.slow
def test_what_an_archive_of_the_same_commit_makes_of_one_removal(six: GitRepository) -> None:
    wrong = []
    for is_one, samples in ((True, ARCHIVES), (False, NO_ARCHIVES)):
        for name, (path, text) in samples.items():
            six.branch("try", "main")
            six.write(path, text)
            commit = keep(six, 1, memory(*"BCDEF"))
            expected = (commit, 1) if is_one else None
            if consolidation(ages(six)) != expected:
                wrong.append(name)
            six.checkout("main")
            six.git("branch", "-D", "try")
    assert wrong == []


def test_what_was_archived_before_does_not_count(six: GitRepository) -> None:
    six.write(ARCHIVE, TITLE + group("Group: X", "A"))
    six.commit(date=day(1))
    six.write(ARCHIVE, TITLE + group("Group: X", "A") + "\nMore.\n")
    keep(six, 2, memory(*"BCDEF"))
    assert ages(six)["last_consolidation"] is None


def test_a_merge_that_archives_what_no_branch_has(six: GitRepository) -> None:
    six.branch("work")
    keep(six, 1, memory(*"ABCDEF", "G"))
    six.checkout("main")
    keep(six, 1, memory(*"ABCDEF", "H"))
    resolve = {FILE: memory(*"BCDEFGH"), ARCHIVE: group("Group: X", "A")}
    merge = six.merge("work", date=day(2), resolve=resolve)
    assert consolidation(ages(six)) == (merge, 1)


def test_a_branch_that_archives_counts_once_at_its_commit(six: GitRepository) -> None:
    six.branch("work")
    six.write(ARCHIVE, group("Group: X", "A"))
    commit = keep(six, 1, memory(*"BCDEF"))
    six.checkout("main")
    keep(six, 2, memory(*"ABCDEF", "G"))
    six.merge("work", date=day(3))
    assert consolidation(ages(six)) == (commit, 1)


def test_an_archive_below_the_folder_of_the_file(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCD"), file="notes/é/LESSONS.md")
    repository.write("notes/é/archive/lessons-consolidated-x.md", group("Group: X", "A"))
    commit = keep(repository, 1, memory(*"BCD"), file="notes/é/LESSONS.md")
    assert consolidation(ages(repository, file="notes/é/LESSONS.md")) == (commit, 1)
    repository.rename("notes/é/LESSONS.md", FILE)  # the archive stays where it was made
    repository.commit(date=day(2))
    assert consolidation(ages(repository)) == (commit, 1)


def today() -> str:
    return date.today().isoformat()  # noqa: DTZ011  (that of the machine is meant)


def test_a_consolidation_that_is_not_committed_yet(six: GitRepository) -> None:
    live(six, 1, 20)
    assert due(six)["verdict"] == "due"
    six.write(FILE, memory(*"BCDEF"))
    assert due(six)["verdict"] == "due"
    six.write(ARCHIVE, TITLE + group("Group: X", "A"))
    assert ages(six)["last_consolidation"] == {
        "commit": None,
        "date": today(),
        "active_days": 0,
        "removed": 1,
    }
    said = due(six)
    assert (said["verdict"], said["conditions"][1]["value"]) == ("not-due", 0)
    assert run(six, "due", FILE, "--exit-code").code == 0
    text = run(six, "ages", FILE).out
    assert "**Last consolidation:** 0 active days ago\n" in text
    assert "**Entries removed then:** 1 (not committed yet)\n" in text


def test_what_is_uncommitted_counts_as_the_commit_would(six: GitRepository) -> None:
    live(six, 1, 2)
    dropped = TITLE + group("Dropped: wrong", *"ABC")
    for titles, text, removed in (
        ("BCDEF", TITLE + group("Dropped: wrong", "A"), None),
        ("DEF", dropped, 3),
        ("CDEF", dropped, None),
        ("ABCDEF", TITLE + group("Group: X", "A"), None),
        ("DEF", TITLE, None),
        ("DEF", TITLE + group("Group: X", "A"), 1),
    ):
        six.write(FILE, memory(*titles))
        six.write(ARCHIVE, text)
        last = ages(six)["last_consolidation"]
        assert (last and last["removed"]) == removed, (titles, text)


def test_the_past_knows_no_working_tree(six: GitRepository) -> None:
    live(six, 1, 3)
    six.write(FILE, memory(*"BCDEF"))
    six.write(ARCHIVE, group("Group: X", "A"))
    for options in (("--at", "HEAD"), ("--as-of", day(2))):
        assert ages(six, *options)["last_consolidation"] is None
    assert ages(six, "--as-of", day(3))["last_consolidation"]["commit"] is None


def test_an_archive_that_is_no_file(six: GitRepository) -> None:
    six.write(FILE, memory(*"BCDEF"))
    (six.path / ARCHIVE).mkdir(parents=True)
    assert ages(six)["last_consolidation"] is None
    if os.name != "nt":
        (six.path / ARCHIVE).rmdir()
        (six.path / ARCHIVE).symlink_to("nowhere")
        assert ages(six)["last_consolidation"] is None
