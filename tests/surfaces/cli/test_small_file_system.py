"""A real file system that is full or read-only, if mounting is permitted."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

FILE = "agents/learnings.md"
ENTRIES = "".join(
    f"\n## When the cache {n} fails\n\nPut tenant {n} into the key.\n" for n in range(200)
)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Yield the mount point of a tmpfs of one megabyte; skip if mounting is not permitted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.name == "nt" or subprocess.call(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], stderr=subprocess.DEVNULL
    ):
        pytest.skip("mounting is not permitted")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def content(repository: GitRepository) -> dict[str, bytes]:
    paths = (repository.path / "agents").rglob("*")
    return {str(path): path.read_bytes() for path in paths if path.is_file()}


def test_an_archive_is_written_whole_or_not_at_all(disk: Path, learnings: Command) -> None:
    memory = GitRepository(disk / "memory")
    memory.write(FILE, f"# Learnings\n{ENTRIES}")
    memory.commit(date="2026-01-01")
    memory.write(FILE, "# Learnings\n")
    before, filler = content(memory), disk / "filler"
    words = ("archive", "--from", "HEAD", "--file", FILE)
    refused = 0
    for kilobytes in range(0, 64, 4):
        filler.unlink(missing_ok=True)
        room = os.statvfs(disk)
        filler.write_bytes(bytes(room.f_bavail * room.f_frsize - kilobytes * 1024))
        run = learnings(*words, cwd=memory.path)
        if run.code == 0:
            break
        assert (run.code, "cannot be written (No space left" in run.err) == (2, True)
        assert content(memory) == before
        refused += 1
    assert refused >= 2
    assert learnings("verify", "--base", "HEAD", cwd=memory.path).code == 0


def test_a_read_only_file_system_stops_no_reader(disk: Path, learnings: Command) -> None:
    memory = GitRepository(disk / "memory")
    memory.write(FILE, f"# Learnings\n{ENTRIES}")
    memory.commit(date="2026-01-01")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    for command in ("check", "ages", "due", "plan"):
        assert learnings(command, FILE, cwd=memory.path).code == 0
    assert learnings("verify", "--base", "HEAD", cwd=memory.path).code == 0
    run = learnings("baseline", cwd=memory.path)
    assert (run.code, "(Read-only file system); nothing was changed" in run.err) == (2, True)
