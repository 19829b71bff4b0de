"""What branches did to a memory file counts once, where it was done."""

from __future__ import annotations

import pytest

from tests.history.memory import (
    FILE,
    active_days,
    added,
    ages,
    basis,
    body,
    consolidation,
    count_every_removal,
    day,
    keep,
    memory,
)
from tests.support.repository import GitRepository


@pytest.fixture(name="repository")
def every_removal_counts(repository: GitRepository) -> GitRepository:
    """Return a repository in which one removed entry makes a consolidation."""
    return count_every_removal(repository)


@pytest.fixture
def forked(repository: GitRepository) -> GitRepository:
    """A memory of A, B, C and D from day 0, and a branch `work` from there; main is checked out."""
    keep(repository, 0, memory("A", "B", "C", "D"))
    repository.git("branch", "work")
    return repository


def test_an_entry_written_on_a_branch_is_as_old_as_it_is(forked: GitRepository) -> None:
    forked.checkout("work")
    keep(forked, 1, memory("A", "B", "C", "D", "E"))
    forked.checkout("main")
    forked.commit(date=day(2))
    forked.merge("work", date=day(9))
    document = ages(forked)
    assert added(document)["E"] == day(1)
    assert active_days(document)["E"] == 2
    assert set(basis(document).values()) == {"commit"}


def test_entries_written_on_both_sides(forked: GitRepository) -> None:
    keep(forked, 1, memory("Main", "A", "B", "C", "D"))
    forked.checkout("work")
    keep(forked, 2, memory("A", "B", "C", "D", "Work"))
    forked.checkout("main")
    forked.merge("work", date=day(3))
    document = ages(forked)
    assert added(document)["Main"] == day(1)
    assert added(document)["Work"] == day(2)
    assert document["last_consolidation"] is None


def test_a_consolidation_on_a_branch_counts_once_where_it_was_made(forked: GitRepository) -> None:
    forked.checkout("work")
    removing = keep(forked, 1, memory("A", "B"))
    forked.checkout("main")
    forked.commit(date=day(2))
    forked.merge("work", date=day(3))
    document = ages(forked)
    assert consolidation(document) == (removing, 2)
    assert document["last_consolidation"]["active_days"] == 2


def test_a_consolidation_on_a_branch_that_the_merge_reworks(forked: GitRepository) -> None:
    forked.checkout("work")
    removing = keep(forked, 1, memory("A", "B", "C"))
    forked.checkout("main")
    keep(forked, 2, memory("A", "B", "C", "D", "E"))
    forked.merge("work", date=day(3), resolve={FILE: memory("A", "B", "C", "E")})
    assert consolidation(ages(forked)) == (removing, 1)


def test_consolidations_on_both_sides(forked: GitRepository) -> None:
    keep(forked, 1, memory("A", "B", "C"))
    forked.checkout("work")
    newest = keep(forked, 2, memory("C", "D"))
    forked.checkout("main")
    forked.merge("work", date=day(3), resolve={FILE: memory("C")})
    assert consolidation(ages(forked)) == (newest, 2)


def test_a_merge_that_removes_relative_to_every_parent(forked: GitRepository) -> None:
    forked.checkout("work")
    keep(forked, 1, memory("A", "B", "C", "D", "Work"))
    forked.checkout("main")
    keep(forked, 2, memory("Main", "A", "B", "C", "D"))
    merge = forked.merge("work", date=day(3), resolve={FILE: memory("A", "B", "C", "Work")})
    document = ages(forked)
    assert consolidation(document) == (merge, 1)
    assert document["last_consolidation"]["date"] == day(3)


def test_a_merge_that_removes_what_one_parent_had_is_none(forked: GitRepository) -> None:
    forked.checkout("work")
    keep(forked, 1, memory("A", "B", "C", "D", "Work"))
    forked.checkout("main")
    keep(forked, 2, memory("Main", "A", "B", "C", "D"))
    forked.merge("work", date=day(3), resolve={FILE: memory("A", "B", "C", "D")})
    assert ages(forked)["last_consolidation"] is None


def test_a_merge_that_resurrects(forked: GitRepository) -> None:
    removing = keep(forked, 1, memory("A", "B"))
    forked.checkout("work")
    keep(forked, 2, memory("A", "B", "C", "D", "E"))
    forked.checkout("main")
    forked.merge("work", date=day(3), resolve={FILE: memory("A", "B", "C", "D", "E")})
    document = ages(forked)
    assert consolidation(document) == (removing, 2)
    expected = {title: day(0) for title in "ABCD"} | {"E": day(2)}
    assert added(document) == expected


def test_a_merge_that_drops_a_branch(forked: GitRepository) -> None:
    forked.checkout("work")
    removing = keep(forked, 1, memory("A", "B"))
    forked.checkout("main")
    forked.commit(date=day(2))
    forked.merge("work", date=day(3), strategy="ours")
    document = ages(forked)
    assert consolidation(document) == (removing, 2)
    assert set(added(document).values()) == {day(0)}


def test_an_entry_that_a_merge_wrote(forked: GitRepository) -> None:
    forked.checkout("work")
    forked.commit(date=day(1))
    forked.checkout("main")
    forked.commit(date=day(2))
    forked.merge("work", date=day(3), resolve={FILE: memory("A", "B", "C", "D", "New")})
    document = ages(forked)
    assert added(document)["New"] == day(3)
    assert document["last_consolidation"] is None


