from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.core.errors import MissingConfigured, MissingFile, UnusableFile
from learnings.workspace.memory_file import ChosenFiles, chosen_files
from learnings.workspace.workspace import Workspace
from tests.support.repository import GitRepository
from tests.workspace.files import HEADINGS, write

ADVICE = "check the path, or write the file first"


@pytest.fixture
def root(repository: GitRepository) -> Path:
    repository.write("docs/notes.md", "# Notes\n")
    return repository.path


def paths(root: Path, chosen: ChosenFiles) -> list[str]:
    return [os.path.relpath(file.path, root) for file in chosen.files]


def test_a_file_is_the_one_named(root: Path) -> None:
    for name in ("notes.md", str(root / "docs/notes.md")):
        chosen = chosen_files([name], Workspace.open(root / "docs"))
        assert (paths(root, chosen), chosen.errors, chosen.several) == (
            ["docs/notes.md"],
            (),
            False,
        )


def test_a_path_from_the_root_counts_where_the_folder_has_no_such_file(root: Path) -> None:
    chosen = chosen_files(["docs/notes.md"], Workspace.open(root / "docs"))
    assert (paths(root, chosen), chosen.errors) == (["docs/notes.md"], ())
    write(root, "docs/docs/notes.md")
    assert paths(root, chosen_files(["docs/notes.md"], Workspace.open(root / "docs"))) == [
        "docs/docs/notes.md"
    ]
    (error,) = chosen_files(["gone.md"], Workspace.open(root / "docs")).errors
    assert str(error) == f"gone.md does not exist; {ADVICE}"


@pytest.mark.parametrize(("files", "several"), [(0, True), (1, False), (2, True)])
def test_without_a_name_it_is_every_file(root: Path, files: int, several: bool) -> None:
    expected = ["lessons.md", "tasks/lessons.md"][:files]
    write(root, *expected)
    chosen = chosen_files([], Workspace.open(root / "docs"))
    assert (paths(root, chosen), chosen.several) == (expected, several)
    assert bool(chosen.files or chosen.errors) == (files != 0)


def test_a_file_that_fails_leaves_the_others(root: Path) -> None:
    chosen = chosen_files(["gone.md", "docs/notes.md", ""], Workspace.open(root))
    assert (paths(root, chosen), chosen.several) == (["docs/notes.md"], True)
    assert [type(error) for error in chosen.errors] == [MissingFile, UnusableFile]


def test_a_configured_file_that_is_missing_is_named_with_its_line(root: Path) -> None:
    write(root, "a.md")
    text = "".join(f'[[file]]\npath = "{name}"\n' for name in ("a.md", "gone.md", "docs"))
    write(root, "learnings.toml", content=text)
    chosen = chosen_files([], Workspace.open(root))
    assert paths(root, chosen) == ["a.md", "docs"]
    assert {type(error) for error in chosen.errors} == {MissingConfigured}
    assert [str(error) for error in chosen.errors] == [
        f"learnings.toml:4: gone.md does not exist; {ADVICE}"
    ]
    assert chosen_files([], Workspace.open(root)).errors


def test_a_second_name_of_a_configured_file_is_no_problem(root: Path) -> None:
    write(root, "a.md")
    (root / "b.md").symlink_to("a.md")
    text = '[[file]]\npath = "a.md"\n[[file]]\npath = "b.md"\n'
    write(root, "learnings.toml", content=text)
    assert chosen_files([], Workspace.open(root)).errors == ()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gone.md", f"gone.md does not exist; {ADVICE}"),
        ("../go\nne.md", f"../go\\nne.md does not exist; {ADVICE}"),
        ("docs/notes.md/x", f"docs/notes.md/x does not exist; {ADVICE}"),
        ("docs", "docs is a folder; name a file"),
        ("a\0b", "a\\x00b cannot be read (not a valid path); fix this or name another file"),
        ("pipe", "pipe is not a regular file; name one"),
        ("to-nowhere.md", "to-nowhere.md is a broken link; correct it, or name "),
        ("loop.md", "loop.md cannot be read ("),
        ("", "the file name is empty; name a file"),
        (
            "me\u0301moire/fi\u0301.md",
            "me\u0301moire/fi\u0301.md does not exist, but a file does whose",
        ),
        ("me\u0301moire/f.md", f"me\u0301moire/f.md does not exist; {ADVICE}"),
        ("../lone.md", "../lone.md is outside of the repository "),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(root: Path, name: str, sentence: str) -> None:
    if name == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("needs named pipes")
        os.mkfifo(root / "pipe")
    write(root, "m\u00e9moire/f\u00ed.md")
    (root / "to-nowhere.md").symlink_to("nowhere")
    (root / "loop.md").symlink_to("loop.md")
    (root.parent / "lone.md").write_text(HEADINGS)
    (error,) = chosen_files([name], Workspace.open(root)).errors
    assert str(error).startswith(sentence)


def test_without_a_repository_nothing_is_outside(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "lone.md").write_text(HEADINGS)
    assert chosen_files(["../lone.md"], Workspace.open(tmp_path / "folder")).errors == ()


def test_a_workspace_where_the_folder_is_missing(root: Path) -> None:
    assert Workspace.open(root).around("no/such/x.md").root == root
