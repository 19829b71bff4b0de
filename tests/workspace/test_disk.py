from __future__ import annotations

from pathlib import Path

import pytest

from learnings.workspace.disk import (
    existing_file,
    find_root,
    is_same_file,
    may_exist,
    read_file,
    real_path,
)
from learnings.workspace.tree import Tree


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


def test_two_names_of_the_same_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.touch()
    assert not is_same_file(first, second)
    assert not is_same_file(first, Path("a\0b"))
    second.symlink_to("first.md")
    assert is_same_file(first, second)
    assert real_path(second) == real_path(first)
    second.unlink()
    second.symlink_to("second.md")
    assert not is_same_file(first, second)
    assert real_path(second).name == "second.md"


def test_what_cannot_be_looked_at_may_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not may_exist(tmp_path / "missing")
    assert not may_exist(tmp_path / "a\0b")
    (tmp_path / "file").write_text("x")
    assert may_exist(tmp_path / "file")
    assert not may_exist(tmp_path / "file" / "below")

    def failing(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "lstat", failing)
    assert may_exist(tmp_path / "missing")


def test_a_folder_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    tree = Tree(tmp_path)
    assert tree.names("a") == frozenset()
    (tmp_path / "a" / "b.md").touch()
    assert tree.names("a") == frozenset()
    assert Tree(tmp_path).names("a") == {"b.md"}


def test_a_path_may_have_more_folders_than_python_has_frames(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    (tmp_path / "a").mkdir()
    assert tree.names("/".join("a" * 5_000)) == frozenset()
    assert not tree.closed
