from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from learnings.core.entries.archives import dropped_part, with_originals
from learnings.store.files import Change, WriteError
from learnings.store.safe_moves import Move, write_move
from tests.store.test_files import contents

FILE, ARCHIVE, INDEX = "learnings.md", "archive/learnings-consolidated-2026-04-02.md", "index.md"
TARGET = "decisions/builds.md"
ONE, TWO = b"## One\n\ntext\n\n", b"## Two\n\nmore"
SOURCE = b"# L\n\n" + ONE + TWO
ARCHIVED = with_originals(None, [dropped_part("x", [ONE])], learnings_file=FILE, date="2026-04-02")
BEFORE = {FILE: SOURCE, TARGET: b"# B\n", INDEX: b"- One\n- Two\n"}
AFTER = {FILE: b"# L\n\n" + TWO, ARCHIVE: ARCHIVED, TARGET: b"# B\n\n## One\n", INDEX: b"- Two\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "decisions").mkdir(parents=True)
    for path, data in BEFORE.items():
        (root / path).write_bytes(data)
    return root


def move(archive: bytes | None = None, archived: bytes = ARCHIVED) -> Move:
    return Move(
        (Change(ARCHIVE, archive, archived),),
        (ONE,),
        (Change(FILE, SOURCE, AFTER[FILE]),),
        targets=(Change(TARGET, BEFORE[TARGET], AFTER[TARGET]),),
        indexes=(Change(INDEX, BEFORE[INDEX], AFTER[INDEX]),),
    )


def at_replacing(
    monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[Path], object]
) -> list[str]:
    """Let something happen right before the file of a name is replaced; return the names so far."""
    replaced: list[str] = []
    replace = Path.replace

    def acting(self: Path, target: Path) -> Path:
        replaced.append(target.name)
        if target.name == name and replaced.count(name) == 1:
            act(target)
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", acting)
    return replaced


def test_the_archive_is_first_and_the_source_last(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced = at_replacing(monkeypatch, "none", print)
    write_move(root, move())
    assert contents(root) == AFTER
    assert replaced == [Path(path).name for path in (ARCHIVE, TARGET, INDEX, FILE)]


def test_additions_are_on_the_disk_before_the_source_changes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[str, bool]] = []

    def sync(folder: Path) -> None:
        is_old = (root / FILE).read_bytes() == SOURCE
        synced.append((folder.relative_to(root).as_posix(), is_old))

    monkeypatch.setattr("learnings.store.files.sync_folder", sync)
    write_move(root, move())
    assert synced == [("archive", True), (".", True), ("decisions", True), (".", False)]


def test_an_archive_that_holds_the_originals_already_is_read_all_the_same(root: Path) -> None:
    (root / "archive").mkdir()
    (root / ARCHIVE).write_bytes(ARCHIVED)
    write_move(root, move(ARCHIVED))
    assert contents(root) == AFTER


@pytest.mark.parametrize("archived", [ARCHIVED.replace(b"text", b"txet"), b"# Archive\n"])
def test_nothing_leaves_that_the_archive_does_not_hold(root: Path, archived: bytes) -> None:
    with pytest.raises(WriteError, match="1 entry missing in archive/"):
        write_move(root, move(archived=archived))
    assert contents(root) == BEFORE
    assert not (root / "archive").exists()
    (root / "archive").mkdir()
    (root / ARCHIVE).write_bytes(archived)
    with pytest.raises(WriteError, match="differs on disk from what was written"):
        write_move(root, move(ARCHIVED))  # an archive that was said to hold it


def test_an_archive_that_was_removed_meanwhile(root: Path) -> None:
    with pytest.raises(WriteError, match=r"cannot be read back \(No such file"):
        write_move(root, move(ARCHIVED))
    assert contents(root) == BEFORE


@pytest.mark.skipif(os.name == "nt", reason="Windows does not replace an open file")
@pytest.mark.parametrize("path", [FILE, TARGET, INDEX])
def test_what_is_appended_behind_the_check_is_kept(
    root: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def append(target: Path) -> None:
        with target.open("ab") as file:
            file.write(b"\n## Three\n")

    at_replacing(monkeypatch, Path(path).name, append)
    with pytest.raises(WriteError, match=f"^another process changed {path};"):
        write_move(root, move())
    assert contents(root) == BEFORE | {path: BEFORE[path] + b"\n## Three\n"}


@pytest.mark.parametrize("path", [ARCHIVE, TARGET, INDEX, FILE])
def test_a_folder_in_the_way(root: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    def make_folder(target: Path) -> None:
        target.unlink(missing_ok=True)
        target.mkdir()
        (target / "own").touch()

    at_replacing(monkeypatch, Path(path).name, make_folder)
    with pytest.raises(WriteError):
        write_move(root, move())
    left = {name: data for name, data in contents(root).items() if not name.startswith(path)}
    assert left == {name: data for name, data in BEFORE.items() if name != path}


def test_a_link_in_the_way_is_refused(root: Path) -> None:
    (root / "archive").mkdir()
    (root / ARCHIVE).symlink_to("nowhere")
    with pytest.raises(WriteError, match="is a broken link"):
        write_move(root, move())
    assert (root / FILE).read_bytes() == SOURCE


def test_the_source_is_no_archive_of_its_own(root: Path) -> None:
    (root / "archive").mkdir()
    (root / ARCHIVE).symlink_to(f"../{FILE}")
    with pytest.raises(WriteError, match="are the same file"):
        write_move(root, move(SOURCE))
    assert (root / FILE).read_bytes() == SOURCE
