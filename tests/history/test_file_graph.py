"""The graph of a file: its names, its versions on the branch, and what comes after a commit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from learnings.history.file_graph import FileGraph
from learnings.history.file_history import HistoryQuery, open_history
from tests.history.memory import FILE, day, keep, live, memory
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

OLDER = "docs/lessons.md"


@contextmanager
def graph_of(repository: GitRepository) -> Iterator[FileGraph]:
    """Give the whole graph of the file at HEAD."""
    query = HistoryQuery(repository.path / FILE, repository.path, "2027-01-01")
    with open_history(query) as history:
        yield history.through_renames(lambda: history.graph().whole())


def mainline(repository: GitRepository) -> list[str]:
    """The commits that gave the branch another version, newest first."""
    with graph_of(repository) as graph:
        return [commit.commit for commit in graph.mainline()]


def test_a_branch_gets_a_file_with_the_merge_that_brings_it(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    repository.branch("work")
    keep(repository, 2, memory("A"))
    keep(repository, 3, memory("A", "B"))
    repository.checkout("main")
    live(repository, 4, 4)
    merge = repository.merge("work", date=day(5))
    later = keep(repository, 6, memory("A", "B", "C"))
    assert mainline(repository) == [later, merge]


def test_a_merge_is_one_step_of_its_branch(repository: GitRepository) -> None:
    first = keep(repository, 0, memory("A"))
    repository.branch("work")
    keep(repository, 1, memory("A", "B"))
    keep(repository, 2, memory("A", "B", "C"))
    repository.checkout("main")
    live(repository, 3, 3)
    merge = repository.merge("work", date=day(4))
    assert mainline(repository) == [merge, first]


def test_a_branch_can_lose_a_file_and_get_it_again(repository: GitRepository) -> None:
    first = keep(repository, 0, memory("A"))
    repository.remove(FILE)
    gone = repository.commit(date=day(1))
    again = keep(repository, 2, memory("A"))
    assert mainline(repository) == [again, gone, first]
    with graph_of(repository) as graph:
        assert graph.blob(gone) is None
        assert graph.blob(again) == graph.blob(first)


def test_a_commit_has_a_file_under_the_newest_name_that_it_has(repository: GitRepository) -> None:
    oldest = keep(repository, 0, memory("A", "B"), file="notes.md")
    repository.rename("notes.md", OLDER)
    older = repository.commit(date=day(1))
    repository.branch("work")
    kept = keep(repository, 2, memory("A", "B", "C"), file=OLDER)
    repository.checkout("main")
    repository.rename(OLDER, FILE)
    renamed = repository.commit(date=day(3))
    # Another file that has the older name is another file.
    other = keep(repository, 4, memory("X"), file=OLDER)
    with graph_of(repository) as graph:
        names = [graph.path_in(commit) for commit in (oldest, older, kept, renamed, other)]
    assert names == ["notes.md", OLDER, OLDER, FILE, FILE]
    # A rename gives the branch no other version.
    assert mainline(repository) == [oldest]


def test_what_comes_after_a_commit_is_on_every_branch(repository: GitRepository) -> None:
    first = keep(repository, 0, memory("A"))
    repository.branch("work")
    side = keep(repository, 1, memory("A", "B"))
    repository.checkout("main")
    main = keep(repository, 2, memory("C", "A"))
    merge = repository.merge("work", date=day(3), resolve={FILE: memory("C", "A", "B")})
    with graph_of(repository) as graph:
        assert graph.descendants(first) == {side, main, merge}
        assert graph.descendants(side) == {merge}
        assert graph.descendants(merge) == frozenset()
