from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.core.errors import BadSettings, MissingFile
from learnings.workspace.memory_file import memory_at
from learnings.workspace.workspace import Workspace
from tests.workspace.files import included, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    return tmp_path / "repository"


# --- the root and the settings


def test_outside_a_repository_only_the_folder_itself_counts(tmp_path: Path) -> None:
    write(tmp_path, "learnings.toml", content="freshness = 1")
    (tmp_path / "a").mkdir()
    opened = Workspace.open(tmp_path / "a")
    assert opened.root == tmp_path / "a"
    assert opened.settings.file.freshness == 7
    assert Workspace.open(tmp_path).settings.file.freshness == 1


def test_a_start_inside_finds_root_and_configuration(root: Path) -> None:
    write(root, "pyproject.toml", content="[tool.learnings]\nfreshness = 3\n")
    (root / "a" / "b").mkdir(parents=True)
    opened = Workspace.open(root / "a" / "x" / ".." / "b")
    assert (opened.root, opened.config and opened.config.path) == (root, root / "pyproject.toml")
    assert opened.start == root / "a" / "b"
    assert opened.settings.file.freshness == 3


def test_overrides_win_and_none_overrides_nothing(root: Path) -> None:
    write(root, "learnings.toml", content="freshness = 3\nmin-batch = 4\n")
    opened = Workspace.open(root, overrides={"freshness": 2, "min-batch": None})
    assert (opened.settings.file.freshness, opened.settings.file.min_batch) == (2, 4)
    assert str(opened.settings.file.origins["freshness"]) == "command line"
    assert str(opened.settings.file.origins["min-batch"]) == "learnings.toml:2"
    with pytest.raises(BadSettings, match=r"^command line: freshness takes"):
        _ = Workspace.open(root, overrides={"freshness": "x"}).settings


def test_paths_start_where_they_are_written(root: Path) -> None:
    write(root, "pkg/learnings.toml", content='path = "notes.md"\ntargets = ["../docs/*.md"]')
    write(root, "pkg/notes.md", "docs/a.md", "pkg/sub/mine.md")
    opened = Workspace.open(root / "pkg" / "sub")
    assert included(opened.found.learnings) == ["pkg/notes.md"]
    assert included(opened.found.targets) == ["docs/a.md"]
    forced = Workspace.open(root / "pkg" / "sub", overrides={"targets": ["*.md", "../../docs/*"]})
    assert included(forced.found.targets) == ["pkg/sub/mine.md", "docs/a.md"]


def test_a_repository_in_a_folder_that_is_not_utf_8(tmp_path: Path) -> None:
    root = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        write(root, "pkg/learnings.toml", content="freshness = 1")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (root / ".git").mkdir()
    write(root, "agents/learnings.md")
    opened = Workspace.open(root / "pkg")
    assert opened.settings.file.freshness == 1
    assert [file.path for file in opened.found.learnings] == ["agents/learnings.md"]


# --- one file


def test_the_settings_of_one_file(root: Path) -> None:
    text = 'freshness = 1\n[[file]]\npath = "a.md"\nfreshness = 2\n[[file]]\npath = "b.md"\n'
    write(root, "learnings.toml", content=text)
    write(root, "a.md", "c.md")
    (root / "link.md").symlink_to("a.md")
    opened = Workspace.open(root)
    paths: list[Path | str] = [
        "a.md",
        root / "a.md",
        "./x/../a.md",
        "link.md",
        "b.md",
        "c.md",
        "gone.md",
    ]
    assert [opened.file_settings(path).freshness for path in paths] == [2, 2, 2, 2, 1, 1, 1]
    assert opened.file_settings("b.md").path == "b.md"
    assert opened.file_settings(root.parent / "a.md") == opened.settings.file


def test_a_document_is_read_as_its_settings_say(root: Path) -> None:
    text = '[[file]]\npath = "a.md"\ndialect = "heading"\nentry-level = 1\n'
    write(root, "learnings.toml", content=text)
    write(root, "a.md", "b.md")
    opened = Workspace.open(root)
    first = memory_at(opened, root / "a.md").document
    assert [entry.title for entry in first.entries] == ["Learnings"]
    assert len(memory_at(opened, root / "b.md").document.entries) == 2
    with pytest.raises(MissingFile, match=r"gone\.md does not exist"):
        assert memory_at(opened, root / "gone.md").document.lines


@pytest.mark.parametrize(
    ("path", "relative"),
    [("a/../b.md", "b.md"), ("a//b.md", "a/b.md"), ("../x.md", None), (".", None), ("", None)],
)
def test_paths_from_the_root(root: Path, path: str, relative: str | None) -> None:
    opened = Workspace.open(root)
    assert opened.relative(path) == relative
    assert opened.relative(root / path) == relative


def test_a_path_through_a_link_to_the_repository(root: Path) -> None:
    write(root, "agents/learnings.md")
    (root.parent / "other").symlink_to(root)
    opened = Workspace.open(root)
    assert opened.relative(root.parent / "other" / "agents" / "learnings.md") == (
        "agents/learnings.md"
    )
    through = Workspace.open(root.parent / "other" / "agents")
    assert through.relative(root / "agents" / "learnings.md") == "agents/learnings.md"


def test_a_file_outside_has_no_role(root: Path) -> None:
    write(root.parent, "CLAUDE.md")
    assert Workspace.open(root).role_of(root.parent / "CLAUDE.md") is None
