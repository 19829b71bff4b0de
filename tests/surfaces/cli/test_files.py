"""FILE in every command that takes one: each state has one exit code and one sentence."""

from __future__ import annotations

import os
import re

import pytest

from learnings.core.entries.document import LARGEST_FILE, MOST_LINES
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

FILE = "agents/learnings.md"
MEMORY = "# Learnings\n\n## When one\n\ntext one\n\n## When two\n\nmore two\n"
COMMANDS = {
    **{name: (name,) for name in ("ages", "batch", "check", "due", "fix", "groups", "index")},
    **{name: (name,) for name in ("precheck", "route")},
    "ci": ("ci", "--dry-run"),
    "notify github": ("notify", "github", "--dry-run"),
}
"""The commands that take FILE or PATH, with the options that make them change nothing."""
ON_HISTORY = ("ages", "batch", "ci", "due", "notify github")
REPORTS = ("ages", "batch", "groups", "precheck", "route")
TAKE_FOLDERS = ("check", "fix")


GONE = "does not exist; check the path, or write the file first"
LARGE = "for a memory file; split or exclude it"
OUTSIDE = (
    "is outside of the repository ROOT; run this in the folder of the file, or name a file in the "
    "repository"
)
FACTS = {
    "missing": ("gone.md", f"gone.md {GONE}", 1),
    "missing outside": ("../gone.md", f"../gone.md {GONE}", 1),
    "a folder": ("docs", "docs is a folder; name a file", 1),
    "a link to nowhere": (
        "nowhere.md",
        "nowhere.md is a broken link; correct it, or name another file",
        1,
    ),
    "no regular file": ("pipe.md", "pipe.md is not a regular file; name one", 1),
    "too large": ("large.md", f"large.md has more than 4 MB, too large {LARGE}", 1),
    "too many lines": ("long.md", f"long.md has more than 200,000 lines, too long {LARGE}", 1),
    "outside": ("../lone.md", f"../lone.md {OUTSIDE}", 2),
    "a link that leads outside": ("link.md", f"link.md {OUTSIDE}", 2),
    "empty": ("", "the file name is empty; name a file", 2),
}
"""FILE, the sentence about it, and the exit code of `ages`; that of other commands is 2."""


@pytest.fixture
def repository(repository: GitRepository) -> GitRepository:
    """Return a repository with every such file."""
    repository.write(FILE, MEMORY)
    repository.write("docs/notes.md", "# Notes\n")
    repository.commit()
    (repository.path / "nowhere.md").symlink_to("not-there")
    repository.write("large.md", b"x" * (LARGEST_FILE + 1))
    repository.write("long.md", b"##\n" * (MOST_LINES + 1))
    (repository.path.parent / "lone.md").write_text(MEMORY)
    (repository.path / "link.md").symlink_to("../lone.md")
    if hasattr(os, "mkfifo"):
        os.mkfifo(repository.path / "pipe.md")
    return repository


def run(repository: GitRepository, command: str, *words: str) -> tuple[int, str]:
    """Return the exit code and the first line on standard error, with ROOT for the root."""
    done = Command("learnings")(*COMMANDS[command], *words, cwd=repository.path)
    return done.code, done.err.partition("\n")[0].replace(str(repository.path), "ROOT")


@pytest.mark.parametrize("name", FACTS)
def test_each_fact_is_one_sentence_with_one_exit_code(repository: GitRepository, name: str) -> None:
    file, sentence, ages_code = FACTS[name]
    if name == "no regular file" and not hasattr(os, "mkfifo"):
        pytest.skip("needs named pipes")
    faults = {}
    for command in COMMANDS:
        if name == "a folder" and command in TAKE_FOLDERS:
            continue
        actual = run(repository, command, file)
        if actual != (ages_code if command == "ages" else 2, f"learnings: {sentence}"):
            faults[command] = actual
    assert faults == {}


