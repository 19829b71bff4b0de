"""Entries keep the day they were first written, however often they moved between files."""

from __future__ import annotations

import random

import pytest

from tests.history.memory import added, ages, body, day, memory
from tests.history.oracle.bruteforce import compared, expected
from tests.support.repository import GitRepository

FILES = ("agents/learnings.md", "agents/lessons.md", "docs/learnings.md")
ARCHIVE = "agents/archive/learnings-consolidated-2026-01-20.md"


def wander(repository: GitRepository, seed: int, moves: int) -> dict[str, list[str]]:
    """Write twelve entries, one a day, and move one a day; return the files that each was in.

    In turn one goes into the archive, one comes back from it, and one goes to another file.
    """
    rng = random.Random(seed)
    ways = {f"T{number}": [FILES[number % 3]] for number in range(12)}
    for number in range(12 + moves):
        if number >= 12:
            kinds = ((FILES, (ARCHIVE,)), ((ARCHIVE,), FILES), (FILES, FILES))
            sources, targets = kinds[number % 3]
            way = ways[rng.choice([title for title in ways if ways[title][-1] in sources])]
            way.append(rng.choice([name for name in targets if name != way[-1]]))
        for name in (*FILES, ARCHIVE):
            titles = [title for title in [*ways][: number + 1] if ways[title][-1] == name]
            rng.shuffle(titles)
            entries = (f"## Group: x\n\n~~~ markdown\n## {t}\n\n{body(t)}\n~~~\n" for t in titles)
            text = "# Archive\n\n" + "\n".join(entries) if name == ARCHIVE else memory(*titles)
            repository.write(name, text)
        repository.commit(date=day(number))
    return ways


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "moves"), [(1, 12), *(pytest.param(s, 60, marks=pytest.mark.soak) for s in range(3))]
)
def test_each_entry_has_the_day_it_was_first_written(
    repository: GitRepository, seed: int, moves: int
) -> None:
    ways = wander(repository, seed, moves)
    days = {title: day(number) for number, title in enumerate(ways)}
    assert any(ARCHIVE in way[1:-1] for way in ways.values())  # archived, and back
    for file in FILES:
        titles = {title for title, way in ways.items() if way[-1] == file}
        for _ in range(2):  # computed, then remembered
            document = ages(repository, file=file)
            assert added(document) == {
                entry["title"]: days[entry["title"]] for entry in document["entries"]
            }
            assert added(document).keys() == titles
            for entry in document["entries"]:
                way = ways[entry["title"]]
                assert entry["moved_from"] == (None, *way)[-2], entry
        values = compared(expected(repository.path, file), ages(repository, file=file))
        assert [value for value in values if value.expected != value.reported] == []
