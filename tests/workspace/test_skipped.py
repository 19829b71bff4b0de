from __future__ import annotations

import pytest

from learnings.core.entries.document import read
from learnings.workspace.discovery import Candidate, skipped_sentence
from tests.support.command import Command
from tests.support.repository import GitRepository

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
        "wiki/LESSONS.md: outside the searched folders); "
        "write agents/learnings.md, or set `path` in learnings.toml if yours has another name\n"
    )
    commands = [
        *(["check"], ["check", "--role=learnings"], ["fix"], ["due"]),
        *(["notify", "file", "--dry-run"], ["notify", "github", "--dry-run"]),
    ]
    for words in commands:
        run = Command("learnings")(*words, cwd=repository.path)
        assert (words, run.code, run.err) == (words, 0, sentence)
