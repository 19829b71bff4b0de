"""Every hook as the frameworks run it in another repository."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tests.support.checkout import manifest
from tests.support.command import Program
from tests.support.frameworks import Framework
from tests.support.repository import GitRepository

EVERY = ("--all-files", "--verbose", "--hook-stage", "manual", "--color", "never")
PROBLEMS = {
    "learnings-check": "duplicate-entry",
    "learnings-fix": "Fixing agents/learnings.md",
    "target-line-limit": "line-limit",
    "memory-index": "index-missing-row",
    "memory-index-fix": "Fixing agents/memory-index.md",
    "agent-core": "agent-unknown-command",
    "learnings-due": "learnings.md: due",
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
    found = {
        hook: Outcome(head.endswith("Passed"), body)
        for head, body in zip(blocks[1::2], blocks[2::2], strict=True)
        for hook in re.findall(r"^- hook id: (\S+)$", body, flags=re.MULTILINE)
    }
    assert set(found) == set(manifest()), said
    return found


def memory(*titles: str) -> str:
    return "# Learnings\n" + "".join(f"\n## {title}\n\nWhat we learned.\n" for title in titles)


def try_repo(source: GitRepository, consumer: GitRepository, home: Path) -> dict[str, Outcome]:
    # The settings of pip may be in the home directory, and its cache is.
    env = {"PRE_COMMIT_HOME": str(home), "HOME": os.environ["REAL_HOME"]}
    env["PATH"] = f"{Program('learnings').path.parent}{os.pathsep}{os.environ['PATH']}"
    words = ("try-repo", source.path, "--ref", "HEAD", *EVERY)
    return outcomes(Program("pre-commit")(*words, cwd=consumer.path, env=env).out)


@pytest.fixture
def installed_hooks(tmp_path: Path) -> GitRepository:
    """Return a repository whose manifest is ours, but uses the hooks that are installed here."""
    repository = GitRepository(tmp_path / "hooks")
    hooks = [{**hook, "language": "system"} for hook in manifest().values()]
    repository.write(".pre-commit-hooks.yaml", yaml.safe_dump(hooks))
    repository.commit()
    return repository


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "installed_hooks",
        pytest.param("published", marks=[pytest.mark.soak, pytest.mark.network]),
    ],
)
def test_bad_repository_is_told_by_every_hook(
    source: str, request: pytest.FixtureRequest, repository: GitRepository, tmp_path: Path
) -> None:
    titles = [f"When case {number} comes up" for number in range(60)]
    repository.write("agents/learnings.md", memory(*titles, titles[0]).rstrip("\n"))
    repository.write("agents/decisions/cli.md", "# Decisions\n" + "A line.\n" * 400)
    repository.write(
        "agents/decisions/builds.md", "## When builds hang\n\n## How to cache\n\n## X\n"
    )
    rows = "/how cache\n/when builds hang\n"
    repository.write("agents/memory-index.md", f"## agents/decisions/builds.md\n\n{rows}")
    repository.write(".claude/agents/curator.md", "Run `learnings chek`.\n")
    repository.write(".specwright/learnings/themes/caches.md", "# Caches\n")
    repository.write(".shaktra/memory/principles.yml", "principles: some\n")
    repository.write("docs/unrelated.md", "# Title\n\n## Twice\n\n## Twice\n\nno newline")
    repository.commit("Memory", date="2026-01-01")
    repository.work("2026-01-02", days=29)
    results = try_repo(request.getfixturevalue(source), repository, tmp_path / "home")
    # The verdict is news, no mistake: it is shown, and nothing is stopped.
    passed = {hook for hook, result in results.items() if result.passed}
    assert passed == {"learnings-due", "learnings-lossless"}
    told = {hook for hook, problem in PROBLEMS.items() if problem in results[hook].output}
    assert told == set(manifest())
    assert "unrelated" not in results["learnings-check"].output
    changed = ["agents/learnings.md", "agents/memory-index.md"]
    assert repository.git("diff", "--name-only").split() == changed
    assert repository.git("diff", "--cached", "--name-only") == ""


@pytest.mark.soak
@pytest.mark.network
def test_good_repository_passes_every_hook(framework: Framework, repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory("When the build is slow", "How to read a trace"))
    repository.write("agents/decisions/cli.md", "# Decisions\n" + "A line.\n" * 99)
    repository.commit("Memory", date="2026-01-01")
    repository.work("2026-01-02", days=4)
    framework.install(repository, *manifest())
    results = outcomes(framework("run", *EVERY, cwd=repository.path).out)
    assert {hook for hook, result in results.items() if not result.passed} == set()
    assert "not-due" in results["learnings-due"].output
    assert repository.git("status", "--porcelain") == ""
