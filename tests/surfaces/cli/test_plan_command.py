"""The command `learnings plan`, in a real repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.consolidation.plan.plan import DROP, KEEP, MERGE, PlanStep
from learnings.consolidation.plan.plan_text import plan_text, read_plan
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE, TARGET = "agents/learnings.md", "agents/decisions/cache.md"
MEMORY = """\
# Learnings

## When the cache key lacks the tenant

Put tenant and locale into the cache key.

## When a cache key is shared by tenants

Never share a cache key: put the tenant into the key.

## When the build is slow

~~Superseded by "When the build waits"~~

## When a token expires

Refresh the token a minute before it expires.

## When the build waits

Look at the queue of the runner first.
"""


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "r")
    repository.write(FILE, MEMORY)
    repository.write(TARGET, "# Cache\n\n## Tokens\n\nRefresh a token early.\n")
    repository.commit(date="2026-01-01")
    return repository


def test_every_entry_stands_in_one_step(learnings: Command, repository: GitRepository) -> None:
    run = learnings("plan", FILE, "--all", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    reading = read_plan(run.stdout)
    assert (reading.plan.file, reading.problems) == (FILE, ())
    steps = [(step.action, [m.name for m in step.members]) for step in reading.plan.steps]
    assert steps == [
        (
            MERGE,
            ["When the cache key lacks the tenant", "When a cache key is shared by tenants"],
        ),
        (KEEP, ["When the build is slow", "When a token expires", "When the build waits"]),
    ]
    assert reading.plan.steps[1].subject == "among the newest"
    repository.write("learnings.toml", "keep-recent = 0\n")
    run = learnings("plan", FILE, "--all", cwd=repository.path)
    reading = read_plan(run.stdout)
    steps = [(step.action, [m.name for m in step.members]) for step in reading.plan.steps]
    assert steps == [
        (MERGE, ["When the cache key lacks the tenant", "When a cache key is shared by tenants"]),
        (DROP, ["When the build is slow"]),
        (KEEP, ["When a token expires"]),
        (KEEP, ["When the build waits"]),
    ]
    assert reading.plan.steps[0].is_draft
    assert "- move to agents/decisions/cache.md#Tokens" in run.out


def test_entries_about_which_nothing_is_known_share_a_step(
    learnings: Command, repository: GitRepository
) -> None:
    others = {"Frogs": "Croak", "Newts": "Hide", "Toads": "Dig"}
    added = "".join(f"\n## {title}\n\n{text}.\n" for title, text in others.items())
    repository.write(FILE, MEMORY + added)
    repository.write("learnings.toml", "keep-recent = 0\n")
    plan = read_plan(learnings("plan", "--all", cwd=repository.path).stdout).plan
    *known, last = [step for step in plan.steps if step.action == KEEP]
    assert [step.members[0].name for step in known] == ["When a token expires"]
    names = ["When the build waits", "Frogs", "Newts", "Toads"]
    assert [member.name for member in last.members] == names
    assert last.notes == ("no finding and no target",)


def test_only_the_batch_without_all(learnings: Command, repository: GitRepository) -> None:
    run = learnings("plan", FILE, cwd=repository.path)
    assert (run.code, read_plan(run.stdout).plan.steps) == (0, ())
    assert run.err == "learnings: no entry is old enough for a batch; --all takes every entry\n"
    repository.work("2026-01-02", days=8)
    run = learnings("plan", FILE, cwd=repository.path)
    names = [member.name for step in read_plan(run.stdout).plan.steps for member in step.members]
    assert names == [
        "When the cache key lacks the tenant",
        "When a cache key is shared by tenants",
        "When the build is slow",
    ]


@pytest.mark.slow
def test_output_writes_a_new_file_and_replaces_only_a_plan_that_was_applied(
    learnings: Command, repository: GitRepository
) -> None:
    words = ("plan", "--all", "--output", "tmp/plan.md")
    run = learnings(*words, cwd=repository.path)
    done, following = run.out.splitlines()
    assert (run.code, done) == (0, "tmp/plan.md: 2 steps for 5 entries")
    assert following == "next: edit it, then learnings apply tmp/plan.md --dry-run"
    assert repository.read("tmp/plan.md") == learnings("plan", "--all", cwd=repository.path).stdout
    assert learnings(*words, cwd=repository.path).code == 0, "the same plan may be written again"
    edited = repository.read("tmp/plan.md").replace(b"## keep", b"## drop old")
    repository.write("tmp/plan.md", edited)
    run = learnings(*words, cwd=repository.path)
    assert run.code == 2
    assert run.err.startswith("learnings: tmp/plan.md is there and is not a plan that was applied")
    assert repository.read("tmp/plan.md") == edited
    repository.write("tmp/plan.md", edited + b"\n## result\n\n- applied: drop old\n")
    assert learnings(*words, cwd=repository.path).code == 0


def test_a_plan_without_a_step_is_written_over(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write("agents/new.md", "# Learnings\n\n## When new\n\ntext\n")
    repository.commit(date="2026-01-01")
    words = ("plan", "agents/new.md", "--output", "tmp/new.md")
    run = learnings(*words, cwd=repository.path)
    assert run.out.startswith("tmp/new.md: 0 steps for 0 entries of the batch\n")
    run = learnings(*words, "--all", cwd=repository.path)
    assert run.out.startswith("tmp/new.md: 1 step for 1 entry\n")
    repository.write("tmp/new.md", "# Notes of somebody\n")
    assert learnings(*words, "--all", cwd=repository.path).code == 2


@pytest.mark.slow
def test_output_replaces_no_plan_whose_decisions_were_not_applied(
    learnings: Command, repository: GitRepository
) -> None:
    words = ("plan", "--all", "--output", "tmp/plan.md")
    learnings(*words, cwd=repository.path)
    plan = read_plan(repository.read("tmp/plan.md")).plan
    finding = ("supersession, escalate: both",)
    kept = tuple(PlanStep(KEEP, "", step.members, finding) for step in plan.steps)
    repository.write("tmp/plan.md", plan_text(plan._replace(steps=kept)))
    run = learnings(*words, cwd=repository.path)
    assert run.code == 2, "these decisions were not applied yet"
    for other in (
        b"",
        b"# Notes\n\nMine.\n",
        b"# Consolidation plan\n\nFile: agents/learnings.md\n",
    ):
        repository.write("tmp/plan.md", other)
        assert learnings(*words, cwd=repository.path).code == 2, other
        assert repository.read("tmp/plan.md") == other


def test_a_plan_may_lie_outside_of_the_repository(
    learnings: Command, repository: GitRepository, tmp_path: Path
) -> None:
    path = tmp_path / "elsewhere" / "plan.md"
    path.parent.mkdir()
    words = ("plan", "--all", "--output")
    assert learnings(*words, path, cwd=repository.path).code == 0
    assert learnings(*words, "../elsewhere/new/plan.md", cwd=repository.path).code == 0
    assert path.read_bytes() == (path.parent / "new" / "plan.md").read_bytes()
    assert path.read_bytes().startswith(b"# Consolidation plan\n\nFile: agents/learnings.md\n")


def test_what_is_no_file_for_a_plan_is_refused(
    learnings: Command, repository: GitRepository
) -> None:
    cases: dict[tuple[str, ...], str]
    cases = {("none.md",): "there is no file none.md", ("agents",): "agents is a folder"}
    repository.write("LEARNINGS.md", MEMORY)
    cases[()] = "a plan is for one file; name one of LEARNINGS.md, agents/learnings.md"
    for words, message in cases.items():
        run = learnings("plan", *words, cwd=repository.path)
        assert (run.code, run.out) == (2, "")
        assert message in run.err


def test_without_a_history_there_is_no_batch_to_plan_for(
    learnings: Command, repository: GitRepository
) -> None:
    repository.commit(date="2026-01-02")
    shallow = repository.clone(depth=1, path=repository.path.parent / "shallow")
    run = learnings("plan", cwd=shallow.path)
    assert (run.code, run.out) == (2, "")
    assert "shallow clone" in run.err
    assert run.err.endswith("; or take every entry with --all\n")
    assert learnings("plan", "--all", cwd=shallow.path).code == 0
