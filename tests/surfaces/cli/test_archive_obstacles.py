"""`learnings archive` with obstacles: refused in one sentence, nothing lost."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from learnings.core.entries.archives import originals_in
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.small_disk import run_with_little_room
from tests.surfaces.cli.test_archive_command import FILE, MEMORY, archive_path

learnings = Command("learnings")
WORDS = ("archive", "When mocks lie", "--reason", "x", "--file", FILE)


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, MEMORY)
    repository.commit()
    return repository


def as_folder(path: Path) -> None:
    path.mkdir(parents=True)


def as_link_out(path: Path) -> None:
    outside = path.parents[3] / "outside.md"
    outside.write_text("outside\n")
    path.parent.mkdir()
    path.symlink_to(outside)


def as_link_to_the_memory(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(f"../{Path(FILE).name}")


def as_file_for_a_folder(path: Path) -> None:
    path.parent.write_text("x\n")


def as_protected_file(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("# Archive\n")
    path.chmod(0o444)


def as_open_fence(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("# Archive\n\n```\nopen\n")


OBSTACLES: dict[Callable[[Path], None], str] = {
    as_folder: "is a folder",
    as_link_out: "out of the repository",
    as_link_to_the_memory: "are the same file",
    as_file_for_a_folder: "(Not a directory)",
    as_protected_file: "is write-protected",
    as_open_fence: "ends inside an unclosed code block or comment",
}


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("obstacle", OBSTACLES, ids=lambda obstacle: obstacle.__name__)
def test_something_in_the_place_of_the_archive(
    memory: GitRepository, obstacle: Callable[[Path], None]
) -> None:
    obstacle(memory.path / archive_path())
    run = learnings(*WORDS, cwd=memory.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert OBSTACLES[obstacle] in run.err
    assert memory.read(FILE).decode() == MEMORY
    if obstacle is as_link_out:
        assert (memory.path.parent / "outside.md").read_text() == "outside\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_a_full_disk(memory: GitRepository) -> None:
    memory.write(FILE, MEMORY + "\n\n## Long\n\n" + "word " * 1000 + "\n")
    words = "archive", "Long", "--reason", "x", "--file", FILE
    run = run_with_little_room(learnings, *words, kilobytes=4, cwd=memory.path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "cannot be written (File too large); nothing was changed" in run.stderr
    assert memory.git("status", "--porcelain", "-uall") == f" M {FILE}"


@pytest.mark.soak
def test_two_at_once_lose_nothing(memory: GitRepository) -> None:
    titles = [f"Case {number}" for number in range(6)]
    entries = [f"## {title}\n\nbody\n\n" for title in titles]
    memory.write(FILE, "# L\n\n" + "".join(entries))
    path = str(learnings.path)
    commands = [[path, "archive", title, "--reason", "x", "--file", FILE] for title in titles]
    runs = [subprocess.Popen(command, cwd=memory.path) for command in commands]
    assert {run.wait(timeout=60) for run in runs} <= {0, 2}
    held = [o.data.decode() for o in originals_in(memory.read(archive_path()))]
    text = memory.read(FILE).decode()
    assert [(entry in text) + held.count(entry) for entry in entries] == [1] * 6
    for title in titles:
        assert learnings("archive", title, "--reason", "x", cwd=memory.path).code == 0
    assert memory.read(FILE) == b"# L\n\n"
    assert sorted(o.data.decode() for o in originals_in(memory.read(archive_path()))) == entries
