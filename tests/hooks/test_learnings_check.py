from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.usefixtures("instructed")

HOOK = Command("learnings-check")
GOOD = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
BAD = f"{GOOD}\n## When a build hangs\n\nKill it.\n"


@pytest.mark.parametrize(
    ("path", "source", "code"),
    [
        ("agents/learnings.md", BAD, 1),
        ("agents/learnings.md", GOOD, 0),
        (".claude/lessons.md", BAD, 1),
        ("learnings.md", "no entry and no newline", 0),
        ("README.md", BAD, 0),
        ("docs/decisions/cli.md", BAD, 0),
        ("notes/learnings.md", BAD, 0),
        ("CHANGELOG.md", "no newline", 0),
    ],
)
def test_only_learnings_files_are_looked_at(
    repository: GitRepository, path: str, source: str, code: int
) -> None:
    repository.write(path, source)
    done = HOOK(path, cwd=repository.path)
    assert done.code == code
    assert (done.out == "", done.err == "") == (not code, not code)


def test_arguments_before_the_files(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", GOOD + "text\n" * 80)
    assert HOOK("agents/learnings.md", cwd=repository.path).code == 0
    assert HOOK("--strict", "agents/learnings.md", cwd=repository.path).code == 1
    assert HOOK("--no-such-option", "agents/learnings.md", cwd=repository.path).code == 2


def test_wrong_configuration_is_one_sentence(repository: GitRepository) -> None:
    repository.write("learnings.toml", "line-limt = 1\n")
    repository.write("agents/learnings.md", GOOD)
    done = HOOK("agents/learnings.md", cwd=repository.path)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "learnings.toml:1" in done.err
