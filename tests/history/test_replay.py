"""`learnings due --replay`: each evening of the past as a run on that evening saw it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from tests.history.memory import FILE, Json, day, due, keep, live, memory, run
from tests.support.histories import NAMES, random_history
from tests.support.repository import GitRepository


def replay(repository: GitRepository, *options: str, file: str = FILE) -> Json:
    done = run(repository, "due", file, "--replay", "--format=json", *options)
    assert (done.code, done.err) == (0, ""), done
    (told,) = done.json["files"]
    return told


@pytest.fixture
def story(repository: GitRepository) -> GitRepository:
    """Starved by size on days 3 to 6, due from 7 on, consolidated on day 10, quiet until 20."""
    keep(repository, 0, memory(*"ABCDEF"))
    live(repository, 1, 2)
    repository.git("reset", "--quiet", "--hard")
    keep(repository, 3, memory(*"ABCDEF", lines=160))
    live(repository, 4, 9)
    repository.git("reset", "--quiet", "--hard")
    keep(repository, 10, memory(*"DEF"))
    live(repository, 11, 20)
    repository.git("reset", "--quiet", "--hard")
    return repository


def test_when_it_would_have_fired(story: GitRepository) -> None:
    told = replay(story)
    assert [each["day"] for each in told["evenings"]] == [day(number) for number in range(21)]
    verdicts = [each["verdict"] for each in told["evenings"]]
    assert verdicts == ["not-due"] * 3 + ["starved"] * 4 + ["due"] * 3 + ["not-due"] * 11
    assert told["episodes"] == [
        {"verdict": "starved", "first": day(3), "last": day(6), "active_days": 4},
        {"verdict": "due", "first": day(7), "last": day(9), "active_days": 3},
    ]


def test_what_each_consolidation_found(story: GitRepository) -> None:
    (found,) = replay(story)["consolidations"]
    assert (found["date"], found["removed"], found["overdue"]) == (day(10), 3, 3)
    assert found["before"]["day"] == day(9)
    assert (found["before"]["lines"], found["before"]["batch"]) == (160, 3)


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_the_story_in_words(story: GitRepository, format_name: str) -> None:
    told = run(story, "due", FILE, "--replay", f"--format={format_name}").out
    for part in (day(3), day(7), day(10)):
        assert part in told


def test_as_of_ends_it(story: GitRepository) -> None:
    told = replay(story, "--as-of", day(8))
    assert [each["day"] for each in told["evenings"]][-1] == day(8)
    assert told["consolidations"] == []
    assert told["episodes"][-1]["active_days"] == 2


def test_evenings_begin_with_the_file(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    live(repository, 1, 4)
    repository.git("reset", "--quiet", "--hard")
    keep(repository, 5, memory("A"))
    live(repository, 6, 7)
    assert [each["day"] for each in replay(repository)["evenings"]] == [day(5), day(6), day(7)]


def test_evenings_under_an_older_name(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"), file="old.md")
    repository.commit(date=day(1))
    repository.rename("old.md", FILE)
    repository.commit(date=day(2))
    assert [each["day"] for each in replay(repository)["evenings"]] == [day(0), day(1), day(2)]


def test_a_file_that_was_away_for_a_while(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.remove(FILE)
    repository.commit(date=day(1))
    repository.commit(date=day(2))
    keep(repository, 3, memory("B"))
    assert [each["day"] for each in replay(repository)["evenings"]] == [day(0), day(3)]


def test_a_file_without_history(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    repository.write(FILE, memory("A"))
    repository.git("add", FILE)
    told = replay(repository)
    assert (told["evenings"], told["episodes"], told["consolidations"]) == ([], [], [])


@pytest.mark.parametrize("seed", [0, 2])
def test_an_evening_is_what_a_run_then_would_have_said(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "repository"
    with contextlib.chdir(tmp_path):
        random_history(path, seed=seed, commits=90)
    repository = GitRepository(path)
    thresholds = ("--size-trigger=40", "--staleness-trigger=8", "--freshness=3")
    told = replay(repository, *thresholds, file=NAMES[1])
    here = [
        each
        for each in told["evenings"]
        if repository.git("ls-tree", each["commit"], "--", NAMES[1])
    ]
    assert len(here) > 10
    for each in here[:: max(1, len(here) // 8)]:
        options = ("--at", each["commit"], "--as-of", each["day"], *thresholds)
        done = run(repository, "due", NAMES[1], "--format=json", *options)
        (then,) = done.json["files"]
        numbers = {c["name"]: c["value"] for c in then["conditions"]}
        assert (each["verdict"], each["escalated"]) == (then["verdict"], then["escalated"]), each
        assert each["lines"] == numbers["size"]
        assert each["staleness"] == numbers["staleness"]
        assert each["batch"] == numbers["batch"] == len(then["batch"])


def test_it_is_the_same_warm(story: GitRepository) -> None:
    due(story)
    first = replay(story)
    assert replay(story) == first
