"""The exit codes of the commands, as in the table of docs/contracts.md."""

from __future__ import annotations

import re

import pytest

from learnings.surfaces.cli.commands import COMMANDS
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

learnings = Command("learnings")
FILE = "agents/learnings.md"
MEMORY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
PLAN, TARGET = "tmp/plan.md", "agents/locks.md"
NEEDED = {
    "apply": [PLAN, "--as-proposed"],
    "resolve": ["When a build hangs"],
    "archive": ["When a build hangs", "--reason", "it no longer does"],
    "memory": ["check"],
    "tiers": ["check"],
    "merge-driver": [FILE, "ours.md", FILE, FILE],
    "fleet": ["scan", "."],
    "report": ["--consolidation", PLAN],
    "split": [TARGET],
    "verify": [],
}
"""Required arguments after the name of a command."""


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, MEMORY)
    repository.commit(date="2026-01-01")
    return repository


def test_the_table_has_every_command() -> None:
    text = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    table = text.partition("\n## Exit codes\n")[2].partition("\n\nEvery command")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`learnings ([a-z-]+)`", row)]
    assert sorted(listed) == sorted({*COMMANDS}), "complete the table of docs/contracts.md"


def write_needed(memory: GitRepository) -> None:
    """Write the files that NEEDED names."""
    memory.write(TARGET, "# Locks\n")
    memory.write("ours.md", MEMORY)
    assert learnings("plan", "--all", "--output", PLAN, FILE, cwd=memory.path).code == 0


@pytest.mark.slow
def test_a_usual_run(memory: GitRepository) -> None:
    rest = {"explain": ["soft-limit"], "schema": ["due"], "completion": ["bash"], "index": [FILE]}
    rest |= {"notify": ["github", "--dry-run"], "init": ["--dry-run"]} | NEEDED
    write_needed(memory)
    failures = []
    # The archive ends what is decided, and only an editor ends the language server.
    commands = sorted((c for c in COMMANDS if c != "lsp"), key=lambda name: name == "archive")
    for words in ([], *([command, *rest.get(command, [])] for command in commands)):
        run = learnings(*words, cwd=memory.path)
        if run.code != 0:
            failures.append((words, run))
    assert failures == []


def test_a_history_that_cannot_be_trusted(memory: GitRepository) -> None:
    memory.commit(date="2026-01-02")
    clone = memory.clone(1)
    words = {
        2: (["ages"], ["batch"], ["due"], ["ci"], ["check", "--history"], ["notify", "github"]),
        0: ([], ["check"], ["config"], ["groups"], ["precheck"], ["route"], ["baseline"]),
    }
    failures = [
        (line, run)
        for code, lines in words.items()
        for line in lines
        if (run := learnings(*line, cwd=clone.path)).code != code
    ]
    assert failures == []


def test_a_broken_configuration(memory: GitRepository) -> None:
    write_needed(memory)
    memory.write("learnings.toml", "size-triger = 3\n")
    independent = {"completion", "explain", "fleet", "index", "lsp", "merge-driver"}
    independent |= {"report", "rules", "schema"}
    rest = {"notify": ["github"]} | NEEDED
    failures = []
    for words in ([], *([c, *rest.get(c, [])] for c in COMMANDS if c not in independent)):
        run = learnings(*words, cwd=memory.path)
        if (run.code, run.out, "size-triger" in run.err) != (2, "", True):
            failures.append((words, run))
    assert failures == []
