"""A file that was renamed while branches, merged later, knew it by its older name alone."""

from __future__ import annotations

import pytest

from tests.history.memory import (
    FILE,
    added,
    ages,
    basis,
    body,
    consolidation,
    day,
    forget,
    keep,
    memory,
)
from tests.support.repository import GitRepository

OLDER = "NOTES.md"


@pytest.fixture(params=[False, True], ids=["linear before", "merge before"])
def renamed(request: pytest.FixtureRequest, repository: GitRepository) -> GitRepository:
    """Renamed on `main`; `work` rewrote it under its older name so that git sees no rename.

    A merge before makes a difference to git: it keeps all of them when it looks for one name.
    """
    keep(repository, 0, memory("A", "B", "C", "D"), file=OLDER)
    if request.param:
        _commit_and_merge(repository)
    repository.branch("work")
    keep(repository, 2, memory("A", "Work", "More", "Less", "Next"), file=OLDER)
    repository.checkout("main")
    repository.rename(OLDER, FILE)
    repository.commit(date=day(1))
    keep(repository, 3, memory("A", "B", "C", "D", "Main"))
    return repository


def _commit_and_merge(repository: GitRepository) -> None:
    repository.branch("before")
    repository.commit(date=day(0))
    repository.checkout("main")
    repository.merge("before", date=day(0))


def _merge(repository: GitRepository, number: int, *titles: str) -> str:
    resolve = {FILE: memory(*titles), OLDER: None}
    return repository.merge("work", resolve=resolve, date=day(number))


def test_an_entry_of_the_branch_was_not_moved(renamed: GitRepository) -> None:
    _merge(renamed, 4, "A", "B", "Main", "Work")
    document = ages(renamed)
    assert added(document) == {"A": day(0), "B": day(0), "Main": day(3), "Work": day(2)}
    assert set(basis(document).values()) == {"commit"}


def test_nor_where_nothing_else_in_the_file_is_older_than_the_new_name(
    renamed: GitRepository,
) -> None:
    _merge(renamed, 4, "Main", "Work")
    document = ages(renamed)
    assert added(document) == {"Main": day(3), "Work": day(2)}
    assert set(basis(document).values()) == {"commit"}


@pytest.mark.parametrize("brought", [[], ["More"]], ids=["nothing", "an entry"])
def test_what_the_branch_had_before_makes_an_entry_older_in_later_runs(
    renamed: GitRepository, brought: list[str]
) -> None:
    """The merge brings nothing or something else; only the branch's older name says it."""
    keep(renamed, 5, memory("A", "Main", "Work"))
    assert added(ages(renamed))["Work"] == day(5)
    _merge(renamed, 6, "A", "Main", "Work", *brought)
    assert added(ages(renamed))["Work"] == day(2)
    forget(renamed)
    assert added(ages(renamed))["Work"] == day(2)


def test_a_consolidation_that_the_merge_took_back_counts_in_later_runs(
    renamed: GitRepository,
) -> None:
    assert consolidation(ages(renamed)) is None
    _merge(renamed, 4, "A", "B", "C", "D", "Main", "Extra")
    cached = ages(renamed)
    forget(renamed)
    assert consolidation(cached) == consolidation(ages(renamed))
    assert consolidation(cached) is not None


def test_later_runs_say_the_same(renamed: GitRepository) -> None:
    _merge(renamed, 4, "A", "Main", "Work")
    ages(renamed)
    keep(renamed, 5, memory("Main", "Work"))
    warm = ages(renamed)
    forget(renamed)
    assert ages(renamed) == warm


def test_a_heading_that_the_merge_reworded(renamed: GitRepository) -> None:
    text = memory("Main", "Work").replace("## Work", "## Works")
    renamed.merge("work", resolve={FILE: text, OLDER: None}, date=day(4))
    document = ages(renamed)
    assert added(document) == {"Main": day(3), "Works": day(2)}
    assert basis(document) == {"Main": "commit", "Works": "renamed-heading"}


