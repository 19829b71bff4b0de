"""Entries followed back where it is easy to lose them, each case in a repository of its own."""

from __future__ import annotations

from tests.history.memory import (
    FILE,
    added,
    ages,
    body,
    day,
    keep,
    memory,
)
from tests.support.repository import GitRepository


def test_an_entry_that_an_open_fence_hid(repository: GitRepository) -> None:
    text = memory("A", "B")
    keep(repository, 0, text)
    keep(repository, 1, text.replace("## A\n", "## A\n\n```\n"))
    keep(repository, 2, text.replace("## A\n", "## A\n\n```\n").replace("## B", "```\n\n## B"))
    assert added(ages(repository)) == {"A": day(0), "B": day(0)}


def test_a_heading_that_a_body_shows_is_no_older_entry(repository: GitRepository) -> None:
    shown = "```\n## B\n```"
    keep(repository, 0, memory("A", A=shown))
    keep(repository, 1, memory("A", "B", A=shown))
    assert added(ages(repository)) == {"A": day(0), "B": day(1)}


def test_which_of_two_entries_with_one_heading_is_left(repository: GitRepository) -> None:
    first, second = f"## A\n\n{body('one')}\n\n", f"## A\n\n{body('two')}\n\n"
    keep(repository, 0, f"# L\n\n{first}")
    keep(repository, 1, f"# L\n\n{first}{second}")
    keep(repository, 2, f"# L\n\n{second}")
    assert added(ages(repository)) == {"A": day(1)}
    keep(repository, 3, f"# L\n\n## A\n\nNew words on top.\n\n{second}")
    assert [entry["added"] for entry in ages(repository)["entries"]] == [day(3), day(1)]


def test_another_dialect_on_the_way(repository: GitRepository) -> None:
    plain = f"# L\n\n## [2025-01-01-100000] A\n\n{body('A')}\n\n"
    keep(repository, 0, plain + "".join(f"## Topic {n}\n\n{body(f't{n}')}\n\n" for n in range(3)))
    keep(repository, 1, f"{plain}## [2025-01-02-100000] B\n\n{body('B')}\n")
    assert added(ages(repository)) == {"A": day(0), "B": day(1)}


def test_another_level_of_headings(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    groups = memory("A", "B").replace("## ", "### ").replace("---\n\n", "---\n\n## Builds\n\n")
    keep(repository, 1, groups)
    assert added(ages(repository)) == {"A": day(0), "B": day(0)}


def test_what_a_listed_commit_rewrote_is_paired_by_title_and_order(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory("How to cache", A="x"))
    keep(repository, 1, memory("How to cache", "When it breaks"))
    rewritten = "# L\n\n## When something breaks\n\np q\n\n## Caching\n\nr s\n"
    listed = keep(repository, 2, rewritten)
    assert set(added(ages(repository)).values()) == {day(2)}
    repository.write(".git-blame-ignore-revs", f"{listed}\n")
    repository.commit(date=day(3))
    expected = {"When something breaks": day(1), "Caching": day(0)}
    assert added(ages(repository)) == expected


def test_histories_that_have_no_commit_in_common(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C", "D"))
    repository.git("checkout", "--quiet", "--orphan", "other")
    keep(repository, 1, memory("X", "Y", "A"))
    repository.checkout("main")
    joined = memory("A", "B", "C", "D", "X", "Y")
    repository.git("merge", "--quiet", "--allow-unrelated-histories", "-s", "ours", "other")
    repository.write(FILE, joined)
    repository.git("add", FILE)
    stamp = f"{day(2)}T12:00:00Z"
    repository.git("commit", "--amend", "--no-edit", "-q", f"--date={stamp}")
    document = ages(repository)
    assert added(document) == {t: day(0) for t in "ABCD"} | {"X": day(1), "Y": day(1)}
    assert document["last_consolidation"] is None
