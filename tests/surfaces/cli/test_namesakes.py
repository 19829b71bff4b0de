"""Entries with one heading, some with the same text, on their way to an archive and back."""

from __future__ import annotations

import shlex
from itertools import combinations

import pytest

from learnings.core.entries.archives import originals_in
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE, PLAN = "agents/learnings.md", "tmp/plan.md"
TEN = "## When a lock is held\n\nWait for ten seconds, and then ask the owner.\n\n"
ONCE = "## When a lock is held\n\nWait for ten seconds, and then fail.\n\n"
OTHER = "## When a disk is full\n\nDelete the caches of the runners first.\n"
MEMORY = f"# Learnings\n\n{TEN}{TEN}{ONCE}{OTHER}"
NAMES = ("when a lock is held", "when a lock is held #2", "when a lock is held #3")


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(".gitignore", "tmp/\n")
    repository.write(FILE, MEMORY)
    repository.commit()
    return repository


def undo(learnings: Command, repository: GitRepository, out: str) -> int:
    """Run the printed command."""
    command = shlex.split(out.partition("Undo: ")[2].splitlines()[0])
    assert command[:3] == ["learnings", "archive", "--restore"]
    return learnings(*command[1:], cwd=repository.path).code


CHOICES = [choice for number in (1, 2, 3) for choice in combinations(NAMES, number)]


@pytest.mark.slow
def test_what_is_archived_is_proven_and_comes_back(
    learnings: Command, memory: GitRepository
) -> None:
    wrong = {}
    for choice in CHOICES:
        words = "archive", *choice, "--reason", "x", "--stage"
        out = learnings(*words, cwd=memory.path).out
        lost = learnings("verify", "--base", "HEAD", cwd=memory.path).code
        code = undo(learnings, memory, out)
        again = learnings("archive", "--restore", NAMES[0], cwd=memory.path)
        if (lost, code, again.code, memory.read(FILE).decode()) != (0, 0, 0, MEMORY):
            wrong[choice] = out
        memory.git("reset", "-q", "--hard")
    assert wrong == {}


def test_what_a_plan_merges_is_proven_and_comes_back(
    learnings: Command, memory: GitRepository
) -> None:
    memory.write("learnings.toml", "keep-recent = 0\n")
    plan = learnings("plan", FILE, "--all", cwd=memory.path).out
    memory.write(PLAN, plan)
    assert [plan.count(f"` {name}\n".replace("when", "When")) for name in NAMES] == [1, 1, 1]
    memory.write(FILE, f"{MEMORY}\n## When a token expires\n\nRefresh it a minute early.\n")
    run = learnings("apply", PLAN, "--as-proposed", cwd=memory.path)
    assert run.out.startswith("Consolidated 3 entries into 1. Originals archived.\n")
    (archive,) = (memory.path / "agents/archive").glob("*-consolidated-*")
    originals = [original.data.decode() for original in originals_in(archive.read_bytes())]
    assert originals == [TEN, TEN, ONCE]
    assert learnings("verify", "--base", "HEAD", cwd=memory.path).code == 0
    assert undo(learnings, memory, run.out) == 0
    assert memory.read(FILE).decode().startswith(MEMORY)