def test_a_consolidation_on_the_branch_counts_there(renamed: GitRepository) -> None:
    made = (renamed.head("work"), 3)
    _merge(renamed, 4, "A", "Main", "Work")
    assert consolidation(ages(renamed)) == made
    keep(renamed, 5, memory("Main", "Work"))
    assert consolidation(ages(renamed)) == made


def test_a_merge_that_leaves_out_what_the_branch_wrote(renamed: GitRepository) -> None:
    _merge(renamed, 4, "A", "B", "C", "D", "Main")
    assert consolidation(ages(renamed)) == (renamed.head("work"), 3)


def test_a_merge_that_takes_out_what_both_sides_have(renamed: GitRepository) -> None:
    keep(renamed, 4, memory("A", "Work", "More", "Less", "B", "C", "D", "E", "F", "Main"))
    merge = _merge(renamed, 5, "A", "Main")
    assert consolidation(ages(renamed)) == (merge, 3)


def test_where_nothing_asks_for_what_was_before_the_rename(renamed: GitRepository) -> None:
    """Every entry is younger than the new name, and the last consolidation too."""
    keep(renamed, 4, memory("Main", "Less", "X", "Y", "Z"))
    resolve = {FILE: memory("Main", "Less", "X", "Y", "Z", "Work", "Most", Most=body("More"))}
    renamed.merge("work", resolve={**resolve, OLDER: None}, date=day(5))
    consolidated = keep(renamed, 6, memory("Main", "Less", "Work", "Most", Most=body("More")))
    document = ages(renamed)
    assert consolidation(document) == (consolidated, 3)
    assert added(document) == {"Main": day(3), "Less": day(2), "Work": day(2), "Most": day(2)}
    assert [*basis(document).values()] == ["commit", "commit", "commit", "renamed-heading"]


def test_a_merge_that_takes_out_more_than_the_consolidation_before(renamed: GitRepository) -> None:
    keep(renamed, 4, memory("Work", "More", "Less", "Next", "X", "Y", "Z", "Main"))
    keep(renamed, 5, memory("Work", "More", "Less", "Next", "Main"))
    merge = _merge(renamed, 6, "Next", "Main")
    assert consolidation(ages(renamed)) == (merge, 3)


def test_a_merge_since_an_earlier_run(renamed: GitRepository) -> None:
    keep(renamed, 4, memory("Main", "Less", "X", "Y", "Z"))
    keep(renamed, 5, memory("Main", "Less"))
    ages(renamed)
    _merge(renamed, 6, "Main", "Less", "Work")
    warm = ages(renamed)
    assert added(warm) == {"Main": day(3), "Less": day(2), "Work": day(2)}
    forget(renamed)
    assert ages(renamed) == warm


def test_a_branch_that_takes_the_others_entries_under_the_older_name(
    renamed: GitRepository,
) -> None:
    renamed.checkout("work")
    merged = memory("A", "Main", "Work")
    renamed.merge("main", resolve={OLDER: merged, FILE: None}, date=day(4))
    renamed.checkout("main")
    keep(renamed, 5, memory("A", "B", "C", "D", "New"))
    _merge(renamed, 6, "A", "Main", "New", "Work")
    document = ages(renamed)
    assert added(document) == {"A": day(0), "Main": day(3), "New": day(5), "Work": day(2)}
    assert set(basis(document).values()) == {"commit"}


def test_a_merge_that_keeps_every_file_of_its_first_parent(repository: GitRepository) -> None:
    """Git prints no change against that parent, and the rename is the one against the other."""
    keep(repository, 0, memory("A", "B"), file=OLDER)
    _commit_and_merge(repository)
    repository.branch("work")
    keep(repository, 2, memory("A", "B", "Less"), file=OLDER)
    repository.checkout("main")
    repository.remove(OLDER)
    repository.commit(date=day(3))
    keep(repository, 4, memory("A", "B", "Less"))
    repository.merge("work", resolve={OLDER: None}, date=day(5), strategy="ours")
    document = ages(repository)
    assert added(document) == {"A": day(0), "B": day(0), "Less": day(2)}
    assert set(basis(document).values()) == {"commit"}
