"""Which files a memory index is compared with, and which file is the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.check.memory_index import index_facts_of, load_index
from learnings.core.errors import MissingFile
from learnings.workspace.workspace import Workspace

INDEX = "agents/memory-index.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in (".git", "agents/decisions/deep", "docs/decisions"):
        (tmp_path / folder).mkdir(parents=True)
    for path in ("decisions/a.md", "decisions/b.txt", "decisions/deep/c.md", "own.md"):
        (tmp_path / "agents" / path).write_text("## When one\n", encoding="utf-8")
    (tmp_path / INDEX).write_text("", encoding="utf-8")
    return tmp_path


def indexed(root: Path, text: str) -> list[str]:
    return [file.path for file in load_index(Workspace.open(root), INDEX, text.encode())[1]]


def configure(root: Path, text: str) -> Workspace:
    (root / "learnings.toml").write_text(text, encoding="utf-8")
    return Workspace.open(root)


def test_files_of_the_globs_and_files_that_are_named(root: Path) -> None:
    named = {"decisions/b.txt": "agents/decisions/b.txt", "own.md": "agents/own.md"}
    named |= {"decisions/deep/c.md": "agents/decisions/deep/c.md"}
    named["agents/decisions/b.txt"] = named["decisions/b.txt"]
    for written, path in named.items():
        assert indexed(root, f"## {written}\n") == ["agents/decisions/a.md", path]
    for text in (
        "",
        "## agents/decisions/a.md\n",
        "## agents\n\n## agents/*.md\n\n## ..\n\n## /\n",
    ):
        assert indexed(root, f"{text}\n## agents/memory-index.md\n") == ["agents/decisions/a.md"]


def test_rows_of_a_file_that_exists_and_cannot_be_read_are_left(root: Path) -> None:
    (root / "agents/out.md").symlink_to(root.parent / "outside.md")
    text = "## agents/decisions/a.md\n\n## agents/out.md\n\n/when one\n\n## agents/gone.md\n"
    facts = index_facts_of(Workspace.open(root), INDEX, text.encode())
    found = [(problem.kind, problem.line) for problem in facts.problems]
    assert found == [("missing-file", 7), ("missing-row", 1)]


def test_globs_replace_the_default_and_leave_the_index_out(root: Path) -> None:
    configure(root, 'indexed = ["agents/*.md", "agents/**/c.md"]\n')
    assert indexed(root, "") == ["agents/own.md", "agents/decisions/deep/c.md"]
    configure(root, "indexed = []\n")
    assert indexed(root, "") == []


def test_the_index_is_used_where_it_is(root: Path) -> None:
    assert [file[:3] for file in Workspace.open(root).found.indexes] == [(INDEX, "default", True)]
    (root / INDEX).unlink()
    assert Workspace.open(root).found.indexes == ()
    workspace = configure(root, f'index = "{INDEX}"\n')
    with pytest.raises(MissingFile, match="memory-index"):
        assert workspace.found.indexes
    (root / INDEX).touch()
    (file,) = workspace.found.indexes
    assert file[:3] == (INDEX, "configured (learnings.toml:1)", True)


def test_nothing_is_followed_out_of_the_repository(root: Path) -> None:
    outside = root.parent / "outside.md"
    outside.write_text("## When outside\n", encoding="utf-8")
    (root / ".claude").mkdir()
    for link in ("agents/decisions/out.md", ".claude/MEMORY.md"):
        (root / link).symlink_to(outside)
    assert indexed(root, "## agents/decisions/out.md\n") == ["agents/decisions/a.md"]
    (file,) = Workspace.open(root).found.loaded_indexes
    assert file[:3] == (".claude/MEMORY.md", "leads out of the repository", False)


def test_the_index_is_not_a_target(root: Path) -> None:
    (root / "docs/decisions/index.md").touch()
    workspace = configure(root, 'index = "docs/decisions/index.md"\n')
    reasons = {file.path: file.reason for file in workspace.found.targets if not file.included}
    assert reasons == {"docs/decisions/index.md": "the memory index"}


def test_an_index_that_is_configured_is_not_one_that_agents_load(root: Path) -> None:
    own = [".claude/MEMORY.md", ".claude/a/b/MEMORY.md"]
    for path in [*own, ".claude/other.md"]:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    assert [file.path for file in Workspace.open(root).found.loaded_indexes if file.included] == own
    workspace = configure(root, 'index = ".claude/MEMORY.md"\ntargets = [".claude/a/*/*.md"]\n')
    assert workspace.found.loaded_indexes == ()
    assert [file.path for file in workspace.found.indexes] == [".claude/MEMORY.md"]
