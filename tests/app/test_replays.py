"""`learnings due --replay`: each past day as a run at its end would see it."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest

from learnings.history.cached_history import versions_since
from learnings.history.daily_versions import dated_versions
from learnings.history.origins import find_origins_at
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.workspace import Workspace
from tests.history.memory import FILE, Json, configure, day, due, keep, live, memory, run
from tests.history.oracle.histories import NAMES, random_history
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow


def replay(repository: GitRepository, *options: str, file: str = FILE) -> Json:
    done = run(repository, "due", file, "--replay", "--format=json", *options)
    assert (done.code, done.err) == (0, ""), done
    (document,) = done.json["files"]
    return document


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
    document = replay(story)
    assert [daily["day"] for daily in document["evenings"]] == [day(number) for number in range(21)]
    verdicts = [daily["verdict"] for daily in document["evenings"]]
    assert verdicts == ["not-due"] * 3 + ["starved"] * 4 + ["due"] * 3 + ["not-due"] * 11
    assert document["episodes"] == [
        {"verdict": "starved", "first": day(3), "last": day(6), "active_days": 4},
        {"verdict": "due", "first": day(7), "last": day(9), "active_days": 3},
    ]
    (found,) = document["consolidations"]
    assert (found["date"], found["removed"], found["overdue"]) == (day(10), 3, 3)
    before = found["before"]
    assert (before["day"], before["lines"], before["batch"]) == (day(9), 160, 3)
    assert replay(story) == document  # warm, too
    for form in ("text", "markdown"):
        output = run(story, "due", FILE, "--replay", f"--format={form}").out
        assert {day(3), day(7), day(10)} <= {*re.findall(r"\d{4}-\d\d-\d\d", output)}


def test_as_of_ends_it(story: GitRepository) -> None:
    document = replay(story, "--as-of", day(8))
    assert [daily["day"] for daily in document["evenings"]][-1] == day(8)
    assert document["consolidations"] == []
    assert document["episodes"][-1]["active_days"] == 2


def test_evenings_begin_with_the_file_under_its_older_name(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    keep(repository, 1, memory("A"), file="old.md")
    repository.commit(date=day(2))
    repository.rename("old.md", FILE)
    repository.commit(date=day(3))
    repository.remove(FILE)  # for a while
    repository.commit(date=day(4))
    keep(repository, 6, memory("B"))
    evenings = [daily["day"] for daily in replay(repository)["evenings"]]
    assert evenings == [day(1), day(2), day(3), day(6)]


def test_a_version_without_entries_of_the_configured_dialect(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABC"))
    keep(repository, 1, "# Learnings\n\n- one thing\n- another thing\n")
    repository.commit(date=day(2))
    configure(repository, dialect="bullet")
    staleness = [daily["staleness"] for daily in replay(repository)["evenings"]]
    said = [due(repository, "--at", f"HEAD~{n}")["conditions"][1]["value"] for n in (2, 1, 0)]
    assert staleness == said == [None, 0, 1]


def test_a_file_without_history(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    repository.write(FILE, memory("A"))
    repository.git("add", FILE)
    document = replay(repository)
    assert (document["evenings"], document["episodes"], document["consolidations"]) == ([], [], [])


@pytest.mark.parametrize("seed", [0, pytest.param(2, marks=pytest.mark.soak)])
def test_an_evening_is_what_a_run_then_would_have_said(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "repository"
    with contextlib.chdir(tmp_path):
        random_history(path, seed=seed, commits=90)
    repository = GitRepository(path)
    thresholds = ("--size-trigger=40", "--staleness-trigger=8", "--freshness=3")
    document = replay(repository, *thresholds, file=NAMES[1])
    here = [
        daily
        for daily in document["evenings"]
        if repository.git("ls-tree", daily["commit"], "--", NAMES[1])
    ]
    assert len(here) > 10
    for daily in here[:: max(1, len(here) // 8)]:
        options = ("--at", daily["commit"], "--as-of", daily["day"], *thresholds)
        done = run(repository, "due", NAMES[1], "--format=json", *options)
        (then,) = done.json["files"]
        numbers = {c["name"]: c["value"] for c in then["conditions"]}
        assert (daily["verdict"], daily["escalated"]) == (then["verdict"], then["escalated"]), daily
        assert daily["lines"] == numbers["size"]
        assert daily["staleness"] == numbers["staleness"]
        assert daily["batch"] == numbers["batch"] == len(then["batch"])


def test_an_entry_gets_older_with_the_merge_of_the_branch_that_had_it_first(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory())
    repository.branch("side")
    keep(repository, 1, memory("A"))
    repository.checkout("main")
    keep(repository, 3, memory("A"))
    repository.merge("side", date=day(5))
    staleness = {daily["day"]: daily["staleness"] for daily in replay(repository)["evenings"]}
    assert staleness == {day(0): None, day(3): 0, day(5): 2}
    assert due(repository)["conditions"][1]["value"] == 2


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2, 3))]
)
def test_versions_followed_to_the_one_before_are_as_if_each_was_followed_to_its_end(
    seed: int, tmp_path: Path
) -> None:
    path = tmp_path / "repository"
    with contextlib.chdir(tmp_path):
        random_history(path, seed=seed, commits=90)
    with MemoryFile(Workspace.open(path), path / NAMES[1]).history() as history:
        commits = [version.commit for version in reversed(versions_since(history, ""))]
        dated = dict(zip(commits, dated_versions(history, commits), strict=True))
        wrong = []
        for commit, version in dated.items():
            blob = history.graph().blob(commit)
            if version is not None and blob is not None:
                origins = find_origins_at(history.blobs.document(blob), history, commit, {})
                wrong += [d for d in version.entries if origins[d.entry.identity] != d.origin]
    assert len(dated) > 10
    assert wrong == []


def test_a_consolidation_that_a_merge_brought_without_changing_the_file(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory(*"ABCDEF"))
    repository.branch("side")
    keep(repository, 3, memory(*"AB"))
    repository.checkout("main")
    live(repository, 1, 2)
    repository.git("reset", "--quiet", "--hard")
    repository.merge("side", strategy="ours", date=day(4))
    staleness = {daily["day"]: daily["staleness"] for daily in replay(repository)["evenings"]}
    assert staleness == {day(0): 0, day(1): 1, day(2): 2, day(4): 1}
    assert due(repository)["conditions"][1]["value"] == 1
