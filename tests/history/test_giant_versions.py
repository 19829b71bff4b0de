"""An older version that is larger than any memory file: read up to the limits, stops no command."""

from __future__ import annotations

import pytest

from learnings.core.entries.document import LARGEST_FILE, MOST_LINES
from tests.history.memory import added, ages, consolidation, day, keep, memory, run
from tests.support.repository import GitRepository

FEW = memory("A", "B", "C", "D")
GIANTS = {
    "lines": FEW + "a\n" * (MOST_LINES + 50_000),
    "bytes": FEW + "text and more text, no heading\n" * (LARGEST_FILE // 20),
}


@pytest.fixture(params=GIANTS)
def repository(repository: GitRepository, request: pytest.FixtureRequest) -> GitRepository:
    """A file of four entries that was a giant for a day, and got a fifth when it was none again."""
    keep(repository, 0, FEW)
    keep(repository, 1, GIANTS[request.param])
    keep(repository, 2, memory("A", "B", "C", "D", "E"))
    return repository


@pytest.mark.slow
def test_entries_keep_their_ages_and_that_commit_is_refused(repository: GitRepository) -> None:
    document = ages(repository)
    assert added(document) == {**dict.fromkeys("ABCD", day(0)), "E": day(2)}
    assert consolidation(document) is None
    done = run(repository, "ages", "learnings.md", "--at=HEAD~1")
    assert (done.code, "has more than" in done.err) == (1, True)


@pytest.mark.soak
def test_no_command_stops(repository: GitRepository) -> None:
    for words in (("due",), ("batch",), ("check", "--history"), ("ci", "--dry-run")):
        assert run(repository, *words).code == 0, words
