"""`learnings apply` killed, or refused by the disk, at each file operation that it makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.core.entries.document import read
from learnings.core.entries.originals import not_in
from learnings.core.entries.rewriting import original_of
from tests.support.command import Command
from tests.support.crash_points import CrashPoint, CrashPoints, faults
from tests.support.repository import GitRepository
from tests.surfaces.cli.test_apply_command import (
    ARCHIVE,
    CACHE,
    EVERYTHING,
    FILE,
    MEMORY,
    NOW,
    PLAN,
    TARGET,
    plan,
)

INDEX = "agents/memory-index.md"
ROWS = f"# Index\n\n## {TARGET}\n\nTokens — a\nInner — b\nKeys — c\n"
WORDS = ("apply", PLAN, *NOW)


@pytest.fixture
def repository(learnings: Command, tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "r")
    for path, text in ((FILE, MEMORY), (TARGET, CACHE), (INDEX, ROWS), (PLAN, plan(EVERYTHING))):
        repository.write(path, text)
    repository.commit(date="2026-03-01")
    # The cache of what history says is there already: tests/store/test_crash_points.py kills that.
    assert learnings(*WORDS, "--dry-run", cwd=repository.path).code == 0
    return repository


def lost(point: CrashPoint) -> list[str]:
    """Return the originals that stand neither in their file nor in its archive."""
    originals = [original_of(entry) for entry in read(MEMORY.encode()).entries]
    left = {original_of(e).rstrip() for e in read((point.folder / FILE).read_bytes()).entries}
    archive = point.folder / ARCHIVE
    missing = not_in(archive.read_bytes() if archive.exists() else b"", originals)
    return [f"{point}: lost {data!r}" for data in missing if data.rstrip() not in left]


@pytest.mark.slow
def test_a_kill_loses_nothing_and_a_second_run_completes(
    repository: GitRepository, tmp_path: Path
) -> None:
    problems, count = [], 0
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        for point in points.killed(*WORDS):
            count += 1
            problems += [*lost(point), *point.problems()]
    assert problems == []
    assert count > 20


@pytest.mark.slow
def test_a_full_disk_loses_nothing(repository: GitRepository, tmp_path: Path) -> None:
    problems, count = [], 0
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        expected = points.undisturbed(*WORDS)
        writes = [
            operation
            for operation in expected.run.operations
            if operation.writes and operation.kind != "start"
        ]
        for stop in (stop for stop in faults(writes) if stop.how == "ENOSPC"):
            point = points.point(*WORDS, expected=expected, stop=stop)
            count += 1
            problems += lost(point)
            if not stop.lasting:  # then an addition to a target cannot be taken back either
                problems += point.problems()
    assert problems == []
    assert count > 20
