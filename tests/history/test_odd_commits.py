"""Commits that imports and broken clocks leave: dates that are none, names in no encoding."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.history.activity import day_of, raw_day
from tests.history.memory import FILE, added, ages, day, due, keep, memory, run
from tests.support.repository import GitError, GitRepository

NOON = 1735905600  # on day(2)
OLD = ("A", "B", "C", "D", "E", "F")

# The author line of a commit: what is said of the entry it added, as notes and as reason or date.
LATER = ("dated later than tomorrow", "dated after the year 9999")
UNREADABLE = ("no readable author date", "no readable author date")
OVERFLOW = ("", "no readable author date")  # git takes it for 1970
AUTHORS = {
    b"author A <a@b> 253402300800 +0000": LATER,
    b"author A <a@b> 253402300799 +1400": LATER,
    b"author A <a@b> 9223372036854775807 +0000": OVERFLOW,
    b"author A <a@b> 99999999999999999999999 +0000": ("", "1970-01-01"),
    b"author A <a@b> 18446744073709550000 +9999": ("", "1970-01-01"),
    b"author A <a@b> 0 +0000": ("", "1970-01-01"),
    b"author A <a@b> 0 -1200": ("", "1969-12-31"),
    b"author A <a@b> -86400 +0000": UNREADABLE,
    b"author A <a@b> %d PST" % NOON: UNREADABLE,
    b"author A <a@b> %d" % NOON: UNREADABLE,
    b"author A <a@b> yesterday +0000": UNREADABLE,
    b"author A <a@b>": UNREADABLE,
    b"author A %d +0000" % NOON: UNREADABLE,
    b"author \xff\xfe garbled": UNREADABLE,
    b"author": UNREADABLE,
    b"": UNREADABLE,
    b"author A <a@b> %d +99999999999" % NOON: ("", day(2)),
    b"author A <a@b> %d -99999999999" % NOON: ("", day(2)),
    b"author A <a@b> %d +9999" % NOON: ("", day(6)),
    b"author J\xf6rg \x01 <a\xff@b> %d +0000" % NOON: ("", day(2)),
}


def commit_with(
    repository: GitRepository, author: bytes, text: str, message: bytes = b"Odd\n"
) -> None:
    """Commit a memory with a header that git itself would not write."""
    repository.write(FILE, text)
    repository.git("add", "--all")
    lines = [f"tree {repository.git('write-tree')}".encode()]
    lines += [f"parent {repository.head()}".encode(), *([author] if author else [])]
    lines += [b"committer C <c@d> %d +0000" % NOON, b"", message]
    words = ("hash-object", "-t", "commit", "-w", "--literally", "--stdin")
    commit = repository.git(*words, stdin=b"\n".join(lines))
    repository.git("reset", "--quiet", "--hard", commit)


def odd_history(path: Path, author: bytes, message: bytes = b"Odd\n") -> GitRepository:
    """A memory with an odd commit that adds an entry, and one that takes five away."""
    repository = GitRepository(path)
    keep(repository, 0, memory(*OLD))
    commit_with(repository, author, memory(*OLD, "G"), message)
    keep(repository, 3, memory(*OLD, "G", "H"))
    commit_with(repository, author, memory("F", "G", "H"), message)
    keep(repository, 5, memory("F", "G", "H", "I"))
    return repository


@pytest.mark.slow
def test_ages_where_the_author_line_is_odd(tmp_path: Path) -> None:
    wrong = {}
    for number, (author, (note, reason)) in enumerate(AUTHORS.items()):
        repository = odd_history(tmp_path / str(number), author)
        for document in (ages(repository), ages(repository)):  # the second one from the cache
            notes = document["history"]["notes"]
            entry = next(entry for entry in document["entries"] if entry["title"] == "G")
            is_noted = [note in line for line in notes] == ([True] if note else [])
            unknown = (entry["active_days"], entry["added"]) == (None, None)
            is_right = is_noted and (
                entry["added"] == reason or (unknown and reason in entry["reason"])
            )
            others = {title: date for title, date in added(document).items() if title != "G"}
            if not is_right or others != {"F": day(0), "H": day(3), "I": day(5)}:
                wrong[author] = (notes, entry, others)
    assert wrong == {}


def test_a_consolidation_without_a_date_is_not_counted(tmp_path: Path) -> None:
    repository = odd_history(tmp_path, b"author A <a@b>")
    assert ages(repository)["last_consolidation"] is None
    assert due(repository)["verdict"] == "not-due"
    keep(repository, 6, memory("I"))
    assert ages(repository)["last_consolidation"]["date"] == day(6)


@pytest.mark.parametrize(
    "authors",
    [
        (b"author A <a@b> 253402300800 +0000",),
        pytest.param((*AUTHORS, b"huge message"), marks=pytest.mark.soak),
    ],
)
def test_no_command_ends_with_a_defect(tmp_path: Path, authors: tuple[bytes, ...]) -> None:
    """With a file that entries went to, and an entry that came back."""
    wrong = []
    for number, author in enumerate(authors):
        message = b"x" * 2_000_000 if author == b"huge message" else b"\x01Odd\x00\xff\n"
        repository = odd_history(tmp_path / str(number), author, message)
        repository.write("agents/decisions/topic.md", "# Topic\n\n## A\n\n" + memory("A"))
        commit_with(repository, author, memory("A", "B", "F", "G", "H"), message)
        repository.write("learnings.toml", f'path = "{FILE}"\nignore-authors = ["bot"]\n')
        for words in (
            ("ages", FILE),
            ("due",),
            ("due", "--replay"),
            ("due", f"--as-of={day(4)}"),
            ("batch", FILE),
            ("check", "--history"),
            (),
            ("ci",),
            ("precheck",),
            ("groups",),
            ("route",),
            ("notify", "file", "--dry-run"),
        ):
            done = run(repository, *words)
            if done.code not in (0, 1) or "9999-12-31" in done.out:
                wrong.append((author, words, done))
    assert wrong == []


def test_a_history_in_which_no_commit_has_a_date(repository: GitRepository) -> None:
    repository.write(FILE, memory("A", "B"))
    repository.git("add", "--all")
    header = f"tree {repository.git('write-tree')}\n\nOdd\n".encode()
    words = ("hash-object", "-t", "commit", "-w", "--literally", "--stdin")
    repository.git("update-ref", "refs/heads/main", repository.git(*words, stdin=header))
    assert [entry["active_days"] for entry in ages(repository)["entries"]] == [None, None]
    for command in ("due", "batch"):
        assert run(repository, command, FILE).code == 0


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="one system is enough for a walk over git's own dates")
def test_dates_computed_here_are_those_of_git(repository: GitRepository) -> None:
    """Git dies of some times, so that their days are computed here; the others it prints."""
    keep(repository, 0, memory("A"))
    wrong = []
    for time in ("0", "86400", str(NOON), "253402300799", "253402300800"):
        for zone in ("+0000", "-1200", "+1400", "-9999", "+99999", "+99999999999", "-99999999999"):
            commit_with(repository, f"author A <a@b> {time} {zone}".encode(), memory("A", time))
            computed = raw_day(f"{time} {zone}")
            raw = raw_day(repository.git("log", "-1", "--date=raw", "--format=%ad"))
            try:
                logged = day_of(repository.git("log", "-1", "--format=%as"))
            except GitError:  # it dies of some
                logged = raw
            if not logged == raw == computed:
                wrong.append((time, zone, logged, raw, computed))
    assert wrong == []
