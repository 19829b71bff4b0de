"""The entries that left a file one by one: when they came, and when they went."""

from __future__ import annotations

from learnings.core.due.verdicts import Departure
from learnings.history.file_history import HistoryQuery, open_history
from learnings.history.removals import departures
from tests.history.memory import FILE, body, day, keep, memory
from tests.support.repository import GitRepository


def left(repository: GitRepository) -> list[tuple[str, str]]:
    """The days between which each entry was in the file that left it, newest departure first."""
    query = HistoryQuery(repository.path / FILE, repository.path, "2027-01-01")
    with open_history(query) as history:
        return [_days(departure) for departure in departures(history)]


def _days(departure: Departure) -> tuple[str, str]:
    return departure.added, departure.removed


def test_an_entry_that_left_has_been_there_since_it_was_written(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    keep(repository, 3, memory("One", "B", "C", One=body("A")))
    keep(repository, 5, memory("B", "C"))
    keep(repository, 6, memory("C"))
    assert left(repository) == [(day(0), day(6)), (day(0), day(5))]


def test_an_entry_that_left_twice(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    keep(repository, 1, memory("B"))
    keep(repository, 2, memory("A", "B"))
    keep(repository, 4, memory("B"))
    assert left(repository) == [(day(2), day(4)), (day(0), day(1))]


def test_an_entry_that_a_merge_removed_counts_from_its_older_parent(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory("B"))
    repository.branch("work")
    keep(repository, 1, memory("A", "B"))
    repository.checkout("main")
    keep(repository, 2, memory("A", "B"))
    repository.merge("work", resolve={FILE: memory("B")}, date=day(3))
    assert left(repository) == [(day(1), day(3))]


def test_an_entry_that_two_branches_removed(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    repository.branch("work")
    keep(repository, 1, memory("B"))
    repository.checkout("main")
    keep(repository, 2, memory("B"))
    repository.merge("work", date=day(3))
    assert sorted(left(repository)) == [(day(0), day(1)), (day(0), day(2))]


def test_what_a_consolidation_took_out_and_what_left_before_it_is_done(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory(*"ABCDEF"))
    keep(repository, 1, memory(*"BCDEF"))
    keep(repository, 2, memory(*"EF"))
    keep(repository, 3, memory("F"))
    assert left(repository) == [(day(0), day(3))]


def test_a_file_that_is_not_committed_lost_nothing(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    repository.write(FILE, memory("A"))
    repository.git("add", FILE)
    assert left(repository) == []
