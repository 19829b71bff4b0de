"""A file in which only carriage returns end the lines has the same ages as any other."""

from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
FIRST = "# Learnings\n\n## When one\n\nText of one.\n"
SECOND = f"{FIRST}\n## When two\n\nText of two.\n"
THIRD = f"{SECOND}\n## When three\n\nText of three.\n"
REWORDED = THIRD.replace("When one", "When one is enough")
ONE_GONE = REWORDED.replace("## When two\n\nText of two.\n\n", "")
VERSIONS = (FIRST, SECOND, THIRD, REWORDED, ONE_GONE)


def history(repository: GitRepository, *newlines: str) -> list[tuple[str, str, int]]:
    """The title, date and age of each entry, where version n has the n-th newline."""
    for number, (text, newline) in enumerate(zip(VERSIONS, newlines, strict=True), start=1):
        repository.write(FILE, text.replace("\n", newline))
        repository.commit(date=f"2026-01-0{number}")
    return ages(repository)


def ages(repository: GitRepository) -> list[tuple[str, str, int]]:
    run = Command("learnings")("ages", FILE, "--format=json", cwd=repository.path)
    assert run.code == 0, run.err
    return [(entry["title"], entry["added"], entry["active_days"]) for entry in run.json["entries"]]


@pytest.mark.parametrize(
    "newlines", ["\n\n\n\n\n", "\r\r\r\r\r", "\n\n\r\r\r", "\r\r\r\n\n", "\n\r\n\r\n"]
)
def test_ages_do_not_depend_on_the_newlines(repository: GitRepository, newlines: str) -> None:
    expected = [("When one is enough", "2026-01-01", 4), ("When three", "2026-01-03", 2)]
    assert history(repository, *newlines) == expected
    assert ages(repository) == expected  # with the cache


def test_what_is_not_committed_yet(repository: GitRepository) -> None:
    history(repository, *"\r\r\r\r\r")
    changed = ONE_GONE + "\n## When new\n\nText.\n"
    repository.write(FILE, changed.replace("\n", "\r"))
    assert [(title, added) for title, added, _ in ages(repository)] == [
        ("When one is enough", "2026-01-01"),
        ("When three", "2026-01-03"),
        ("When new", None),
    ]


@pytest.mark.usefixtures("instructed")
def test_every_command_reads_it(repository: GitRepository) -> None:
    history(repository, *"\r\r\r\r\r")
    for command in ("ages", "batch", "check", "due", "fix", "groups", "precheck", "route"):
        run = Command("learnings")(command, FILE, cwd=repository.path)
        assert (command, run.code, "cannot" in run.err) == (command, 0, False)
    run = Command("learnings")("check", "--history", FILE, cwd=repository.path)
    assert (run.code, run.out) == (0, "")


def test_entries_added_to_a_file_that_was_empty(repository: GitRepository) -> None:
    repository.write(FILE, "")
    repository.commit(date="2026-01-01")
    repository.write(FILE, FIRST.replace("\n", "\r"))
    repository.commit(date="2026-01-02")
    assert ages(repository) == [("When one", "2026-01-02", 0)]
