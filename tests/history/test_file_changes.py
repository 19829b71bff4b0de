"""What is remembered of a file's commits changes no answer, and saves the walk."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from learnings.core.due.history_facts import HistoryFacts
from learnings.history.file_history import HistoryQuery, open_history
from learnings.history.git import commands as git_commands
from learnings.history.removals import all_changes
from learnings.history.rule_facts import history_facts
from tests.history.memory import FILE, day, forget, keep, memory
from tests.history.oracle.histories import NAMES, random_history
from tests.history.stories import tell
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow


def facts(repository: GitRepository, file: str = FILE) -> HistoryFacts:
    """The facts for the rules on the file in the working tree."""
    query = HistoryQuery(repository.path / file, repository.path, "2027-01-01")
    with open_history(query) as history:
        return history_facts(history)


def commits(repository: GitRepository) -> set[str]:
    """The commits that changed the file under any of its names."""
    query = HistoryQuery(repository.path / FILE, repository.path, "2027-01-01")
    with open_history(query) as history:
        return {change.commit for change in all_changes(history)}


@pytest.mark.soak
@pytest.mark.parametrize("seed", [0, 1, 4])
def test_answers_are_the_same_with_and_without(tmp_path: Path, seed: int) -> None:
    random_history(tmp_path / "r", seed=seed, commits=60)
    repository = GitRepository(tmp_path / "r")
    commits = repository.git("rev-list", "--reverse", "HEAD").splitlines()
    compared = 0
    for number in sorted(random.Random(seed).sample(range(len(commits)), 16)):
        repository.git("reset", "--quiet", "--hard", commits[number])
        file = next((name for name in NAMES if (repository.path / name).is_file()), None)
        if file is not None:
            remembered = [facts(repository, file), facts(repository, file)]
            folder = repository.path / ".git/learnings"
            folder.rename(folder.with_name("kept"))
            assert remembered == [facts(repository, file)] * 2
            forget(repository)
            folder.with_name("kept").rename(folder)
            compared += 1
    assert compared > 8


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The revisions whose changes git is asked for from now on."""
    revisions: list[str] = []
    file_log = git_commands.file_log

    def noted(rev: str, *names: str) -> list[str]:
        revisions.append(rev)
        return file_log(rev, *names)

    monkeypatch.setattr(git_commands, "file_log", noted)
    return revisions


def test_only_new_commits_are_looked_at(repository: GitRepository, walks: list[str]) -> None:
    first = keep(repository, 0, memory("A", "B"))
    facts(repository)
    assert walks == [first]
    facts(repository)
    assert walks == [first]
    second = keep(repository, 1, memory("A"))
    facts(repository)
    assert walks == [first, f"{first}..{second}"]
    third = keep(repository, 2, memory("A", "B"))
    (back,) = facts(repository).resurrected
    assert (back.removed_by, back.returned_by) == (second, third)
    # Where an entry is in the file again, all commits are needed to see how it came back.
    assert walks[2:] == [f"{second}..{third}", third]


def test_another_branch_or_name_is_looked_at_anew(
    repository: GitRepository, walks: list[str]
) -> None:
    first = keep(repository, 0, memory("A", "B"))
    keep(repository, 1, memory("A"))
    facts(repository)
    repository.git("reset", "--quiet", "--hard", first)
    facts(repository)
    assert walks[1:] == [first]
    repository.rename(FILE, "docs/lessons.md")
    renamed = repository.commit(date=day(2))
    facts(repository, "docs/lessons.md")
    assert walks[2] == renamed


@pytest.mark.parametrize(
    ("before", "after", "is_back"),
    [
        # An older file takes the name over.
        ("0 o.md AB; 1 o.md BothB; 2 X; 3 -", "4 o.md>learnings.md BothAB", True),
        # A merge joins an older name.
        ("0 o.md AB; 1 o.md BothB; 2 work: .; 3 main: BothBX", "4 <work BothABX -o.md", True),
        # A merge brings what a branch wrote under the older name.
        (
            "0 o.md AB; 2 work: o.md AWork; 1 main: o.md>learnings.md; 3 ABMain",
            "4 <work AWork -o.md",
            False,
        ),
    ],
)
def test_an_older_name_is_looked_at_once_it_counts(
    repository: GitRepository, before: str, after: str, *, is_back: bool
) -> None:
    tell(repository, before)
    if (repository.path / FILE).exists():
        assert facts(repository).resurrected == ()
        commits(repository)
    tell(repository, after)
    remembered, found = facts(repository), commits(repository)
    forget(repository)
    assert (remembered, found) == (facts(repository), commits(repository))
    assert bool(remembered.resurrected) == is_back


def test_what_cannot_be_read_is_counted_again(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    keep(repository, 1, memory("A"))
    keep(repository, 2, memory("A", "B"))
    expected = facts(repository)
    assert expected.resurrected
    for file in (repository.path / ".git/learnings").glob("file-changes-*.json"):
        for damage in (b"", b"{}", file.read_bytes().replace(b'"value": [', b'"value": [1, ')):
            file.write_bytes(damage)
            assert facts(repository) == expected
