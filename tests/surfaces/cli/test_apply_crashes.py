"""`learnings apply` killed, or failed by the disk, at each of its file operations."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import pytest

from learnings.core.entries.archives import not_in
from learnings.core.entries.document import read
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
    merge,
    plan,
)

learnings = Command("learnings")
INDEX = "agents/memory-index.md"
ROWS = f"# Index\n\n## {TARGET}\n\nTokens — a\nInner — b\nKeys — c\n"
WORDS = ("apply", PLAN, *NOW)


JOINED = {
    "merge into Rollback": merge("Cache key"),
    f"add to {TARGET}#Keys": "{Cache tenant}\n\n```\n- What was left.\n```",
    f"move to {TARGET}#Tokens": "{Token}",
    "drop false since the new runner": "{Slow build}",
}
KEPT = {"keep": "{Rollback}", "escalate both claim it": "{Token}"}


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "r")
    for path, text in ((FILE, MEMORY), (TARGET, CACHE), (INDEX, ROWS), (PLAN, plan(EVERYTHING))):
        repository.write(path, text)
    repository.commit(date="2026-03-01")
    # The cache of what history says is there already: tests/store/test_crash_points.py kills that.
    assert learnings(*WORDS, "--dry-run", cwd=repository.path).code == 0
    return repository


def lost(point: CrashPoint) -> list[str]:
    """Return the originals that are neither in their file nor in its archive."""
    originals = [original_of(entry) for entry in read(MEMORY.encode()).entries]
    left = (point.folder / FILE).read_bytes()
    archive = point.folder / ARCHIVE
    missing = not_in(archive.read_bytes() if archive.exists() else b"", originals)
    return [f"{point}: lost {data!r}" for data in missing if data.rstrip() not in left]


@pytest.mark.soak
@pytest.mark.parametrize(("steps", "least"), [(EVERYTHING, 40), (JOINED, 40), (KEPT, 5)])
def test_a_kill_or_a_full_disk_loses_nothing_and_a_second_run_completes(
    repository: GitRepository, tmp_path: Path, steps: Mapping[str, str], least: int
) -> None:
    repository.write(PLAN, plan(steps))
    problems, count = [], 0
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        expected = points.undisturbed(*WORDS)
        writes = [one for one in expected.run.operations if one.writes and one.kind != "start"]
        stops = [stop for stop in faults(writes) if stop.how == "ENOSPC"]
        full = ((points.point(*WORDS, expected=expected, stop=s), s.lasting) for s in stops)
        for point, lasting in chain(((point, False) for point in points.killed(*WORDS)), full):
            count += 1
            problems += lost(point)
            if not lasting:  # then an addition to a target cannot be taken back either
                problems += point.problems()
    assert problems == []
    assert count > least


def test_a_run_on_the_next_day_finds_the_row_of_the_one_that_was_killed(tmp_path: Path) -> None:
    """Before the source is replaced the index has a row with the time stamp of the first run."""
    memory = MEMORY.replace("## ", "## [2026-03-01-120000] ")
    rows = "".join(
        f"{line.removeprefix('## ')} — x\n" for line in memory.splitlines() if "[" in line
    )
    steps = {"merge Cache keys": EVERYTHING["merge Cache keys"]}
    repositories = [GitRepository(tmp_path / name) for name in ("killed", "undisturbed")]
    for repository in repositories:
        repository.write("learnings.toml", f'index = "{INDEX}"\nindexed = ["{FILE}"]\n')
        repository.write(FILE, memory)
        repository.write(INDEX, f"# Index\n\n## {FILE}\n\n{rows}")
        repository.write(PLAN, plan(steps, memory))
        repository.commit(date="2026-03-01")
    killed, undisturbed = repositories
    assert learnings(*WORDS, cwd=killed.path).code == 0
    killed.git("checkout", "--quiet", "--", FILE, PLAN)
    assert b"[2026-05-01-120000] Cache keys (consolidated)" in killed.read(INDEX)
    for repository in repositories:
        words = "apply", PLAN, "--now", "2026-05-02T13:00:00"
        assert learnings(*words, cwd=repository.path).code == 0
    assert killed.read(FILE) == undisturbed.read(FILE)
    assert killed.read(INDEX) == undisturbed.read(INDEX)
    assert learnings("check", "--role", "index", cwd=killed.path).out == ""
