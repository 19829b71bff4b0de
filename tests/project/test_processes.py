"""Our commands do the same as processes as in the process of the tests, where most tests run."""

from __future__ import annotations

import os

import pytest

from learnings.app.setup import origin
from learnings.surfaces.cli.commands import COMMANDS
from tests.support.checkout import manifest
from tests.support.command import Command, Completed
from tests.support.repository import GitRepository

MEMORY, TARGET, INDEX = "agents/learnings.md", "agents/decisions/cli.md", "agents/memory-index.md"
ENTRY = "\n## When {} „zwei“ – 確認\n\nLook at the lock of {} first.\n"
FILES = {
    MEMORY: "# Learnings\n" + "".join(ENTRY.format(name, name) for name in ("caches", "queues")),
    TARGET: "# Decisions\n\n## When a build hangs\n\nLook.  \n",
    INDEX: f"# Index\n\n## {TARGET}\n\n/when a trace is read\n",
}
CALLS = {
    *("ages agents/learnings.md", "ages none.md", "apply none.md", "archive none --reason x"),
    *("batch agents/learnings.md", "baseline", "check", "check --format=json", "check --nothing"),
    *("ci --help", "completion bash", "config", "diff", "doctor", "doctor --exit-code", "due"),
    *("due --format=json", "explain duplicate-entry", "fix", "fleet scan .", "groups", "index"),
    *("fleet merge gone.json --format=html", "init --dry-run", "lsp", "memory check"),
    *("memory curate --dry-run", "merge-driver a b c d", "notify github --dry-run", "plan"),
    *("precheck", "report --consolidation", "report", "resolve none", "route", "rules"),
    *("schema check", "split agents/decisions/cli.md", "tiers status", "tiers check", "tiers"),
    *("verify", "verify --head HEAD", "", "--version"),
}
# For every change: one call for each exit code, text that is not ASCII, and a change of a file.
FEW = {"batch agents/learnings.md", "check", "check --nothing", "fix"}
NO_FILES = {"agent-core", "confidence-memory", "learning-tiers", "learnings-due"}
NO_FILES |= {"learnings-lossless"}
"""Hooks that are handed no file names."""


@pytest.fixture
def memory(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    """Return a repository with a finding for most hooks, and something to be due."""
    monkeypatch.setattr(origin, "recorded", dict)  # as a wheel, which has no origin
    for path, text in FILES.items():
        repository.write(path, text)
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=10)
    return repository


def outcome(run: Completed, repository: GitRepository) -> tuple[object, ...]:
    """Return the results of a run, and undo its writes."""
    status = repository.git("status", "--porcelain")
    changed = repository.git("diff")
    repository.git("reset", "--quiet", "--hard")
    repository.git("clean", "--quiet", "--force", "-d")
    return run.code, run.stdout, run.stderr, status, changed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("learnings", FEW),
        pytest.param("learnings", CALLS, marks=pytest.mark.soak),
        ("learnings-fix", {" ".join(FILES)}),
        *(
            pytest.param(
                hook, {"" if hook in NO_FILES else " ".join(FILES)}, marks=pytest.mark.soak
            )
            for hook in manifest()
        ),
    ],
)
def test_a_process_does_what_a_call_does(memory: GitRepository, name: str, calls: set[str]) -> None:
    command, codes = Command(name), set()
    # An editable installation has an origin, which only its process finds.
    found = {"doctor", "doctor --exit-code", "init --dry-run"}
    left_out = set() if "LEARNINGS_WHEEL" in os.environ else found
    for call in sorted(calls - left_out):
        words = call.split()
        called = outcome(command(*words, cwd=memory.path), memory)
        started = outcome(command.process(*words, cwd=memory.path), memory)
        assert called == started, call
        codes.add(called[0])
    assert len(calls) == 1 or codes == {0, 1, 2}


def test_every_command_has_a_call() -> None:
    named = {call.split()[0] for call in CALLS if call}
    assert named - {"--version"} == set(COMMANDS), "add a call of the command to CALLS above"
