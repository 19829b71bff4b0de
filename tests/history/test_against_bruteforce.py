"""The installed command against a slow count that shares no code with it, on random histories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.history.memory import ages
from tests.history.oracle.bruteforce import compared, expected, parse
from tests.history.oracle.histories import STYLES, name_at, random_history

pytestmark = pytest.mark.slow

COMMITS = 160
# One of each style, and such that merges move and reword entries that only one parent holds.
SEEDS = dict(zip(STYLES, (24, 25, 6, 23), strict=True))


@pytest.mark.parametrize(
    ("style", "commits"),
    [("category", 2), *(pytest.param(style, 12, marks=pytest.mark.soak) for style in STYLES)],
)
def test_agrees_at_many_commits(style: str, commits: int, tmp_path: Path) -> None:
    repo, seed = tmp_path / "repo", SEEDS[style]
    random_history(repo, seed=seed, commits=COMMITS)
    assert len(_git(repo, "rev-list", "--merges", "HEAD").split()) > 5
    basis = set()
    for rev, name in _drawn(repo, commits):
        counted = expected(repo, name, rev=rev)
        basis |= {entry.basis for entry in counted.entries}
        values = compared(counted, ages(repo, "--at", rev, file=name))
        wrong = [value for value in values if value.expected != value.reported]
        assert not wrong, "\n".join([f"{name} at {rev}, seed {seed}", *map(str, wrong)])
    assert {"commit"} < basis


def test_a_seed_makes_one_history(tmp_path: Path) -> None:
    for name in ("one", "two"):
        random_history(tmp_path / name, seed=1, commits=20)
    assert _git(tmp_path / "one", "rev-parse", "HEAD") == _git(
        tmp_path / "two", "rev-parse", "HEAD"
    )


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("## [2026-01-01] A\n## [2026-01-02-1] B\n## Themes\n", ["A", "B"]),
        ("## L-014: A\n## L-015: B\n### [LRN-20260206-001] C\n", ["A", "B", "C"]),
        ("# L\n- 2026-03-04 — never retry\n- **2026-02-01 (x):** wait\n", ["never retry", "wait"]),
        ("## One\n### A\n### B\n## Two\n### C\n", ["A", "B", "C"]),
        ("## A ##\n```\n## B\n```\n<!--\n## C\n-->\nD\n---\n> ## E\n", ["A"]),
        ("---\n## x: y\n---\n#### A\n", []),
        ("# L\r## A\r", ["A"]),
    ],
)
def test_the_slow_count_reads_every_shape(text: str, titles: list[str]) -> None:
    assert [entry.title for entry in parse(text.encode())] == titles


def _drawn(repo: Path, wanted: int) -> list[tuple[str, str]]:
    """Commits that hold the memory file, merges among them and HEAD last; each with its name."""
    merges = _git(repo, "rev-list", "--merges", "HEAD").split()
    commits = _git(repo, "rev-list", "--no-merges", "HEAD").split()
    drawn = [*commits[:: 2 * len(commits) // wanted], *merges[:: 2 * len(merges) // wanted], "HEAD"]
    trees = {rev: set(_git(repo, "ls-tree", "-r", "--name-only", rev).split()) for rev in drawn}
    return [(rev, name) for rev, tree in trees.items() if (name := name_at(tree))]


def _git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repo, capture_output=True, text=True, check=True)
    return done.stdout