def test_a_heading_that_a_merge_reworded(forked: GitRepository) -> None:
    forked.checkout("work")
    keep(forked, 1, memory("A", "B", "C", "D", "Work"))
    forked.checkout("main")
    keep(forked, 2, memory("Main", "A", "B", "C", "D"))
    titles = ("Main", "A", "Bee", "C", "D", "Work")
    forked.merge("work", date=day(3), resolve={FILE: memory(*titles, Bee=body("B"))})
    document = ages(forked)
    assert added(document)["Bee"] == day(0)
    assert basis(document)["Bee"] == "renamed-heading"
    assert document["last_consolidation"] is None


def test_a_heading_reworded_on_a_branch(forked: GitRepository) -> None:
    forked.checkout("work")
    keep(forked, 1, memory("A", "Bee", "C", "D", Bee=body("B")))
    forked.checkout("main")
    keep(forked, 2, memory("Main", "A", "B", "C", "D"))
    forked.merge("work", date=day(3))
    document = ages(forked)
    assert added(document)["Bee"] == day(0)
    assert document["last_consolidation"] is None


def test_an_octopus(forked: GitRepository) -> None:
    forked.checkout("work")
    removing = keep(forked, 1, memory("B", "C", "D"))
    forked.branch("more", "main")
    keep(forked, 2, memory("A", "B", "C", "D", "E"))
    forked.checkout("main")
    forked.commit(date=day(3))
    octopus = _octopus(forked, 4, memory("B", "C", "E"))
    document = ages(forked)
    assert added(document) == {"B": day(0), "C": day(0), "E": day(2)}
    assert consolidation(document) == (octopus, 1)
    forked.git("reset", "--quiet", "--hard", "main~1")
    forked.git("reset", "--quiet", "--hard", "work")
    assert consolidation(ages(forked)) == (removing, 1)


def test_an_octopus_that_rewords_writes_and_takes_out(forked: GitRepository) -> None:
    forked.checkout("work")
    keep(forked, 1, memory("A", "B", "C", "D", "Work"))
    forked.branch("more", "main")
    keep(forked, 2, memory("A", "B", "C", "D", "More"))
    forked.checkout("main")
    keep(forked, 3, memory("Main", "A", "B", "C", "D"))
    titles = ("Main", "A", "B", "Works", "Mores", "New")
    octopus = _octopus(forked, 4, memory(*titles, Works=body("Work"), Mores=body("More")))
    document = ages(forked)
    assert added(document) == {
        "Main": day(3),
        "A": day(0),
        "B": day(0),
        "Works": day(1),
        "Mores": day(2),
        "New": day(4),
    }
    assert basis(document)["Mores"] == "renamed-heading"
    assert consolidation(document) == (octopus, 2)


def _octopus(repository: GitRepository, number: int, text: str) -> str:
    """Merge `work` and `more` into `main` on a day, with a memory that none of them need have."""
    repository.write(FILE, text)
    repository.git("add", FILE)
    tree = repository.git("write-tree")
    parents = [word for name in ("main", "work", "more") for word in ("-p", name)]
    stamp = f"{day(number)}T12:00:00Z"
    stamps = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    octopus = repository.git("commit-tree", tree, *parents, "-m", "Merge", env=stamps)
    repository.git("reset", "--quiet", "--hard", octopus)
    return octopus


def test_a_file_renamed_here_and_extended_there(forked: GitRepository) -> None:
    forked.rename(FILE, "agents/memory.md")
    forked.commit(date=day(1))
    forked.checkout("work")
    keep(forked, 2, memory("A", "B", "C", "D", "E"))
    forked.checkout("main")
    forked.merge("work", date=day(3))
    document = ages(forked, file="agents/memory.md")
    assert added(document) == {title: day(0) for title in "ABCD"} | {"E": day(2)}
    assert document["last_consolidation"] is None


def test_a_file_renamed_there_and_consolidated_here(forked: GitRepository) -> None:
    removing = keep(forked, 1, memory("A", "B", "C"))
    forked.checkout("work")
    forked.rename(FILE, "agents/memory.md")
    forked.commit(date=day(2))
    forked.checkout("main")
    forked.merge("work", date=day(3))
    assert consolidation(ages(forked, file="agents/memory.md")) == (removing, 1)


def test_histories_that_have_no_commit_in_common(forked: GitRepository) -> None:
    forked.git("checkout", "--quiet", "--orphan", "other")
    keep(forked, 1, memory("X", "Y", "A"))
    forked.checkout("main")
    joined = memory("A", "B", "C", "D", "X", "Y")
    forked.git("merge", "--quiet", "--allow-unrelated-histories", "-s", "ours", "other")
    forked.write(FILE, joined)
    forked.git("add", FILE)
    stamp = f"{day(2)}T12:00:00Z"
    forked.git("commit", "--amend", "--no-edit", "-q", f"--date={stamp}")
    document = ages(forked)
    assert added(document) == {t: day(0) for t in "ABCD"} | {"X": day(1), "Y": day(1)}
    assert document["last_consolidation"] is None


def test_merges_that_cross(forked: GitRepository) -> None:
    keep(forked, 1, memory("Main", "A", "B", "C", "D"))
    forked.checkout("work")
    removing = keep(forked, 2, memory("A", "B", "C", "Work"))
    forked.git("tag", "work-then")
    forked.merge("main", date=day(3), resolve={FILE: memory("Main", "A", "B", "C", "Work")})
    forked.checkout("main")
    forked.merge("work-then", date=day(4), resolve={FILE: memory("Main", "A", "B", "C", "Work")})
    forked.merge("work", date=day(5))
    document = ages(forked)
    assert consolidation(document) == (removing, 1)
    assert added(document) == {"Main": day(1), "Work": day(2)} | {t: day(0) for t in "ABC"}
