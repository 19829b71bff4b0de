"""Entries followed back where it is easy to lose them, each case in a repository of its own."""

from __future__ import annotations

import pytest

from tests.history.memory import (
    FILE,
    added,
    ages,
    basis,
    body,
    configure,
    day,
    forget,
    keep,
    memory,
)
from tests.support.repository import GitRepository


def test_reworded_twice_with_a_merge_between(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    repository.branch("work")
    keep(repository, 1, memory("One", "B", One=body("A")))
    repository.checkout("main")
    keep(repository, 2, memory("Z", "A", "B"))
    merged = memory("Z", "One", "B", One=body("A"))
    repository.merge("work", resolve={FILE: merged}, date=day(3))
    keep(repository, 4, merged.replace("## One", "## Two"))
    document = ages(repository)
    assert added(document) == {"Z": day(2), "Two": day(0), "B": day(0)}
    assert basis(document)["Two"] == "renamed-heading"


def test_reworded_before_and_after_the_file_was_renamed(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"), file="NOTES.md")
    keep(repository, 1, memory("One", "B", One=body("A")), file="NOTES.md")
    repository.rename("NOTES.md", FILE)
    repository.commit(date=day(2))
    keep(repository, 3, memory("Two", "B", Two=body("A")))
    assert added(ages(repository)) == {"Two": day(0), "B": day(0)}


def test_the_oldest_of_two_parents_that_have_an_entry(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.branch("work")
    keep(repository, 1, memory("A", "Same"))
    repository.checkout("main")
    keep(repository, 2, memory("A", "Same"))
    repository.merge("work", resolve={FILE: memory("A", "Same")}, date=day(3))
    assert added(ages(repository)) == {"A": day(0), "Same": day(1)}


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


def test_a_clock_that_was_wrong(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.write(FILE, memory("A", "B"))
    repository.commit(date=day(1), committer_date=day(30))
    repository.branch("work")
    repository.write(FILE, memory("A", "B", "C"))
    repository.commit(date=day(2), committer_date=day(2))
    repository.checkout("main")
    repository.write(FILE, memory("Z", "A", "B"))
    repository.commit(date=day(3), committer_date=day(3))
    repository.merge("work", resolve={FILE: memory("Z", "A", "B", "C")}, date=day(4))
    expected = {"Z": day(3), "A": day(0), "B": day(1), "C": day(2)}
    assert added(ages(repository)) == expected


@pytest.mark.parametrize("renamed_first", [True, False])
def test_a_branch_that_knows_the_file_by_its_older_name(
    repository: GitRepository, *, renamed_first: bool
) -> None:
    keep(repository, 0, memory("A", "B"), file="NOTES.md")
    repository.branch("work")
    keep(repository, 2, memory("A", "B", "Same"), file="NOTES.md")
    repository.checkout("main")
    repository.rename("NOTES.md", FILE)
    repository.commit(date=day(1 if renamed_first else 3))
    keep(repository, 4, memory("A", "B", "Same"))
    resolve = {FILE: memory("A", "B", "Same"), "NOTES.md": None}
    repository.merge("work", resolve=resolve, date=day(5))
    assert added(ages(repository)) == {"A": day(0), "B": day(0), "Same": day(2)}


@pytest.mark.slow
def test_later_runs_look_at_new_commits_and_say_the_same(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    wrong = []
    for number in range(1, 12):
        if number % 4 == 1:
            repository.branch("work")
            keep(repository, number, memory("A", "B", "Work", Work=body(f"w{number}")))
            repository.checkout("main")
        elif number % 4 == 3:
            text = memory("A", "B", "Work", "Main", Work=body(f"w{number}"))
            repository.merge("work", resolve={FILE: text}, date=day(number))
            repository.git("branch", "-D", "work")
        else:
            keep(repository, number, memory("A", "B", "Main", Main=body(f"m{number}")))
        warm = [added(ages(repository)), added(ages(repository))]
        forget(repository)
        if warm != [added(ages(repository))] * 2:
            wrong.append((number, warm))
    assert wrong == []


def test_a_configured_minimum_changes_no_age(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    keep(repository, 1, memory("A"))
    before = added(ages(repository))
    configure(repository, consolidation_min_removed=1)
    assert added(ages(repository)) == before == {"A": day(0)}
