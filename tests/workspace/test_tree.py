from __future__ import annotations

from pathlib import Path

from learnings.workspace.tree import FileTree


def test_a_folder_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    tree = FileTree(tmp_path)
    assert tree.names("a") == frozenset()
    (tmp_path / "a" / "b.md").touch()
    assert tree.names("a") == frozenset()
    assert FileTree(tmp_path).names("a") == {"b.md"}


def test_a_path_may_have_more_folders_than_python_has_frames(tmp_path: Path) -> None:
    tree = FileTree(tmp_path)
    (tmp_path / "a").mkdir()
    assert tree.names("/".join("a" * 5_000)) == frozenset()
    assert not tree.is_closed("/".join("a" * 5_000))
