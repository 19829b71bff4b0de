from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

HOOK, CHECK = Command("learnings-fix"), Command("learnings-check")
MISSING_SPACE = "# Learnings\n\n## When a build hangs\n\n##When a test is slow\n\nProfile it."
FIXED = MISSING_SPACE.replace("##When", "## When") + "\n"


@pytest.mark.parametrize(
    ("path", "is_fixed"),
    [
        ("agents/learnings.md", True),
        (".claude/lessons.md", True),
        ("README.md", False),
        ("agents/memory-index.md", False),
        ("notes/learnings.md", False),
    ],
)
def test_only_learnings_files_are_fixed(
    repository: GitRepository,
    path: str,
    is_fixed: bool,
) -> None:
    repository.write(path, MISSING_SPACE)
    assert CHECK(path, cwd=repository.path).out.count(": error ") == 2 * is_fixed
    done = HOOK(path, cwd=repository.path)
    said = f"Fixing {path}\n" if is_fixed else ""
    assert (done.code, done.out, done.err) == (int(is_fixed), said, "")
    assert repository.read(path).decode() == (FIXED if is_fixed else MISSING_SPACE)
    assert HOOK(path, cwd=repository.path).code == 0
    assert CHECK(path, cwd=repository.path).code == 0


def test_only_files_that_are_named_and_nothing_is_staged(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", MISSING_SPACE)
    repository.write("docs/lessons.md", MISSING_SPACE)
    repository.git("add", "--all")
    assert HOOK("docs/lessons.md", "README.md", cwd=repository.path).code == 1
    assert repository.read("agents/learnings.md").decode() == MISSING_SPACE
    assert repository.git("show", ":docs/lessons.md") == MISSING_SPACE
    assert repository.git("diff", "--name-only") == "docs/lessons.md"


def test_wrong_usage_and_wrong_configuration(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", MISSING_SPACE)
    assert HOOK("--nothing", cwd=repository.path).code == 2
    repository.write("learnings.toml", "line-limt = 1\n")
    done = HOOK("agents/learnings.md", cwd=repository.path)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert repository.read("agents/learnings.md").decode() == MISSING_SPACE