def test_a_file_that_git_tracks_in_other_letters_is_renamed(repository: GitRepository) -> None:
    """A link simulates a disk on which both names are one file."""
    repository.write("New.md", MEMORY)
    repository.git("add", "New.md")
    if not (repository.path / "new.md").exists():
        (repository.path / "new.md").hardlink_to(repository.path / "New.md")
    code, said = run(repository, "ages", "new.md")
    sentence = "learnings: git tracks new.md as New.md; run: git mv New.md new.md and commit it"
    assert (code, said) == (2, sentence)

    (repository.path / "new.md").unlink()
    repository.write("new.md", MEMORY)
    assert "git does not track new.md" in run(repository, "ages", "new.md")[1]


def test_a_configured_file_that_is_missing_is_a_problem_of_the_configuration(
    repository: GitRepository,
) -> None:
    repository.write("learnings.toml", f'[[file]]\npath = "gone.md"\n[[file]]\npath = "{FILE}"\n')
    sentence = f"learnings: learnings.toml:2: gone.md {GONE}"
    for command in {*COMMANDS} - {"index"}:
        done = Command("learnings")(*COMMANDS[command], cwd=repository.path)
        assert (command, done.code, sentence in done.err) == (command, 2, True)


def test_a_file_that_fails_does_not_hide_the_others(repository: GitRepository) -> None:
    for command in (*REPORTS, "due"):
        for order in (["gone.md", FILE], [FILE, "gone.md"]):
            done = Command("learnings")(command, *order, cwd=repository.path)
            assert (command, done.code) == (command, 1 if command == "ages" else 2)
            assert "gone.md does not exist" in done.err
            assert done.out
            text = Command("learnings")(command, *order, "--format=json", cwd=repository.path)
            assert [document["file"] for document in text.json["files"]] == [FILE]


def test_what_git_does_not_track_has_no_history(repository: GitRepository) -> None:
    repository.write("new.md", MEMORY)
    sentence = (
        "learnings: git does not track new.md, so its age is unknown; "
        "run: git add new.md and commit it"
    )
    actual = {command: run(repository, command, "new.md") for command in COMMANDS}
    assert {command: code for command, (code, _) in actual.items()} == {
        command: 2 if command in ON_HISTORY else 0 for command in COMMANDS
    }
    assert {actual[command][1] for command in ON_HISTORY} - {""} == {sentence}  # ci annotates it
    codes = {command: run(repository, command, "docs/notes.md")[0] for command in COMMANDS}
    assert codes == dict.fromkeys(COMMANDS, 0)
    # The worst exit code counts.
    assert run(repository, "ages", "gone.md", FILE)[0] == 1
    assert run(repository, "ages", "gone.md", "new.md")[0] == 2


def test_text_names_each_file(repository: GitRepository) -> None:
    repository.write("docs/lessons.md", MEMORY)
    repository.commit(all=False)
    repository.git("add", "docs/lessons.md")
    repository.commit(all=False)
    for command in REPORTS:
        done = Command("learnings")(command, cwd=repository.path)
        assert (command, done.code) == (command, 0)
        assert done.out.index(FILE) < done.out.index("docs/lessons.md")
        assert not re.search("\n\n\n|^\n", done.out), command
    summary = Command("learnings")("ages", "--summary", cwd=repository.path)
    assert [line.split(": ")[0] for line in summary.out.splitlines()] == [FILE, "docs/lessons.md"]
    alone = Command("learnings")("ages", FILE, cwd=repository.path)
    assert alone.out.startswith("# Learning Ages Report\n\n**File lines:** 9\n")


def test_the_table_in_the_documentation_is_this_one() -> None:
    text = (ROOT / "docs/contracts.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|\n]+ \| `([^`]+)` \| (\d) \| (\d) \|$", text, flags=re.MULTILINE)
    expected = [
        (sentence.replace(file or "\0", "FILE"), str(ages_code), "2")
        for file, sentence, ages_code in FACTS.values()
    ]
    assert rows == list(dict.fromkeys(expected))
