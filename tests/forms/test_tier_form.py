"""Learning tiers in other commands: the overview, `due`, `ci`, the start of a session, `init`."""

from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.tier_stores import FOLDER, raw_file

INDEX = f"{FOLDER}/INDEX.md"
OFF = "[tiers]\nauto-compact = false\n"
STATE = f"{FOLDER}: 3 raw files, 3 new, 0 themes; compaction is due"
LINE = f"{STATE} and happens at the next handoff"
BY_HAND = f"{STATE} (auto-compact is off); next: learnings tiers compact"


@pytest.fixture
def store(repository: GitRepository) -> GitRepository:
    """Return a repository in which a compaction is due, and nothing else is."""
    for number in range(3):
        finding = ("Put the tenant into the cache key", f"Customer {number} saw other prices.")
        repository.write(f"{FOLDER}/{number}.json", raw_file(f"WU-{number}", [finding]))
    repository.commit(date="2026-01-01")
    return repository


def test_a_compaction_that_is_due_is_a_status_everywhere(
    store: GitRepository, learnings: Command
) -> None:
    out = learnings(cwd=store.path).out
    assert out.startswith(f"tiers     {LINE}\n")
    assert "tiers compact" not in out
    run = learnings("due", "--exit-code", cwd=store.path)
    assert (run.code, run.out) == (0, f"{LINE}\n")
    assert learnings("due", "--format=github", cwd=store.path).out == ""
    document = learnings("due", "--format=json", cwd=store.path).json
    assert (document["tiers"]["new"], document["tiers"]["due"]) == (3, True)
    (form,) = document["forms"]
    assert (form["form"], form["reason"]) == ("tiers", "3 new raw files")
    fleet = learnings("fleet", "scan", ".", cwd=store.path).out
    assert "due\n" not in fleet.splitlines(keepends=True)[0]


def test_it_is_asked_for_where_nothing_compacts_by_itself(
    store: GitRepository, learnings: Command
) -> None:
    store.write("learnings.toml", OFF)
    out = learnings(cwd=store.path).out
    assert f"tiers     {BY_HAND}\n" in out
    assert (
        out.splitlines()[-1] == "next      run `learnings tiers compact`, since auto-compact is off"
    )
    run = learnings("due", "--exit-code", cwd=store.path)
    assert (run.code, run.out) == (1, f"{BY_HAND}\n")
    github = learnings("due", "--format=github", cwd=store.path).out
    assert github == f"::warning file={INDEX},line=1,title=learnings::{BY_HAND}\n"
    assert learnings("tiers", "compact", "--auto", cwd=store.path).both == b""
    assert "auto-compact is off" in learnings("ci", "--compact", cwd=store.path).err
    assert not (store.path / INDEX).exists()


def test_tiers_that_cannot_be_read_hide_nothing_else(
    store: GitRepository, learnings: Command
) -> None:
    (store.path / INDEX).mkdir()
    for words in ([], ["due"]):
        run = learnings(*words, cwd=store.path)
        assert (run.code, f"{FOLDER}/INDEX.md is a folder" in run.out) == (0, True)


def test_a_ci_job_compacts(store: GitRepository, learnings: Command) -> None:
    dry = learnings("ci", "--compact", "--dry-run", cwd=store.path)
    assert (dry.code, "Would compact 3 new raw files into 1 theme." in dry.err) == (0, True)
    assert not (store.path / INDEX).exists()
    assert f"{LINE}\n" in learnings("ci", cwd=store.path).out
    run = learnings("ci", "--compact", cwd=store.path)
    assert (run.code, "Compacted 3 new raw files into 1 theme." in run.err) == (0, True)
    assert (store.path / INDEX).is_file()
    assert "ompact" not in learnings("ci", "--compact", cwd=store.path).err


def test_a_ci_job_checks_tiers_and_says_how_they_are(
    store: GitRepository, learnings: Command
) -> None:
    store.write(f"{FOLDER}/themes/x.md", "# X\n")
    run = learnings("ci", cwd=store.path)
    assert (run.code, "error tiers-missing-row" in run.out) == (1, True)
    assert f"{FOLDER}: 3 raw files, 3 new, 1 theme; compaction is due" in run.out
    assert "no learnings file" not in run.err


def test_only_without_auto_compact_is_it_a_condition_of_the_issue(
    store: GitRepository, learnings: Command
) -> None:
    entries = "".join(f"## When {n} fails\n\nDo {n} again.\n\n" for n in range(60))
    store.write("agents/learnings.md", f"# Learnings\n\n{entries}")
    store.commit(date="2026-01-02")
    store.work("2026-01-03", days=9)
    row = f"| `{FOLDER}` | 3 new raw files: `learnings tiers compact` | 3 | yes |"
    words = ("notify", "github", "--dry-run")
    environment = {"GITHUB_REPOSITORY": "a/b"}
    assert row not in learnings(*words, cwd=store.path, env=environment).out
    store.write("learnings.toml", OFF)
    assert row in learnings(*words, cwd=store.path, env=environment).out
