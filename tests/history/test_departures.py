"""The entries that left a file one by one: when they came, and when they went."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from learnings.history import change_dates as module
from learnings.history.change_dates import change_days
from learnings.history.file_history import HistoryQuery, open_history
from learnings.history.git.repository import open_repository
from learnings.history.origins import departures
from tests.history.memory import FILE, day
from tests.history.stories import tell
from tests.support.repository import GitRepository


@pytest.mark.parametrize(
    ("story", "left"),
    [
        ("0 ABC; 3 One=ABC; 5 BC; 6 C", [(0, 6), (0, 5)]),
        ("0 AB; 1 B; 2 AB; 4 B", [(2, 4), (0, 1)]),  # twice
        ("0 B; 1 work: AB; 2 main: AB; 3 <work B", [(1, 3)]),  # with a merge: the older parent
        ("0 AB; 1 work: B; 2 main: B; 3 <work", [(0, 2), (0, 1)]),  # on both branches
        ("0 ABCDEF; 1 BCDEF; 2 EF; 3 F", [(0, 3)]),  # what came before a consolidation is done
        ("0 .; staged A", []),
    ],
)
def test_newest_departure_first(
    repository: GitRepository, story: str, left: list[tuple[int, int]]
) -> None:
    tell(repository, story)
    query = HistoryQuery(repository.path / FILE, repository.path, "2027-01-01")
    with open_history(query) as history:
        found = [(departure.added, departure.removed) for departure in departures(history)]
    assert found == [(day(added), day(removed)) for added, removed in left]


@pytest.mark.parametrize("most", [0, 500])
def test_files_folders_and_what_was_removed(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(module, "_MOST_NAMED", most)
    repository.write("src/a.py", "1")
    repository.write("src/b c.py", "1")
    repository.commit(date="2026-01-01")
    repository.write("src/a.py", "2")
    repository.commit(date="2026-01-02")
    (repository.path / "src/b c.py").unlink()
    repository.commit(date="2026-01-03")
    paths: Collection[str] = {"src", "src/a.py", "src/b c.py", "never.py"}
    assert change_days(open_repository(repository.path), paths) == {
        "src": {"2026-01-01", "2026-01-02", "2026-01-03"},
        "src/a.py": {"2026-01-01", "2026-01-02"},
        "src/b c.py": {"2026-01-01", "2026-01-03"},
    }


def test_nothing_is_asked_for_no_paths(repository: GitRepository) -> None:
    repository.write("a", "1")
    repository.commit()
    assert change_days(open_repository(repository.path), ()) == {}
