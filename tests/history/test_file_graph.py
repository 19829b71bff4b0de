"""The graph of a file: its names, its versions on the branch, and what comes after a commit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from learnings.history.file_graph import FileGraph
from learnings.history.file_history import HistoryQuery, open_history
from tests.history.memory import FILE
from tests.history.stories import tell
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow


@contextmanager
def graph_of(repository: GitRepository) -> Iterator[FileGraph]:
    """Give the whole graph of the file at HEAD."""
    query = HistoryQuery(repository.path / FILE, repository.path, "2027-01-01")
    with open_history(query) as history:
        yield history.graph()


def mainline(repository: GitRepository) -> list[str]:
    """The commits that gave the branch another version, newest first."""
    with graph_of(repository) as graph:
        return [commit.commit for commit in graph.mainline()]


@pytest.mark.parametrize(
    ("story", "newest_first"),
    [
        ("0 .; 2 work: A; 3 AB; 4 main: .; 5 <work; 6 ABC", "6 5"),  # got with a merge
        ("0 A; 1 work: AB; 2 ABC; 3 main: .; 4 <work", "4 0"),  # a merge is one step
        ("0 A; 1 -; 2 A", "2 1 0"),  # lost, and got again
    ],
)
def test_the_versions_of_the_branch(
    repository: GitRepository, story: str, newest_first: str
) -> None:
    days = tell(repository, story)
    assert " ".join(days[commit] for commit in mainline(repository)) == newest_first


def test_a_commit_has_a_file_under_the_newest_name_that_it_has(repository: GitRepository) -> None:
    # Another file that has the older name is another file.
    story = "0 n.md AB; 1 n.md>o.md; 2 work: o.md ABC; 3 main: o.md>learnings.md; 4 o.md X"
    days = tell(repository, story)
    commits = [commit for commit in days if commit]
    with graph_of(repository) as graph:
        names = [graph.file_in(commit)[0] for commit in commits]
    assert names == ["n.md", "o.md", "o.md", FILE, FILE]
    # A rename gives the branch no other version.
    assert mainline(repository) == commits[:1]


def test_what_comes_after_a_commit_is_on_every_branch(repository: GitRepository) -> None:
    days = tell(repository, "0 A; 1 work: AB; 2 main: CA; 3 <work CAB; 4 -; 5 CAB")
    first, side, main, merge, gone, again = (commit for commit in days if commit)
    with graph_of(repository) as graph:
        assert graph.descendants(first) == {side, main, merge, gone, again}
        assert graph.descendants(side) == {merge, gone, again}
        assert graph.descendants(again) == frozenset()
        assert graph.blob(gone) is None
        assert graph.blob(again) == graph.blob(merge)
