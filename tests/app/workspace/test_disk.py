"""Files as they lie on disk: the root around a folder, what is no file, what cannot be shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.app.workspace.disk import (
    Disk,
    existing_file,
    find_root,
    is_same_file,
    read_file,
    real_path,
)
from learnings.core.errors import MissingFile


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
def test_the_root_is_the_nearest_folder_with_git(tmp_path: Path, make: object) -> None:
    inner = tmp_path / "outer" / "inner" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "outer" / ".git").mkdir()
    assert callable(make)
    make(tmp_path / "outer" / "inner" / ".git")
    assert find_root(inner) == tmp_path / "outer" / "inner"
    assert find_root(tmp_path / "outer") == tmp_path / "outer"


def test_the_content_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff\r\n")
    assert existing_file(tmp_path / "a.md", shown="a.md") == tmp_path / "a.md"
    assert read_file(tmp_path / "a.md", shown="a.md") == b"\xff\r\n"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.md", "there is no file X; check the path, or write the file first"),
        ("a.md/x", "there is no file X; check the path, or write the file first"),
        ("folder", "X is a folder; name a file"),
        ("a\0b", "X cannot be read (no valid path); correct that or name another file"),
    ],
)
def test_what_is_no_file_is_called_as_it_was_named(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "a.md").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(MissingFile) as caught:
        read_file(tmp_path / name, shown="X")
    assert str(caught.value) == said


def test_one_look_is_one_look(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    disk = Disk(tmp_path)
    assert disk.names("a") == frozenset()
    (tmp_path / "a" / "b.md").touch()
    assert disk.names("a") == frozenset()
    assert Disk(tmp_path).names("a") == {"b.md"}


def test_two_names_of_one_file(tmp_path: Path) -> None:
    one, other = tmp_path / "one.md", tmp_path / "other.md"
    one.touch()
    assert not is_same_file(one, other)
    assert not is_same_file(one, Path("a\0b"))
    other.symlink_to("one.md")
    assert is_same_file(one, other)
    assert real_path(other) == real_path(one)
    other.unlink()
    other.symlink_to("other.md")
    assert not is_same_file(one, other)
    assert real_path(other).name == "other.md"
