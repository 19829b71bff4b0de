from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from learnings.store import files
from learnings.store.files import Change, ChangedMeanwhile, WriteError, replace_content, write

POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
OLD, NEW = b"# Old\r\n\r\nno newline", b"# New\n\xff\x00\r"

LIMITED = """
import resource, sys
from pathlib import Path
from learnings.store.files import Change, WriteError, write
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write(Path(sys.argv[1]), [Change("small", None, b"s"), Change("file", b"old", b"n" * 2000)])
except WriteError as error:
    print(error)
"""
APPEND = """
import sys
from pathlib import Path
from learnings.store.files import Change, WriteError, write
root, name = Path(sys.argv[1]), sys.argv[2].encode()
for number in range(20):
    while True:
        before = (root / "file").read_bytes()
        try:
            write(root, [Change("file", before, before + b"%s %d\\n" % (name, number))])
            break
        except WriteError:
            pass
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "file").write_bytes(OLD)
    return root


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """Give a folder for everybody, and be nobody if the tests run as the superuser."""
    if os.name == "nt":
        pytest.skip("Windows has no such rights")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        was = os.geteuid()
        if was == 0:
            os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            os.seteuid(was)
            Path(folder).chmod(0o777)


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if not path.is_dir()
    }


def test_file_is_made_with_its_folders_and_no_descriptor_stays_open(root: Path) -> None:
    os.close(free := os.open(os.devnull, os.O_RDONLY))
    write(root, [Change("deep/er/new", None, NEW), Change("deep/other", None, b"")])
    os.close(now_free := os.open(os.devnull, os.O_RDONLY))
    assert now_free == free
    assert contents(root) == {"file": OLD, "deep/er/new": NEW, "deep/other": b""}


def test_nothing_to_write_touches_nothing(root: Path) -> None:
    before = (root / "file").stat()
    write(root, [Change("file", OLD, OLD)])
    write(root, [])
    assert (root / "file").stat() == before


@POSIX
@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs the superuser")
def test_owner_is_kept(root: Path) -> None:
    os.chown(root / "file", 1234, 2345)
    write(root, [Change("file", OLD, NEW)])
    status = (root / "file").stat()
    assert (status.st_uid, status.st_gid) == (1234, 2345)


@POSIX
def test_file_of_somebody_else_in_a_folder_of_ours(unprivileged: Path) -> None:
    (unprivileged / "file").write_bytes(OLD)
    if os.getuid() == 0:
        nobody = os.geteuid()
        os.seteuid(0)
        os.chown(unprivileged / "file", 1234, 2345)
        (unprivileged / "file").chmod(0o666)
        os.seteuid(nobody)
    write(unprivileged, [Change("file", OLD, NEW)])
    assert contents(unprivileged) == {"file": NEW}


@POSIX
def test_link_inside_stays_and_its_target_is_replaced(root: Path) -> None:
    (root / "docs").mkdir()
    (root / "docs" / "link").symlink_to("../file")
    write(root, [Change("docs/link", OLD, NEW)])
    assert (root / "docs" / "link").is_symlink()
    assert (root / "file").read_bytes() == NEW
    assert not (root / "file").is_symlink()


def test_other_hard_links_keep_the_old_content(root: Path) -> None:
    os.link(root / "file", root / "other")
    write(root, [Change("file", OLD, NEW)])
    assert contents(root) == {"file": NEW, "other": OLD}


def test_change_in_the_last_moment_is_not_overwritten(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(temporary: Path, data: bytes, like: os.stat_result | None) -> None:
        original(temporary, data, like)
        (root / "file").write_bytes(b"saved by an editor")

    original = files.fill_temporary
    monkeypatch.setattr(files, "fill_temporary", slow)
    with pytest.raises(WriteError, match=r"^another process changed file;"):
        write(root, [Change("file", OLD, NEW)])
    assert contents(root) == {"file": b"saved by an editor"}


@POSIX
def test_full_disk_leaves_everything_as_it_was(root: Path) -> None:
    (root / "file").write_bytes(b"old")
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, root], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("file cannot be written (File too large); nothing was changed")
    assert contents(root) == {"file": b"old"}


@pytest.mark.parametrize(
    "change",
    [
        lambda root: write(root, [Change("file", OLD, NEW)]),
        lambda root: replace_content(root / "file", NEW),
    ],
)
def test_what_killed_runs_have_left_is_cleared_away(
    root: Path, change: Callable[[Path], None]
) -> None:
    dead, alive = (f".learnings-{character * 16}.tmp" for character in "da")
    users = {"x.tmp": 7200, ".learnings-notes.tmp": 7200, f".learnings-{'x' * 16}.tmp": 7200}
    for name, age in {dead: 7200, alive: 10, **users}.items():
        (root / name).touch()
        then = time.time() - age
        os.utime(root / name, (then, then))
    change(root)
    assert set(contents(root)) == {"file", alive, *users}


@pytest.mark.slow
def test_writers_at_the_same_time_lose_nothing(root: Path) -> None:
    (root / "file").write_bytes(b"")
    names = ["one", "two", "three"]
    runs = [subprocess.Popen([sys.executable, "-c", APPEND, root, name]) for name in names]
    assert [run.wait(timeout=60) for run in runs] == [0, 0, 0]
    lines = (root / "file").read_bytes().decode().splitlines()
    assert sorted(lines) == sorted(f"{name} {number}" for name in names for number in range(20))
    assert set(contents(root)) == {"file"}


def test_what_cannot_be_restored_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "last").write_bytes(OLD)
    replaced: list[str] = []
    replace = Path.replace

    def failing(self: Path, target: Path) -> Path:
        replaced.append(target.name)
        if len(replaced) > 1:
            raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(WriteError, match="and file cannot be restored; restore from git"):
        write(root, [Change("file", OLD, NEW), Change("last", OLD, NEW)])
    assert contents(root) == {"file": NEW, "last": OLD}


def test_lock_that_cannot_be_closed_is_no_failed_write(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(descriptor: int) -> None:
        close(descriptor)
        raise OSError(errno.EIO, "Input/output error")

    close = os.close
    with monkeypatch.context() as patch:
        patch.setattr("learnings.store.files.os.close", failing)
        write(root, [Change("file", OLD, NEW)])
    assert contents(root) == {"file": NEW}


def test_a_file_that_goes(root: Path) -> None:
    (root / "last").write_bytes(OLD)
    write(root, [Change("file", OLD, None), Change("last", OLD, NEW)])
    assert contents(root) == {"last": NEW}
    with pytest.raises(ChangedMeanwhile):
        write(root, [Change("last", OLD, None)])
    assert contents(root) == {"last": NEW}


def test_a_file_that_went_comes_back_with_its_mode_where_a_later_step_fails(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "file").chmod(0o640)
    (root / "last").write_bytes(OLD)
    unlink = Path.unlink

    def failing(self: Path, **words: bool) -> None:
        if self.name == "last":
            raise OSError(5, "Input/output error")
        unlink(self, **words)

    monkeypatch.setattr(Path, "unlink", failing)
    with pytest.raises(WriteError, match=r"^last cannot be written \(Input/output error\)"):
        write(root, [Change("file", OLD, None), Change("last", OLD, None)])
    assert contents(root) == {"file": OLD, "last": OLD}
    assert (root / "file").stat().st_mode & 0o777 == 0o640


@POSIX
def test_mode_is_kept_and_a_new_file_has_that_of_the_umask(root: Path) -> None:
    (root / "file").chmod(0o664)
    before = os.umask(0o027)
    try:
        write(root, [Change("file", OLD, NEW), Change("new", None, NEW)])
    finally:
        os.umask(before)
    modes = [(root / name).stat().st_mode & 0o7777 for name in ("file", "new")]
    assert modes == [0o664, 0o640]


@POSIX
@pytest.mark.parametrize(
    ("path", "before", "match"),
    [
        ("folder", None, "folder is not a regular file"),
        ("pipe", OLD, "pipe is not a regular file"),
        ("file/new", None, r"^file/new cannot be written \(Not a directory\)"),
        ("file", b"something else", "^another process changed file;"),
        ("file", None, "^another process changed file;"),
        ("gone", OLD, "^another process changed gone;"),
        ("closed", OLD, "closed is write-protected"),
        ("link", OLD, "link and other are the same file"),
        ("loop", OLD, "^loop "),
        ("dangling", OLD, "^dangling "),
        ("outside", OLD, "^outside .*out of the repository"),
        ("below/new", None, "out of the repository"),
        ("../outside/new", None, "out of the repository"),
        ("to-git", OLD, "^to-git "),
        (".git/config", None, r"leads into \.git, where `learnings` does not write"),
        ("git~1/config", None, r"leads into \.git, where `learnings` does not write"),
        ("deep/.GIT/config", None, r"leads into \.git, where `learnings` does not write"),
        (".git ./config", None, r"leads into \.git, where `learnings` does not write"),
        (".g\u200cit/config", None, r"leads into \.git, where `learnings` does not write"),
    ],
)
def test_what_is_refused_changes_nothing(
    root: Path, path: str, before: bytes | None, match: str
) -> None:
    outside = root.with_name("outside")
    for folder in (outside, root / "folder", root / ".git"):
        folder.mkdir()
    for file in (outside / "file", root / "other", root / "closed", root / ".git/x"):
        file.write_bytes(OLD)
    links = {"link": "other", "loop": "loop", "dangling": "nowhere", "to-git": ".git/x"}
    for name, goal in (links | {"outside": "../outside/file", "below": "../outside"}).items():
        (root / name).symlink_to(goal)
    (root / "closed").chmod(0o444)
    kept = {name: (root / name).read_bytes() for name in ("file", "other", "closed", ".git/x")}
    os.mkfifo(root / "pipe")
    changes = [Change("new", None, NEW), Change("other", OLD, NEW), Change(path, before, NEW)]
    with pytest.raises(WriteError, match=match):
        write(root, changes)
    assert {name: (root / name).read_bytes() for name in kept} == kept
    assert not (root / "new").exists()
    assert contents(outside) == {"file": OLD}
    assert (root / "loop").is_symlink()


def test_a_root_that_is_gone_and_one_behind_a_link(root: Path) -> None:
    link = root.with_name("link")
    link.symlink_to(root)
    write(link, [Change("file", OLD, NEW)])
    assert contents(root) == {"file": NEW}
    with pytest.raises(WriteError, match=r"^gone cannot be written"):
        write(root / "gone", [Change("file", None, NEW)])


@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_closed_folder_changes_nothing_elsewhere_either(unprivileged: Path, mode: int) -> None:
    closed = unprivileged / "closed"
    closed.mkdir()
    for path in ("open", "closed/file"):
        (unprivileged / path).write_bytes(OLD)
    closed.chmod(mode)
    changes = [Change("open", OLD, NEW), Change("closed/file", OLD, NEW)]
    try:
        with pytest.raises(WriteError, match=r"^closed/file cannot be written \(Permission denied"):
            write(unprivileged, changes)
    finally:
        closed.chmod(0o755)
    assert contents(unprivileged) == {"open": OLD, "closed/file": OLD}


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_a_last_step_that_fails_restores_the_first_ones(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, is_interrupted: bool
) -> None:
    def failing(self: Path, target: Path) -> Path:
        if target.name != "last":
            return replace(self, target)
        if is_interrupted:  # behind the step
            replace(self, target)
            monkeypatch.undo()
            raise KeyboardInterrupt
        raise OSError(5, "Input/output error")

    (root / "last").write_bytes(OLD)
    changes = [Change("file", OLD, NEW), Change("a/new", None, NEW), Change("last", OLD, NEW)]
    replace = Path.replace
    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(
        KeyboardInterrupt if is_interrupted else WriteError,
        match=None if is_interrupted else r"^last cannot be written \(Input/output error\)",
    ):
        write(root, changes)
    assert contents(root) == {"file": OLD, "last": OLD}
    assert not (root / "a").exists()


def test_a_file_in_another_encoding_is_not_written(root: Path) -> None:
    """Git stores it in UTF-8, and so it is read; the disk must keep its encoding."""
    text = "# Über\n"
    (root / "file").write_bytes(text.encode("utf-16"))
    with pytest.raises(WriteError, match="working-tree-encoding"):
        write(root, [Change("file", text.encode(), b"# New\n")])
    assert contents(root)["file"] == text.encode("utf-16")
