"""`learnings split` with obstacles: refused or worked around, and nothing lost."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.surfaces.cli.small_disk import run_with_little_room
from tests.surfaces.cli.test_split_command import (
    CLI,
    FILE,
    LOGGING,
    OTHER,
    SERVICES,
    needs_links,
    with_services,
)

NUMBERED = LOGGING.replace(".md", "-2.md")


@pytest.fixture
def services(repository: GitRepository) -> GitRepository:
    return with_services(repository)


def files_of(repository: GitRepository) -> dict[str, object]:
    """Return what is at each path: bytes of files, targets of links, False for folders."""
    return {
        path.relative_to(repository.path).as_posix(): (
            path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes()
        )
        for path in repository.path.rglob("*")
        if ".git" not in path.parts
    }


def protect(path: Path) -> None:
    path.chmod(0o444)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def leave_conflict(path: Path) -> None:
    text = path.read_text()
    path.write_text(f"{text}\n<<<<<<< HEAD\nours\n=======\n\n## Theirs\n\ntheirs\n>>>>>>> work\n")


def link_out(path: Path) -> None:
    outside = path.parents[3] / "outside.md"
    path.rename(outside)
    path.symlink_to(outside)


def link_nowhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere.md")


REFUSED: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "the file is write-protected": (protect, FILE, f"{FILE} is write-protected"),
    "the file holds a conflict": (leave_conflict, FILE, f"{FILE}:"),
    "the file became a folder": (make_folder, FILE, f"{FILE} is a folder"),
    "the file became a link out": (link_out, FILE, f"{FILE} is outside of the repository"),
    "the file became a dead link": (link_nowhere, FILE, f"{FILE} is a broken link"),
    "a file with links is write-protected": (protect, CLI, f"{CLI} is write-protected"),
}


@needs_links
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_written_is_refused_before_anything_is(
    learnings: Command, services: GitRepository, name: str
) -> None:
    change, path, sentence = REFUSED[name]
    change(services.path / path)
    before = files_of(services)
    run = learnings("split", FILE, "--apply", cwd=services.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert run.err.startswith(f"learnings: {sentence}")
    assert files_of(services) == before


def test_a_file_that_cannot_be_read_is_refused(learnings: Command, services: GitRepository) -> None:
    (services.path / FILE).chmod(0)
    run = learnings("split", FILE, "--apply", cwd=services.path)
    (services.path / FILE).chmod(0o644)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert services.git("status", "--porcelain") == ""


def test_a_file_that_may_have_a_link_and_cannot_be_looked_at_is_named(
    learnings: Command, services: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.name == "cli.md":
            raise OSError(errno.EIO, "Input/output error")
        return os.stat(path, follow_symlinks=follow_symlinks)  # noqa: PTH116

    before = files_of(services)
    with monkeypatch.context() as disk:
        disk.setattr(Path, "stat", stat)
        run = learnings("split", FILE, "--apply", cwd=services.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert run.err.startswith(f"learnings: {CLI} cannot be read")
    assert files_of(services) == before


@needs_links
@pytest.mark.parametrize("change", [make_folder, link_out, link_nowhere])
def test_a_name_that_is_taken_by_anything_gets_a_number(
    learnings: Command, services: GitRepository, change: Callable[[Path], None]
) -> None:
    change(services.write(LOGGING, "# Another\n"))
    before = files_of(services)
    run = learnings("split", FILE, "--apply", cwd=services.path)
    assert run.code == 0
    after = files_of(services)
    assert after[LOGGING] == before[LOGGING]
    assert "Logging" in services.read(NUMBERED).decode()
    assert services.read(CLI).decode() == OTHER.replace(
        "services.md#logging", "services-logging-2.md#logging"
    )


@needs_links
@pytest.mark.parametrize("change", [make_folder, link_out])
def test_what_is_no_file_of_the_repository_any_more_is_left_alone(
    learnings: Command, services: GitRepository, change: Callable[[Path], None]
) -> None:
    change(services.path / CLI)
    assert learnings("split", FILE, "--apply", cwd=services.path).code == 0
    outside = services.path.parent / "outside.md"
    assert not outside.exists() or outside.read_text(encoding="utf-8") == OTHER


@needs_links
def test_a_link_within_the_repository_leads_to_the_file(
    learnings: Command, services: GitRepository
) -> None:
    (services.path / FILE).rename(services.path / "real.md")
    (services.path / FILE).symlink_to("../../real.md")
    assert learnings("split", FILE, "--apply", cwd=services.path).code == 0
    assert (services.path / FILE).is_symlink()
    assert "real-logging.md" in services.read("real.md").decode()


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_a_full_disk_at_each_of_the_files(learnings: Command, services: GitRepository) -> None:
    """The second new file is the smaller one, and FILE is written last."""
    before, codes = files_of(services), []
    words = "split", FILE, "--apply"
    for room in (0, 1, len(SERVICES) // 2048, len(SERVICES) // 1024 + 8):
        run = run_with_little_room(learnings, *words, kilobytes=room, cwd=services.path)
        codes.append(run.returncode)
        if run.returncode:
            assert "File too large" in run.stderr
            assert files_of(services) == before
    assert codes == [2, 2, 2, 0]


@pytest.mark.soak
def test_several_at_once_divide_it_once(learnings: Command, services: GitRepository) -> None:
    command = [str(learnings.path), "split", FILE, "--apply"]
    runs = [subprocess.Popen(command, cwd=services.path) for _ in range(4)]
    codes = sorted(run.wait(timeout=120) for run in runs)
    assert codes[0] == 0
    assert {*codes} <= {0, 2}
    alone = with_services(GitRepository(services.path.with_name("alone")))
    assert learnings("split", FILE, "--apply", cwd=alone.path).code == 0
    assert files_of(services) == files_of(alone)
