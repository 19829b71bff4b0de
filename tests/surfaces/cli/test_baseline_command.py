"""The life of a baseline: `learnings baseline`, and checks that use it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from learnings.check import full_check
from learnings.surfaces.cli.arguments import command_table
from learnings.workspace.workspace import Workspace
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.schemas import validate

pytestmark = pytest.mark.usefixtures("instructed")

FILE = ".learnings-baseline.json"
MEMORY = "agents/learnings.md"
UNTIDY = (
    "# Learnings\n\n## When a build hangs\n\nLook.\n\n## When a build hangs\n\nKill it.\n\n"
    "##When it is slow\n\nProfile.\n\n## How to trace"
)
INDEX = "# Index\n\n## agents/decisions/builds.md\n\n/when it is gone\n"
BUILDS = "# Builds\n\n## When a log is long\n\nCut it.\n"


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str

    @property
    def rules(self) -> list[str]:
        """Return the rules of the shown findings."""
        return re.findall(r"^\S+:\d+:\d+: \w+ (\S+)", self.out, flags=re.MULTILINE)


def run(command: str, cwd: Path, *words: str) -> Run:
    done = Command("learnings")(command, *words, cwd=cwd)
    return Run(done.code, done.out, done.err)


@pytest.fixture
def repo(repository: GitRepository) -> GitRepository:
    """Return an untidy repository: a memory, a target that is too long, an index that is off."""
    repository.write(MEMORY, UNTIDY)
    repository.write("agents/decisions/builds.md", BUILDS)
    repository.write("agents/memory-index.md", INDEX)
    repository.write("CLAUDE.md", "A line.\n" * 401)
    return repository


@pytest.fixture
def settled(repo: GitRepository) -> GitRepository:
    """Return the same repository with its findings recorded."""
    assert run("baseline", repo.path).code == 0
    return repo


def known(repo: GitRepository) -> list[str]:
    return [finding["rule"] for finding in json.loads(repo.read(FILE))["findings"]]


def changed(repo: GitRepository, old: str, new: str) -> None:
    text = repo.read(MEMORY).decode()
    assert old in text
    repo.write(MEMORY, text.replace(old, new, 1))


# --- what a check makes of it


def test_green_at_once(repo: GitRepository) -> None:
    before = run("check", repo.path)
    assert before.code == 1
    assert len(before.rules) == 6
    recorded = run("baseline", repo.path)
    assert recorded == Run(0, f"{FILE}: 6 findings, 6 new, 0 gone\n", "")
    after = run("check", repo.path)
    assert after == Run(0, "", "0 errors, 0 notices in 4 files; 6 known findings left out\n")
    assert run("check", repo.path, "--strict").code == 0
    assert run("check", repo.path, "--no-baseline") == before
    document = json.loads(run("check", repo.path, "--format", "json").out)
    assert document["findings"] == []
    assert document["summary"] == {"errors": 0, "notices": 0, "known": 6, "files": 4}
    data = repo.read(FILE)
    assert run("baseline", repo.path).out == f"{FILE}: 6 findings, 0 new, 0 gone\n"
    assert repo.read(FILE) == data


def test_red_for_what_is_new_whatever_lines_move(settled: GitRepository) -> None:
    changed(settled, "# Learnings\n", "# Learnings\n\nWhat we know.\n\n---\n")
    assert run("check", settled.path).code == 0
    changed(settled, "## How to trace", "##\n\n## How to trace")
    result = run("check", settled.path)
    assert (result.code, result.rules) == (1, ["entry-title-empty"])
    assert result.err == "1 error, 0 notices in 4 files; 6 known findings left out\n"
    before = settled.read(FILE)
    assert run("baseline", settled.path, "--prune").out == f"{FILE}: 6 findings, 0 new, 0 gone\n"
    assert settled.read(FILE) == before
    changed(settled, "##\n\n", "")
    changed(settled, "Kill it.\n", "Kill it.\n\n## When a build hangs\n\nAgain.\n")
    assert run("check", settled.path).rules == ["duplicate-entry"]


def test_files_of_another_repository_have_a_baseline_of_their_own(
    settled: GitRepository, tmp_path: Path
) -> None:
    elsewhere = GitRepository(tmp_path / "elsewhere")
    elsewhere.write(MEMORY, UNTIDY)
    path = str(settled.path / MEMORY)
    assert run("check", elsewhere.path, path).code == 0
    assert run("check", elsewhere.path, path, MEMORY).rules == run("check", elsewhere.path).rules
    inner = GitRepository(settled.path / "inner")
    inner.write(MEMORY, UNTIDY)
    assert run("check", settled.path, "inner").code == 1
    run("baseline", inner.path)
    assert run("check", settled.path, "inner").code == 0
    assert run("check", settled.path).code == 0


def test_standard_input_is_held_against_it(settled: GitRepository, learnings: Command) -> None:
    words = ("check", "--stdin-filename", MEMORY, "-")
    assert learnings(*words, cwd=settled.path, stdin=UNTIDY.encode()).code == 0
    worse = learnings(*words, cwd=settled.path, stdin=b"##\n\n" + UNTIDY.encode())
    assert (worse.code, "entry-title-empty" in worse.out) == (1, True)


@pytest.mark.parametrize("hook", ["learnings-check", "target-line-limit", "memory-index"])
def test_hooks_honour_it(repo: GitRepository, hook: str) -> None:
    command = Command(hook)
    paths = () if hook == "memory-index" else (MEMORY, "docs/decisions/a.md")
    repo.write("docs/decisions/a.md", "A line.\n" * 401)
    assert command(*paths, cwd=repo.path).code == 1
    run("baseline", repo.path)
    assert command(*paths, cwd=repo.path).code == 0


def test_ignored_findings_are_not_recorded(repo: GitRepository) -> None:
    comment = "<!-- learnings: ignore[duplicate-entry] two daemons -->"
    changed(repo, "Kill it.\n", f"Kill it. {comment}\n")
    run("baseline", repo.path)
    assert "duplicate-entry" in known(repo)
    changed(repo, f" {comment}", f"\n\n{comment}")
    run("baseline", repo.path)
    assert "duplicate-entry" not in known(repo)


# --- how it shrinks


def test_what_is_fixed_goes(settled: GitRepository) -> None:
    before = settled.read(FILE)
    assert full_check.pruned(Workspace.open(settled.path), commands=command_table) is None
    changed(settled, "##When", "## When")
    for words in ((), (MEMORY,), ("--role", "target")):
        assert run("check", settled.path, *words).code == 0
    assert settled.read(FILE) == before
    below = Workspace.open(settled.path / "agents")
    change = full_check.pruned(below, commands=command_table)
    assert change is not None
    assert run("baseline", settled.path, "--prune").out == f"{FILE}: 5 findings, 0 new, 1 gone\n"
    assert settled.read(FILE) == change.after
    assert full_check.pruned(Workspace.open(settled.path), commands=command_table) is None
    changed(settled, "## When it", "##When it")
    assert run("check", settled.path).rules == ["entry-heading-malformed"]
    (settled.path / FILE).unlink()
    assert full_check.pruned(Workspace.open(settled.path), commands=command_table) is None


def test_a_file_that_is_gone_takes_its_findings_along(settled: GitRepository) -> None:
    (settled.path / MEMORY).unlink()
    (settled.path / "CLAUDE.md").unlink()
    run("baseline", settled.path, "--prune")
    assert known(settled) == ["index-missing-row", "index-orphan-row"]
    for path in ("agents/memory-index.md", "agents/decisions/builds.md"):
        (settled.path / path).unlink()
    assert run("baseline", settled.path, "--prune").out == f"{FILE}: 0 findings, 0 new, 2 gone\n"
    assert known(settled) == []


def test_a_renamed_file_keeps_its_findings_and_a_new_one_takes_none(settled: GitRepository) -> None:
    settled.commit()
    settled.rename("CLAUDE.md", "AGENTS.md")
    settled.rename(MEMORY, "agents/gotchas.md")
    assert run("check", settled.path).code == 0
    settled.commit()
    settled.rename("agents/gotchas.md", "agents/lessons.md")
    assert run("check", settled.path).code == 0
    count = len(known(settled))
    assert f" {count} findings, 0 new, 0 gone" in run("baseline", settled.path, "--prune").out
    assert run("check", settled.path, "agents/lessons.md").code == 0
    settled.remove("AGENTS.md")
    settled.write("CLAUDE.md", "Another line.\n" * 401)
    assert run("check", settled.path).rules == ["line-limit"]


def test_findings_of_history_are_not_judged_without_it(settled: GitRepository) -> None:
    document = json.loads(settled.read(FILE))
    entry = {"path": MEMORY, "rule": "date-mismatch", "about": "", "severity": "notice"}
    document["findings"].append({**entry, "fingerprint": "0" * 16})
    document["findings"].append({**entry, "rule": "retired-rule", "fingerprint": "1" * 16})
    settled.write(FILE, json.dumps(document))
    run("baseline", settled.path, "--prune")
    assert known(settled).count("date-mismatch") == 1
    assert "retired-rule" not in known(settled)
    settled.commit()
    run("baseline", settled.path, "--prune", "--history")
    assert "date-mismatch" not in known(settled)


def test_history_that_cannot_answer_changes_nothing(repo: GitRepository) -> None:
    refused = run("baseline", repo.path, "--history")
    assert (refused.code, "commit" in refused.err) == (2, True)
    assert not (repo.path / FILE).exists()


# --- the file


def test_another_place(repo: GitRepository) -> None:
    repo.write("learnings.toml", 'baseline = "agents/known.json"\n')
    assert run("baseline", repo.path).out.startswith("agents/known.json: 6 findings")
    assert not (repo.path / FILE).exists()
    assert run("check", repo.path).code == 0


def test_nothing_to_record(repository: GitRepository) -> None:
    repository.write(MEMORY, "## A\n")
    assert run("baseline", repository.path) == Run(0, "", "learnings: nothing to record\n")
    assert run("baseline", repository.path, "--prune").err == f"learnings: no baseline {FILE}\n"
    assert not (repository.path / FILE).exists()


def test_it_is_as_its_schema_says(settled: GitRepository) -> None:
    validate(json.loads(settled.read(FILE)), "baseline")


@pytest.mark.parametrize("damage", ["conflict", "dangling", "outside"])
def test_a_broken_one_is_a_sentence_and_stays(settled: GitRepository, damage: str) -> None:
    file = settled.path / FILE
    if damage == "conflict":
        text = settled.read(FILE).decode()
        settled.write(FILE, text.replace('  "findings"', '<<<<<<< HEAD\n  "findings"'))
    else:
        file.rename(settled.path.parent / "outside.json")
        file.symlink_to("../outside.json" if damage == "outside" else "nowhere.json")
    kept = file.is_file() and settled.read(FILE)
    for command, *words in (("check",), ("baseline",), ("baseline", "--prune")):
        done = run(command, settled.path, *words)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.startswith(f"learnings: {FILE}")
    assert run("check", settled.path, "--no-baseline").code == 1
    assert (file.is_file() and settled.read(FILE)) == kept
