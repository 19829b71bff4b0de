"""--quiet omits notes and verdicts without action; errors stay."""

from __future__ import annotations

import pytest

from learnings.surfaces.cli.commands import COMMANDS, options_of
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
ENTRY = "\n## When part {} hangs\n\nLook at the lock of part {}.\n"
QUIET = [n for n in COMMANDS if "--quiet" in options_of(n) and n != "verify"]


def memory(number: int) -> str:
    return "# Learnings\n" + "".join(ENTRY.format(n, n) for n in range(number))


@pytest.fixture
def repo(repository: GitRepository) -> GitRepository:
    repository.write("README.md", "# A\n")
    repository.commit(date="2026-01-01")
    return repository


def words_of(command: str) -> list[str]:
    return [command, "github", "--dry-run"] if command == "notify" else [command]


def test_no_notes_where_there_is_no_memory(repo: GitRepository, learnings: Command) -> None:
    failures = []
    for command in QUIET:
        loud = learnings(*words_of(command), cwd=repo.path)
        quiet = learnings(*words_of(command), "--quiet", cwd=repo.path)
        expected = loud.err if loud.code else ""
        if (quiet.code, quiet.out, quiet.err) != (loud.code, loud.out, expected) or not loud.err:
            failures.append((command, loud, quiet))
    assert failures == []


def test_errors_stay(repo: GitRepository, learnings: Command) -> None:
    repo.write(FILE, memory(2))
    repo.commit(date="2026-01-02")
    run = learnings("due", "--quiet", cwd=repo.clone(depth=1).path)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("learnings: this is a shallow clone")
    failures = []
    for command in QUIET:
        run = learnings(*words_of(command), "--quiet", "gone.md", cwd=repo.path)
        if (run.code, run.err.count("gone.md")) not in ((1, 1), (2, 1)):
            failures.append((command, run))
    assert failures == []


@pytest.mark.slow
def test_due_prints_only_what_is_due(repo: GitRepository, learnings: Command) -> None:
    repo.write(FILE, memory(2))
    repo.commit(date="2026-01-02")
    assert learnings("due", cwd=repo.path).out.startswith(f"{FILE}: not-due: ")
    run = learnings("due", "--quiet", cwd=repo.path)
    assert (run.code, run.out, run.err) == (0, "", "")
    whole = learnings("due", "--quiet", "--format=json", cwd=repo.path)
    assert [file["verdict"] for file in whole.json["files"]] == ["not-due"]
    repo.write("docs/lessons.md", memory(8))
    repo.commit(date="2026-01-03")
    repo.work("2026-01-04", days=20)
    repo.write(FILE, "# Learnings\n\n## How to read a trace\n\nFrom the bottom up.\n")
    repo.commit(date="2026-02-01")
    run = learnings("due", "--quiet", "--exit-code", cwd=repo.path)
    assert run.code == 1
    assert run.out.startswith("docs/lessons.md: due\n")
    assert FILE not in run.out
    assert learnings("due", "--exit-code", cwd=repo.path).out.endswith(run.out)
