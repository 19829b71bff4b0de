"""Entries keep the day they were first written, however often they moved between files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.memory import added, ages, basis
from tests.history.oracle.bruteforce import compared, expected
from tests.support.moved_entries import ARCHIVE, FILES, MovedEntries
from tests.support.repository import GitRepository


@pytest.fixture(scope="module", params=(1,))
def moved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MovedEntries:
    folder: Path = tmp_path_factory.mktemp("moved")
    return MovedEntries(GitRepository(folder / "repository"), seed=request.param)


def test_the_history_has_entries_of_every_kind(moved: MovedEntries) -> None:
    ways = list(moved.ways.values())
    assert any(len(way) == 1 for way in ways)
    assert any(len({*way}) > 2 for way in ways)  # over two hops
    assert any(ARCHIVE in way[1:-1] and way[0] == way[-1] for way in ways)  # archived, and back


@pytest.mark.parametrize("file", FILES)
def test_each_entry_has_the_day_it_was_first_written(moved: MovedEntries, file: str) -> None:
    titles = moved.files[file]
    for _ in range(2):  # computed, then remembered
        document = ages(moved.repository, file=file)
        assert added(document) == {title: moved.first_days[title] for title in titles}
        assert basis(document) == {
            title: "commit" if len(moved.ways[title]) == 1 else "moved" for title in titles
        }
        sources = {entry["title"]: entry["moved_from"] for entry in document["entries"]}
        assert sources == {title: (None, *moved.ways[title])[-2] for title in titles}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_the_slow_count_says_the_same(moved: MovedEntries, file: str) -> None:
    values = compared(expected(moved.repository.path, file), ages(moved.repository, file=file))
    assert [value for value in values if value.expected != value.reported] == []
