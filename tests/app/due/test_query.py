"""From a command's words to a file and what is asked of it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from learnings.app.due.query import (
    THRESHOLDS,
    FileQuery,
    add_history_options,
    add_threshold_options,
    file_query,
    thresholds_of,
    workspace_for,
)
from learnings.app.due.verdicts import file_queries
from learnings.core.errors import BadSettings, MissingFile, UsageProblem
from learnings.surfaces.cli import due
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
MEMORY = "# Learnings\n\n## When one\n\ntext\n"


def words(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_history_options(parser)
    add_threshold_options(parser)
    return parser.parse_args(given)


def ask(cwd: Path, file: str | None, *given: str) -> FileQuery:
    return file_query(words(*given), file, cwd)


@pytest.fixture
def root(repository: GitRepository) -> Path:
    repository.write(FILE, MEMORY)
    repository.write("docs/notes.md", MEMORY)
    repository.commit()
    return repository.path


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Return another repository, with settings and a memory of its own."""
    repository = GitRepository(tmp_path / "other")
    repository.write("learnings.toml", "freshness = 3\n")
    repository.write("notes.md", MEMORY)
    repository.commit()
    return repository.path


def test_a_file_is_relative_to_the_working_directory(root: Path) -> None:
    assert ask(root, "docs/notes.md").name == "docs/notes.md"
    assert ask(root / "docs", "notes.md").name == "docs/notes.md"
    assert ask(root / "docs", f"../{FILE}").name == FILE
    assert ask(root.parent, str(root / FILE)).name == FILE
    assert ask(root / "docs", None).name == FILE


def test_a_file_of_another_repository_has_the_settings_of_that(root: Path, other: Path) -> None:
    assert ask(root, None).settings.freshness == 7
    found = ask(root / "docs", "../../other/notes.md")
    assert (found.name, found.settings.freshness) == ("notes.md", 3)
    assert (found.workspace.root, found.query.cwd) == (other, root / "docs")


@pytest.mark.parametrize(
    "file", ["gone.md", "./gone.md", "../gone.md", "../other/gone.md", "no/folder/x.md", "a\nb.md"]
)
def test_a_missing_file_is_called_as_it_was_typed(root: Path, other: Path, file: str) -> None:
    assert other.is_dir()
    shown = file.replace("\n", "\\n")
    said = f"there is no file {shown}; check the path, or write the file first"
    with pytest.raises(MissingFile) as caught:
        ask(root / "docs" / "..", file)
    assert str(caught.value) == said
    parser = argparse.ArgumentParser()
    due.add_arguments(parser)
    with pytest.raises(MissingFile) as caught:
        file_queries(parser.parse_args(["--", file]), root)
    assert str(caught.value) == said


def test_an_absolute_path_stays_one(root: Path) -> None:
    with pytest.raises(MissingFile, match=f"^there is no file {root}/gone"):
        ask(root, str(root / "gone.md"))


@pytest.mark.parametrize("given", [(), ("--at", "HEAD")])
def test_an_empty_file_is_none(root: Path, given: tuple[str, ...]) -> None:
    with pytest.raises(UsageProblem, match=r"^FILE is empty; "):
        ask(root, "", *given)


def test_a_file_of_a_commit_need_not_be_on_disk(root: Path) -> None:
    (root / "docs/notes.md").unlink()
    assert ask(root, "docs/notes.md", "--at", "HEAD").name == "docs/notes.md"


def test_several_files_and_none_named(root: Path) -> None:
    (root / "lessons.md").write_text(MEMORY)
    with pytest.raises(UsageProblem, match=r"^there are several learnings files: "):
        ask(root, None)


def test_thresholds_of_the_command_line_win(root: Path) -> None:
    (root / "learnings.toml").write_text("freshness = 3\nkeep-recent = 4\n")
    found = ask(root, None, "--freshness", "2")
    assert (found.settings.freshness, found.settings.keep_recent) == (2, 4)
    assert str(found.settings.origins["freshness"]) == "command line"
    with pytest.raises(BadSettings, match=r"^command line: min-batch takes"):
        ask(root, None, "--min-batch", "0")


def test_every_threshold_is_an_option() -> None:
    given = [word for name in THRESHOLDS for word in (f"--{name}", "5")]
    assert thresholds_of(words(*given)) == dict.fromkeys(THRESHOLDS, 5)
    assert thresholds_of(words()) == {}


def test_the_question_has_what_was_asked(root: Path) -> None:
    text = 'ignore-revs-file = "x"\nignore-authors = ["bot"]\nconsolidation-min-removed = 2\n'
    (root / "learnings.toml").write_text(text)
    asked = ask(root, None, "--as-of", "2026-01-02", "--allow-shallow", "--at", "HEAD").query
    assert (asked.file, asked.as_of, asked.at) == (root / FILE, "2026-01-02", "HEAD")
    assert (asked.allow_shallow, asked.min_removed) == (True, 2)
    assert (asked.ignore_revs_file, asked.ignore_authors) == ("x", ("bot",))


@pytest.mark.parametrize(
    "date", ["2026-13-01", "tomorrow", "2026-1-1", "", "20260311", "2026-W11-3"]
)
def test_a_date_that_is_none(root: Path, learnings: Command, date: str) -> None:
    run = learnings("ages", "--as-of", date, cwd=root)
    assert (run.code, run.err.count("\n")) == (2, 1)


def test_a_workspace_where_the_folder_is_missing(root: Path) -> None:
    assert workspace_for("no/such/x.md", root, {}).root == root
