"""`learnings tiers compact` killed at every file operation, on a failing disk, and two at once."""

from __future__ import annotations

import hashlib
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.support.crash_points import CrashPoints
from tests.support.repository import GitRepository
from tests.support.tier_stores import FOLDER, raw_file

WORDS = ("tiers", "compact", "--now=2026-04-07T12:00:00Z")
CACHE = ("Put the tenant into the cache key", "Customer {} saw other prices.")
CLOCK = ("Freeze the clock in tests that expire", "It failed at night {}.")


def add(repository: GitRepository, *numbers: int) -> None:
    for number in numbers:
        findings = [(rule, seen.format(number)) for rule, seen in (CACHE, CLOCK)]
        repository.write(f"{FOLDER}/{number}.json", raw_file(f"WU-{number}", findings))
    repository.commit()


def raw_digests(folder: Path) -> dict[str, str]:
    files = sorted((folder / FOLDER).glob("*.json"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(params=["first", "later"])
def store(request: pytest.FixtureRequest, repository: GitRepository) -> GitRepository:
    """Return a repository before its first compaction, or before one in which themes grow."""
    add(repository, 0, 1, 2)
    if request.param == "later":
        with CrashPoints(repository.path, repository.path.with_name("before")) as points:
            points.renew()
            assert points.run(*WORDS).code == 0
            for path in (points.folder / FOLDER).rglob("*.md"):
                name = path.relative_to(points.folder).as_posix()
                repository.write(name, path.read_bytes())
        add(repository, 3, 4, 5)
    return repository


@pytest.mark.soak
@pytest.mark.parametrize("how", ["killed", "failed"])
def test_stopped_at_every_file_operation(store: GitRepository, tmp_path: Path, how: str) -> None:
    problems, count, before = [], 0, raw_digests(store.path)
    with CrashPoints(store.path, tmp_path / "copy") as points:
        # What cannot be read is skipped, as missing data is: only writing has to be all or nothing.
        failed = points.failed(*WORDS, reading=False)
        for point in points.killed(*WORDS) if how == "killed" else failed:
            count += 1
            if raw_digests(point.folder) != before:
                problems.append(f"{point}: a raw file has changed")
            problems += point.problems()
    assert problems == []
    assert count > 10


@pytest.mark.soak
def test_a_plan_killed_at_every_file_operation(store: GitRepository, tmp_path: Path) -> None:
    plan = ("tiers", "compact", "--plan", "--output=plan.md")
    problems, count = [], 0
    with CrashPoints(store.path, tmp_path / "copy") as points:
        points.renew()
        assert points.run(*plan).code == 0
        text = (points.folder / "plan.md").read_text()
        store.write("plan.md", text.replace("## freeze-clock-tests: ", "## clocks: "))
        for point in points.killed("tiers", "compact", "--apply=plan.md", WORDS[-1]):
            count += 1
            problems += point.problems()
    assert "## freeze-clock-tests: " in text
    assert problems == []
    assert count > 10


@pytest.mark.slow
@pytest.mark.parametrize("store", ["first"], indirect=True)
def test_two_runs_at_once(store: GitRepository) -> None:
    program = Path(sysconfig.get_path("scripts")) / "learnings"
    runs = [
        subprocess.Popen([program, *WORDS], cwd=store.path, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    assert [(run.communicate()[1], run.returncode) for run in runs] == [(b"", 0)] * 2
    index = store.read(f"{FOLDER}/INDEX.md").decode()
    assert index.count("themes/") == 2
    assert not list((store.path / FOLDER).rglob("*-2.md"))
