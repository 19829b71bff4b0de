"""Every hook as another repository gets it: cloned and installed by the framework, then run."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.checkout import manifest
from tests.support.command import Program
from tests.support.frameworks import Framework
from tests.support.repository import GitRepository

pytestmark = [pytest.mark.network, pytest.mark.slow]

ENTRY = "## {title}\n\n{text}\n\n"
NOT_DUE = re.compile("not[- ]due")
PROBLEMS = {
    "learnings-check": "duplicate-entry",
    "learnings-fix": "Fixing agents/learnings.md",
    "target-line-limit": "line-limit",
    "memory-index": "index-missing-row",
    "memory-index-fix": "Fixing agents/memory-index.md",
    "agent-core": "agent-unknown-command",
    "learnings-due": "due",
    "learnings-lossless": "nothing is staged and no range is given",
    "learning-tiers": "tiers-missing-row",
    "confidence-memory": "memory-wrong-value",
}


class Outcome(NamedTuple):
    passed: bool
    output: str


def outcomes(said: str) -> dict[str, Outcome]:
    """Return the outcome of each hook from the verbose output of the framework."""
    blocks = re.split(r"^(.*\.(?:\(.*\))?(?:Passed|Failed|Skipped))$", said, flags=re.MULTILINE)
    pairs = zip(blocks[1::2], blocks[2::2], strict=True)
    return {
        hook: Outcome(head.endswith("Passed"), body)
        for head, body in pairs
        for hook in re.findall(r"^- hook id: (\S+)$", body, flags=re.MULTILINE)
    }


def consumer(
    path: Path, *, titles: Sequence[str], target_lines: int, active_days: int
) -> GitRepository:
    """Build a repository with a memory: all entries from its first day, work on each day since."""
    repository = GitRepository(path)
    entries = "".join(ENTRY.format(title=title, text="What we learned.") for title in titles)
    end = "\n" if target_lines <= 400 else ""
    repository.write("agents/learnings.md", f"# Learnings\n\n{entries}".rstrip("\n") + end)
    lines = "".join(f"Line {number}.\n" for number in range(2, target_lines))
    repository.write("agents/decisions/cli.md", f"# Decisions\n\n{lines}")
    rows = "/how caches\n/when builds hang\n"
    if target_lines > 400:
        headings = "## When builds hang\n\n## How to caches\n\n## X\n"
        repository.write("agents/decisions/builds.md", headings)
        repository.write("agents/memory-index.md", f"## agents/decisions/builds.md\n\n{rows}")
        repository.write(".claude/agents/curator.md", "Run `learnings chek`.\n")
        repository.write(".specwright/learnings/themes/caches.md", "# Caches\n")
    repository.write("docs/unrelated.md", "# Title\n\n## Twice\n\n## Twice\n\nno newline")
    repository.commit("Memory", date="2026-01-01")
    repository.work("2026-01-02", days=active_days - 1)
    return repository


def try_repo(source: GitRepository, consumer: GitRepository, home: Path) -> dict[str, Outcome]:
    run = Program("pre-commit")(
        *("try-repo", source.path, "--ref", "HEAD"),
        *("--all-files", "--verbose", "--hook-stage", "manual", "--color", "never"),
        cwd=consumer.path,
        # The settings of pip may be in the home directory, and its cache is.
        env={"PRE_COMMIT_HOME": str(home), "HOME": os.environ["REAL_HOME"]},
    )
    results = outcomes(run.out)
    assert set(results) == set(manifest()), run.out + run.err
    return results


def test_good_repository_passes_every_hook(framework: Framework, tmp_path: Path) -> None:
    titles = ["When the build is slow", "How to read a trace"]
    good = consumer(tmp_path / "good", titles=titles, target_lines=100, active_days=5)
    framework.install(good, *manifest())
    every = ("run", "--all-files", "--verbose", "--hook-stage", "manual", "--color", "never")
    done = framework(*every, cwd=good.path)
    results = outcomes(done.out)
    assert set(results) == set(manifest()), done.out + done.err
    assert {hook for hook, result in results.items() if not result.passed} == set()
    assert NOT_DUE.search(results["learnings-due"].output)
    assert good.git("status", "--porcelain") == ""


def test_bad_repository_is_told_by_every_hook(published: GitRepository, tmp_path: Path) -> None:
    titles = [f"When case {number} comes up" for number in range(60)]
    titles.append(titles[0])
    bad = consumer(tmp_path / "bad", titles=titles, target_lines=401, active_days=30)
    bad.write(".shaktra/memory/principles.yml", "principles: some\n")
    bad.commit("Confidence", date="2026-01-30")
    results = try_repo(published, bad, tmp_path / "home")
    # The verdict is news, no mistake: it is shown, and nothing is stopped.
    assert {hook for hook, result in results.items() if result.passed} == {
        "learnings-due",
        "learnings-lossless",
    }
    for hook, problem in PROBLEMS.items():
        assert problem in results[hook].output
    assert not NOT_DUE.search(results["learnings-due"].output)
    assert "unrelated" not in results["learnings-check"].output
    changed = ["agents/learnings.md", "agents/memory-index.md"]
    assert bad.git("diff", "--name-only").split() == changed
    assert bad.git("diff", "--cached", "--name-only") == ""


def test_every_hook_has_a_case() -> None:
    assert set(PROBLEMS) == set(manifest())
