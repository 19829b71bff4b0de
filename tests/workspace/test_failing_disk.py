from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.crash_points import CrashPoints
from tests.support.repository import GitRepository
from tests.support.traced_runs import Stop

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")]

MEMORY = "# Learnings\n\n##When a cache is cold\n\nWarm it.\n"
INDEX = "# Index\n\n## agents/decisions/cli.md\n\n/when a build hangs\n"
# Each look at a folder in which memories may be, and at a file of each role.
LOOKS: dict[tuple[str, str], list[tuple[str, ...]]] = {
    ("scandir", "agents"): [("init",)],
    ("stat", "agents/learnings.md"): [("fix",)],
    ("stat", "agents/decisions/cli.md"): [("precheck", "--all")],
    ("stat", "agents/memory-index.md"): [("fix", "--role=index")],
    ("stat", "learnings.toml"): [("fix",)],
    ("scandir", "agents/decisions"): [("split", "agents/decisions/long.md")],
}


@pytest.fixture
def points(repository: GitRepository, tmp_path: Path) -> Iterator[CrashPoints]:
    repository.write("agents/learnings.md", MEMORY)
    repository.write(
        "agents/decisions/cli.md", "# D\n\n## When a build hangs\n\ntext\n\n## B\n\nx\n"
    )
    sections = "".join(f"## Part {number}\n\ntext\n\n" for number in range(150))
    repository.write("agents/decisions/long.md", f"# A\n\n{sections}")
    repository.write("agents/memory-index.md", INDEX)
    repository.commit()
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        yield points


@pytest.mark.soak
def test_what_cannot_be_looked_at_is_said(points: CrashPoints) -> None:
    problems, codes = [], []
    for look, calls in LOOKS.items():
        for words in calls:
            expected = points.undisturbed(*words)
            for operation in expected.run.operations:
                if (operation.kind, operation.path) == look:
                    stop = Stop(operation.number, "EIO")
                    point = points.point(*words, expected=expected, stop=stop)
                    problems += point.problems()
                    codes.append(point.run.code)
    assert problems == []
    refused = [code for code in codes if code]  # 1: a finding about a file that nobody named
    assert len(refused) > len(LOOKS)


def test_a_repository_is_not_taken_for_a_folder_without_git(points: CrashPoints) -> None:
    words = ("archive", "--from", "HEAD", "--file", "agents/learnings.md")
    expected = points.undisturbed(*words)
    looks = [
        operation.number
        for operation in expected.run.operations
        if (operation.kind, operation.path) == ("stat", ".git")
    ]
    for error, reason in (("EIO", "Input/output error"), ("EACCES", "Permission denied")):
        point = points.point(*words, expected=expected, stop=Stop(looks[0], error))
        assert point.run.code == 2
        assert f".git cannot be read ({reason}); fix this and run again" in point.run.err


@pytest.mark.soak
def test_init_succeeds_once_everything_is_written(points: CrashPoints) -> None:
    expected = points.undisturbed("init")
    operations = expected.run.operations
    written = max(o.number for o in operations if o.writes and o.kind not in {"start", "end"})
    later = [
        o for o in operations if o.number > written and (o.kind == "start" or o.path == ".git")
    ]
    for operation in later:
        point = points.point("init", expected=expected, stop=Stop(operation.number, "EIO"))
        assert point.problems() == []
    assert {operation.kind for operation in later} >= {"start", "stat"}
