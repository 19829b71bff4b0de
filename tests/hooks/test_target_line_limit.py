from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

HOOK = Command("target-line-limit")


def text(count: int) -> str:
    return "# Decisions\n" + "- One more.\n" * (count - 1)


@pytest.mark.parametrize(
    ("path", "source", "code", "output"),
    [
        ("docs/decisions/cli.md", text(401), 1, "error line-limit"),
        ("docs/decisions/cli.md", text(400), 0, "notice line-limit full"),
        ("docs/decisions/cli.md", text(361), 0, "nearly full"),
        ("docs/decisions/cli.md", text(360), 0, ""),
        ("CLAUDE.md", text(401), 0, "notice line-limit"),
        ("CLAUDE.md", "@docs/gone.md\n", 0, "notice dead-import"),
        ("README.md", text(401), 0, ""),
        ("agents/learnings.md", text(401), 0, ""),
    ],
)
def test_targets_and_instructions(
    repository: GitRepository, path: str, source: str, code: int, output: str
) -> None:
    repository.write(path, source)
    done = HOOK(path, cwd=repository.path)
    assert done.code == code
    assert output in done.out
    assert bool(done.out) is bool(output)


def test_limit_of_the_command_line_wins_over_the_file(repository: GitRepository) -> None:
    path = "docs/decisions/cli.md"
    repository.write(path, text(401))
    repository.write("learnings.toml", "line-limit = 500\n")
    assert HOOK(path, cwd=repository.path).code == 0
    assert HOOK("--line-limit=400", path, cwd=repository.path).code == 1
    assert HOOK("--line-limit", "400", path, cwd=repository.path).code == 1
    assert HOOK("--line-limit=many", path, cwd=repository.path).code == 2
