"""What a file without entries held before, and where that may have gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
HEAD = "# Learnings\n\n"
ONE, TWO = "## When one\n\nText of one.\n\n", "## When two\n\nText of two.\n"
TEXT = HEAD + ONE + TWO


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """A repository with a committed memory, which is then emptied on disk."""
    repository.write(FILE, TEXT)
    repository.commit()
    repository.write(FILE, HEAD)
    return repository


def errors(repository: GitRepository | Path, *words: str) -> list[str]:
    """The rules of the errors that a check of the file finds."""
    path = repository if isinstance(repository, Path) else repository.path
    run = Command("learnings")("check", "--format=json", *(words or (FILE,)), cwd=path)
    return [finding["rule"] for finding in run.json["findings"] if finding["severity"] == "error"]


def test_what_is_deleted_or_renamed_is_no_memory_any_more(memory: GitRepository) -> None:
    memory.git("rm", "--quiet", "--force", FILE)
    assert errors(memory, ".") == []
    memory.git("reset", "--quiet", "--hard")
    memory.rename(FILE, "notes.md")
    assert errors(memory, ".") == []


def test_a_renamed_memory_is_still_the_same(memory: GitRepository) -> None:
    memory.write(FILE, TEXT)
    memory.rename(FILE, "docs/learnings.md")
    memory.write("docs/learnings.md", TEXT.replace("## ", ""))
    memory.git("add", "--all")
    assert errors(memory, ".") == ["entries-gone"]
    memory.git("reset", "--quiet", "--hard")
    memory.rename(FILE, "docs/learnings.md")
    memory.commit()
    memory.write("docs/learnings.md", HEAD)
    memory.commit()
    assert errors(memory, ".") == []
    assert errors(memory, ".", "--since=HEAD~2") == ["entries-gone"]
    run = Command("learnings")("check", "--since=HEAD~2", cwd=memory.path)
    command = run.out.partition("restore it with `")[2].partition("`")[0]
    memory.git(*command.split()[1:])
    assert b"## When one" in memory.read(FILE)


def test_a_new_file_and_a_first_commit_have_lost_nothing(repository: GitRepository) -> None:
    repository.write(FILE, HEAD)
    assert errors(repository) == []
    repository.write("README.md", "x\n")
    repository.git("add", "README.md")
    repository.commit(all=False)
    assert errors(repository) == []
    repository.commit()
    assert errors(repository) == []


def test_a_memory_of_one_line_is_no_link(repository: GitRepository) -> None:
    repository.write(FILE, "- Run make before each commit, since no hook does.\n")
    repository.commit()
    repository.write(FILE, "")
    assert errors(repository, ".") == ["entries-gone"]


def test_entries_that_are_hidden_are_not_gone(memory: GitRepository) -> None:
    memory.write(FILE, f"```\n{TEXT}")
    assert errors(memory) == ["unclosed-fence"]
    memory.write(FILE, TEXT.replace("## ", "##"))
    assert errors(memory) == ["entry-heading-malformed"] * 2


def test_a_package_is_a_part_of_its_repository(memory: GitRepository) -> None:
    memory.write("pkg/go.mod", "")
    memory.write("pkg/docs/lessons.md", TEXT.replace("Text", "Words"))
    memory.write(FILE, TEXT)
    memory.commit()
    memory.write("pkg/docs/lessons.md", HEAD)
    assert errors(memory, ".") == ["entries-gone"]
    assert errors(memory.path / "pkg", "docs/lessons.md") == ["entries-gone"]
    assert errors(memory.path / "pkg", ".") == ["entries-gone"]


def test_a_comment_says_that_it_is_on_purpose(memory: GitRepository) -> None:
    memory.write(FILE, f"{HEAD}<!-- learnings: ignore[entries-gone] we start over -->\n")
    assert errors(memory) == []
    memory.commit()
    run = Command("learnings")("check", FILE, cwd=memory.path)
    assert "unused-ignore" not in run.out


@pytest.mark.parametrize("path", ["agents/decisions/cli.md", "docs/lessons.md", "wiki/old.md"])
def test_entries_that_went_to_another_file_are_not_lost(memory: GitRepository, path: str) -> None:
    memory.write(path, f"# Other\n\n{ONE}{TWO}")
    assert errors(memory) == []
    memory.git("add", "--all")
    assert errors(memory) == []
    memory.write(path, f"# Other\n\n{ONE}")
    assert errors(memory) == ["entries-gone"]
    memory.write("agents/archive/b.md", f"# B\n\n{TWO}")
    assert errors(memory) == []
    memory.write("agents/archive/b.md", TEXT)
    memory.write(FILE, TEXT)
    memory.commit()
    memory.write(FILE, HEAD)
    assert errors(memory) == [], "an archive of an earlier day counts"


def test_a_file_that_git_ignores_keeps_nothing(memory: GitRepository) -> None:
    memory.write(".gitignore", "tmp/\n")
    memory.write("tmp/copy.md", TEXT)
    assert errors(memory) == ["entries-gone"]
    memory.commit()
    clone = memory.clone(depth=1)
    assert errors(clone) == []
    clone.write(FILE, TEXT)
    clone.commit()
    clone.write(FILE, "")
    assert errors(clone) == ["entries-gone"], "a shallow clone has its last commit"


def test_another_dialect_in_the_configuration(memory: GitRepository) -> None:
    memory.write("learnings.toml", f'path = "{FILE}"\ndialect = "bullet"\n')
    memory.write(FILE, TEXT.replace(TWO, ""))
    assert errors(memory) == [], "the configuration alone loses nothing"
    memory.write(FILE, HEAD)
    assert errors(memory) == ["entries-gone"]
    memory.write(FILE, "# Learnings\n\n- One.\n- Two.\n")
    memory.commit()
    memory.write(FILE, TEXT)
    assert errors(memory) == ["entries-gone"], "those of the configured dialect"
