from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.crash_points import CrashPoints, faults, kills
from tests.support.repository import GitRepository

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")]

MEMORY = (
    "# Learnings\n\n## When a cache is cold\n\nWarm it.  \n\n\n\n## When a queue is full\n\nWait."
)


def test_fix_killed_anywhere_leaves_the_old_file_or_the_new_one(
    repository: GitRepository, tmp_path: Path
) -> None:
    repository.write("agents/learnings.md", MEMORY)
    repository.commit()
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        killed = [(point.operation.kind, point.problems()) for point in points.killed("fix")]
    assert [problems for _, problems in killed if problems] == []
    kinds = {kind for kind, _ in killed}
    assert {"create", "write", "chmod", "rename", "end"} <= kinds


@pytest.mark.soak
def test_due_killed_or_without_room_while_it_writes_its_cache(
    repository: GitRepository, tmp_path: Path
) -> None:
    repository.write("agents/learnings.md", MEMORY)
    repository.commit()
    files, problems = set(), []
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        expected = points.undisturbed("due")
        writes = [o for o in expected.run.operations if o.writes and o.kind not in {"start", "end"}]
        first = writes[: [o.kind for o in writes].index("rename") + 1]  # all are written alike
        full = (stop for stop in faults(first) if stop.how == "ENOSPC")
        for stop in (*kills(writes), *full):
            point = points.point("due", expected=expected, stop=stop)
            files.add(point.operation.path)
            problems += point.problems()
    assert problems == []
    assert len([file for file in files if file.endswith(".part")]) > 2
