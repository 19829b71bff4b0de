"""Our commands do the same as processes and in the process of the tests, where most tests run them.

Each command and each hook is started here once at least.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import distribution

import pytest

from learnings.surfaces.cli.commands import COMMANDS
from tests.support.command import Command, Completed
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

MEMORY, TARGET, INDEX = "agents/learnings.md", "agents/decisions/cli.md", "agents/memory-index.md"
ENTRY = "\n## When {} „zwei“ – 確認\n\nLook at the lock of {} first.\n"
FILES = {
    MEMORY: "# Learnings\n" + "".join(ENTRY.format(name, name) for name in ("caches", "queues")),
    TARGET: "# Decisions\n\n## When a build hangs\n\nLook.  \n",
    INDEX: f"# Index\n\n## {TARGET}\n\n/when a trace is read\n",
}
WORDS = {
    "ages": [["ages", MEMORY], ["ages", "none.md"]],
    "apply": [["apply", "none.md"]],
    "archive": [["archive", "none", "--reason", "x"]],
    "batch": [["batch", MEMORY]],
    "baseline": [["baseline"]],
    "check": [["check"], ["check", "--format=json"], ["check", "--nothing"]],
    "ci": [["ci", "--help"]],
    "completion": [["completion", "bash"]],
    "config": [["config"]],
    "doctor": [["doctor"], ["doctor", "--exit-code"]],
    "due": [["due"], ["due", "--format=json"]],
    "explain": [["explain", "duplicate-entry"]],
    "fix": [["fix"]],
    "groups": [["groups", MEMORY]],
    "index": [["index"]],
    "init": [["init", "--dry-run"]],
    "lsp": [["lsp"]],
    "memory": [["memory", "check"], ["memory", "curate", "--dry-run"]],
    "merge-driver": [["merge-driver", TARGET, MEMORY, INDEX, MEMORY]],
    "notify": [["notify", "github", "--dry-run"]],
    "plan": [["plan", MEMORY]],
    "precheck": [["precheck", MEMORY]],
    "fleet": [["fleet", "scan", "."], ["fleet", "merge", "gone.json", "--format=html"]],
    "report": [["report", "--consolidation"], ["report"]],
    "resolve": [["resolve", "none"]],
    "route": [["route", MEMORY]],
    "rules": [["rules"]],
    "schema": [["schema", "check"]],
    "split": [["split", TARGET]],
    "tiers": [["tiers", "status"], ["tiers", "check"], ["tiers"]],
    "diff": [["diff"]],
    "verify": [["verify"], ["verify", "--head", "HEAD"]],
}
NO_FILES = {"agent-core", "confidence-memory", "learning-tiers", "learnings-due"}
NO_FILES |= {"learnings-lossless"}
"""Hooks that are handed no file names."""
HOOKS = sorted(
    script.name
    for script in distribution("learnings").entry_points
    if script.group == "console_scripts" and script.name != "learnings"
)

WITHOUT_FILES = {"agent-core", "learning-tiers", "learnings-due", "learnings-lossless"}


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository with a finding for most hooks, and something to be due."""
    for path, text in FILES.items():
        repository.write(path, text)
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=10)
    return repository


def runs() -> Iterator[tuple[Command, list[str]]]:
    """Yield each command with the words of a call."""
    yield Command("learnings"), []
    yield Command("learnings"), ["--version"]
    for calls in WORDS.values():
        for words in calls:
            yield Command("learnings"), words
    for hook in HOOKS:
        yield (
            Command(hook),
            [] if hook in NO_FILES else [*FILES],
        )


def outcome(run: Completed, repository: GitRepository) -> tuple[object, ...]:
    """Return the results of a run, and undo its writes."""
    status = repository.git("status", "--porcelain")
    changed = repository.git("diff")
    repository.git("reset", "--quiet", "--hard")
    repository.git("clean", "--quiet", "--force", "-d")
    return run.code, run.stdout, run.stderr, status, changed


def test_a_process_does_what_a_call_does(memory: GitRepository) -> None:
    failures, codes = [], set()
    for command, words in runs():
        called = outcome(command(*words, cwd=memory.path), memory)
        started = outcome(command.process(*words, cwd=memory.path), memory)
        codes.add(called[0])
        if called != started:
            failures.append((command.name, words, called, started))
    assert failures == []
    assert codes == {0, 1, 2}


def test_every_command_has_a_call() -> None:
    assert set(WORDS) == set(COMMANDS), "add a call of the command to WORDS above"
