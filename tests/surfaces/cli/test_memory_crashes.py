"""A curation killed, or failed by the disk, at each file operation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.crash_points import CrashPoints, faults
from tests.support.repository import GitRepository
from tests.support.scored_memory import check, observation, observations

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")]
CURATE = ("memory", "curate", "--today", "2026-06-01")
PRINCIPLES = "principles:  # ours\n- id: PR-001\n  text: Cap retries.\n  confidence: 0.30\n"
ARCHIVED = "anti_patterns:\n- {id: AP-001, failed_approach: Waiting., confidence: 0.1}\n"


def write_memory(repository: GitRepository) -> None:
    """Write a memory in which a run changes two files, the second only because of its limits."""
    repository.write(".shaktra/memory/principles.yml", PRINCIPLES)
    repository.write(".shaktra/memory/anti-patterns.yml", ARCHIVED)
    text = "Rates are cached for an hour at most."
    told = observation(1, "fix-rationale", text, tags="rates")
    said = observations(told, check(2, "PR-001", "contradict"))
    repository.write(".shaktra/stories/ST-1/.observations.yml", said)
    repository.write(".shaktra/stories/ST-1/handoff.yml", "completed: 2026-05-04\n")
    repository.commit()


@pytest.mark.soak
def test_killed_anywhere_the_next_run_ends_as_an_undisturbed_one(
    repository: GitRepository, tmp_path: Path
) -> None:
    write_memory(repository)
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        killed = [(point.operation, point.problems()) for point in points.killed(*CURATE)]
    assert [problems for _, problems in killed if problems] == []
    renamed = [Path(operation.path).name for operation, _ in killed if operation.kind == "rename"]
    assert len(renamed) == 4, renamed


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.soak), 5])
def test_a_full_disk_changes_nothing(repository: GitRepository, tmp_path: Path, step: int) -> None:
    write_memory(repository)
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        expected = points.undisturbed(*CURATE)
        stops = [stop for stop in faults(expected.run.operations) if stop.how == "ENOSPC"]
        problems = [
            problem
            for stop in stops[::step]
            for problem in points.point(*CURATE, expected=expected, stop=stop).problems()
        ]
    assert len(stops) > 8
    assert "\n".join(problems) == ""
