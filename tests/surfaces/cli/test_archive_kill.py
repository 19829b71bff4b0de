"""`learnings archive` killed at every file operation, and beside other runs: nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.core.entries.archives import originals_in
from tests.support.command import Command
from tests.support.crash_points import CrashPoint, CrashPoints
from tests.support.repository import GitRepository
from tests.surfaces.cli.test_archive_command import FILE, INDEX, MEMORY

pytestmark = pytest.mark.soak
ENTRIES = (
    b"## When a build hangs\n\nLook at the lock first.\n\n",
    b"## When a test is slow\n\nProfile it.\n\n",
    b"## When mocks lie\n\nUse real ones.",
)
ARCHIVE = ("archive", "When a test is slow", "When mocks lie", "--reason", "x", "--file", FILE)
WAYS = {
    "archive": ARCHIVE,
    "restore": ("archive", "--restore", "When a test is slow", "--file", FILE),
    "from": ("archive", "--from", "HEAD~1", "--file", FILE),
}


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write("learnings.toml", f'indexed = ["{FILE}"]\n')
    titles = "/when a build hangs\n/when a test is slow\n/when mocks lie\n"
    repository.write(INDEX, f"# Index\n\n## {FILE}\n\n{titles}")
    repository.write(FILE, MEMORY)
    repository.commit()
    repository.write("agents/decisions/builds.md", "# Builds\n")
    repository.commit()
    return repository


def lost(point: CrashPoint) -> list[str]:
    """Return the entries that are neither in the file nor, byte for byte, in its archive."""
    data = (point.folder / FILE).read_bytes()
    archives = (point.folder / "agents/archive").glob("*.md")
    originals = {o.data for path in archives for o in originals_in(path.read_bytes())}
    # The blank line above an entry that left is gone with it.
    return [f"{point}: {e!r}" for e in ENTRIES if e.rstrip() not in data and e not in originals]


@pytest.mark.parametrize("way", WAYS)
def test_killed_at_every_file_operation(memory: GitRepository, tmp_path: Path, way: str) -> None:
    if way == "from":
        memory.write(FILE, MEMORY[: MEMORY.index("## When mocks")])
    if way == "restore":
        assert Command("learnings")(*ARCHIVE, cwd=memory.path).code == 0
    problems, count = [], 0
    with CrashPoints(memory.path, tmp_path / "copy") as points:
        for point in points.killed(*WAYS[way]):
            count += 1
            problems += lost(point) if way != "from" else []
            problems += point.problems()
    assert problems == []
    assert count > 5
