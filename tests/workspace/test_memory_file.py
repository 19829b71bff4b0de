from __future__ import annotations

from pathlib import Path

import pytest

from learnings.core.entries.document import read
from learnings.core.errors import BadSettings, UsageProblem
from learnings.workspace.discovery import Candidate
from learnings.workspace.memory_file import HistoryOptions, MemoryFile, chosen_files
from learnings.workspace.skipped import skipped_sentence
from learnings.workspace.workspace import Workspace
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
MEMORY = "# Learnings\n\n## When one\n\ntext\n"
DEFAULTS = HistoryOptions()


def query_of(cwd: Path, file: str | None, options: HistoryOptions = DEFAULTS) -> MemoryFile:
    names = [] if file is None else [file]
    chosen = chosen_files(names, Workspace.open(cwd), options)
    for error in chosen.errors:
        raise error
    (memory_file,) = chosen.files
    return memory_file


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
    assert query_of(root, "docs/notes.md").name == "docs/notes.md"
    assert query_of(root / "docs", "notes.md").name == "docs/notes.md"
    assert query_of(root / "docs", f"../{FILE}").name == FILE
    assert query_of(root.parent, str(root / FILE)).name == FILE
    assert query_of(root / "docs", None).name == FILE


def test_a_file_of_another_repository_has_the_settings_of_that(root: Path, other: Path) -> None:
    assert query_of(root, None).settings.freshness == 7
    query = query_of(root / "docs", "../../other/notes.md")
    assert (query.name, query.settings.freshness) == ("notes.md", 3)
    assert (query.workspace.root, query.query.user_folder) == (other, root / "docs")


@pytest.mark.parametrize("options", [DEFAULTS, HistoryOptions(at="HEAD")])
def test_an_empty_name_is_refused(root: Path, options: HistoryOptions) -> None:
    with pytest.raises(UsageProblem, match=r"^the file name is empty; "):
        query_of(root, "", options)


def test_a_file_of_a_commit_need_not_be_on_disk(root: Path) -> None:
    (root / "docs/notes.md").unlink()
    assert query_of(root, "docs/notes.md", HistoryOptions(at="HEAD")).name == "docs/notes.md"


def test_thresholds_of_the_command_line_win(root: Path) -> None:
    (root / "learnings.toml").write_text("freshness = 3\nkeep-recent = 4\n")
    settings = query_of(root, None, HistoryOptions(thresholds={"freshness": 2})).settings
    assert (settings.freshness, settings.keep_recent) == (2, 4)
    assert str(settings.origins["freshness"]) == "command line"
    with pytest.raises(BadSettings, match=r"^command line: min-batch takes"):
        query_of(root, None, HistoryOptions(thresholds={"min-batch": 0}))


def test_the_query_has_the_options_and_the_settings(root: Path) -> None:
    text = 'ignore-revs-file = "x"\nignore-authors = ["bot"]\nconsolidation-min-removed = 2\n'
    (root / "learnings.toml").write_text(text)
    options = HistoryOptions(as_of="2026-01-02", at="HEAD", allow_shallow=True)
    query = query_of(root, None, options).query
    assert (query.file, query.as_of, query.at) == (root / FILE, "2026-01-02", "HEAD")
    assert (query.allow_shallow, query.min_removed) == (True, 2)
    assert (query.ignore_revs_file, query.ignore_authors) == ("x", ("bot",))


FILES = [Candidate(f"{name}/learnings.md", f"reason {name}") for name in "abcdefg"]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (0, ""),
        (1, "skipped a/learnings.md: reason a"),
        (2, "skipped a/learnings.md: reason a; b/learnings.md: reason b"),
    ],
)
def test_each_file_is_named_with_its_reason(number: int, sentence: str) -> None:
    assert skipped_sentence(FILES[:number]) == sentence


def test_many_files_are_counted() -> None:
    assert skipped_sentence(FILES).endswith("e; and 2 more, see `learnings config`")
    assert skipped_sentence(FILES, most=None).count("reason") == len(FILES)


def test_every_command_says_the_same(repository: GitRepository) -> None:
    repository.write("docs/learnings.md", "# Nothing yet\n")
    repository.write("wiki/LESSONS.md", "## One\n\na\n")
    repository.commit()
    reason = read(b"# Nothing yet\n").dialect.reason
    sentence = (
        "learnings: no learnings file found ("
        f"skipped docs/learnings.md: holds no entry ({reason}); "
        "wiki/LESSONS.md: outside the searched folders "
        "(`learnings init --memory wiki/LESSONS.md` takes it))\n"
    )
    commands = [
        *(["check"], ["check", "--role=learnings"], ["fix"], ["due"]),
        *(["notify", "file", "--dry-run"], ["notify", "github", "--dry-run"]),
    ]
    for words in commands:
        run = Command("learnings")(*words, cwd=repository.path)
        assert (words, run.code, run.err) == (words, 0, sentence)
