"""The installed command against a slow count that shares no code with it, on random histories."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.history.oracle.bruteforce import Consolidation, compared, expected, parse
from tests.history.oracle.histories import STYLES, name_at, random_history
from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

COMMITS = 160
# One of each style, and such that merges move and reword entries that only one parent holds.
SEEDS = (24, 25, 6, 19)
ORDINARY, MERGES = 7, 4


@pytest.fixture(scope="module", params=SEEDS, ids=STYLES)
def seed(request: pytest.FixtureRequest) -> int:
    """Return the seed of each history in turn."""
    drawn: int = request.param
    return drawn


@pytest.fixture(scope="module")
def repo(seed: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the history of a seed, which no test changes."""
    path = tmp_path_factory.mktemp("history") / "repo"
    random_history(path, seed=seed, commits=COMMITS)
    return path


def test_agrees_at_many_commits(seed: int, repo: Path) -> None:
    for rev, name in _drawn(repo, seed):
        values = compared(expected(repo, name, rev=rev), _ages(repo, name, rev))
        wrong = [value for value in values if value.expected != value.reported]
        assert not wrong, "\n".join([f"{name} at {rev}, seed {seed}", *map(str, wrong)])


def test_histories_hold_what_they_are_made_for(seed: int, repo: Path, tmp_path: Path) -> None:
    random_history(tmp_path / "again", seed=seed, commits=COMMITS)
    assert _git(repo, "rev-parse", "HEAD") == _git(tmp_path / "again", "rev-parse", "HEAD")
    assert len(_git(repo, "rev-list", "--merges", "HEAD").split()) > 5
    basis = {
        entry.basis
        for rev, name in _drawn(repo, seed)
        for entry in expected(repo, name, rev=rev).entries
    }
    assert {"commit", "renamed-heading"} <= basis


BODY = "one two three four five\nsix seven eight nine ten\n"
OTHER = "quite another text that is not at all alike\n"
LIFE = (
    # day, name, content of the file; the dates of the entries at the end stand beside them
    ("2026-01-01", "lessons.md", f"# L\n\n## Z\n\n## A\n{BODY}\n## B\n{OTHER}"),
    ("2026-01-03", "lessons.md", f"# L\n\n## Z\n\n## A\n{BODY}\n## B\n{OTHER}\n## C\n{OTHER * 2}"),
    ("2026-01-05", "lessons.md", f"# L\n\n## Aaa\n{BODY}\n## C\n{OTHER * 2}\n## Z\n"),
    ("2026-01-07", "learnings.md", f"# L\n\n## Aaa\n{BODY}\n## C\n{OTHER * 2}\n## Z\n"),
    (
        "2026-01-09",
        "learnings.md",
        f"# L\r\n\n##  C\n{OTHER * 2}\n## Aaaa\n{BODY}eleven\n## D\n## Z\n",
    ),
    (
        "2026-01-11",
        "learnings.md",
        f"# L\n\n## C\n{OTHER * 2}\n## Aaaa\n{BODY}eleven\n## E\n## Z\n",
    ),
)


def test_the_slow_count_agrees_with_a_count_by_hand(repository: GitRepository) -> None:
    commits = [_commit(repository, *version) for version in LIFE]
    days = [day for day, _, _ in LIFE]
    counted = [
        expected(repository.path, name, rev=rev, min_removed=1)
        for rev, (_, name, _) in zip(commits, LIFE, strict=True)
    ]
    assert [count.active_days for count in counted] == [days[: n + 1] for n in range(len(days))]
    assert [
        (entry.title, entry.line, entry.added, entry.active_days, entry.basis)
        for entry in counted[-1].entries
    ] == [
        ("C", 3, "2026-01-03", 4, "commit"),
        ("Aaaa", 7, "2026-01-01", 5, "renamed-heading"),
        ("E", 11, "2026-01-11", 0, "commit"),
        ("Z", 12, "2026-01-01", 5, "commit"),
    ]
    consolidations = [count.last_consolidation for count in counted]
    assert [c and (c.date, c.active_days, c.removed) for c in consolidations] == [
        None,
        None,
        ("2026-01-05", 0, 1),
        ("2026-01-05", 1, 1),
        ("2026-01-05", 2, 1),
        ("2026-01-11", 0, 1),
    ]


def test_the_slow_count_knows_merges(repository: GitRepository) -> None:
    _commit(repository, "2026-01-01", "learnings.md", _entries("ABC"))
    repository.branch("work")
    taken_out = _commit(repository, "2026-01-03", "learnings.md", _entries("AC"))
    repository.checkout("main")
    _commit(repository, "2026-01-05", "learnings.md", _entries("ABCD"))
    repository.merge("work", resolve={"learnings.md": _entries("ACD")}, date="2026-01-07")
    merged = expected(repository.path, "learnings.md", min_removed=1)
    assert merged.last_consolidation == Consolidation(taken_out, "2026-01-03", 2, 1)

    repository.branch("late", "work")
    _commit(repository, "2026-01-09", "learnings.md", _entries("ACF"))
    repository.checkout("main")
    wrong = {"learnings.md": _entries("ABDFG")}
    dropping = repository.merge("late", resolve=wrong, date="2026-01-11")
    count = expected(repository.path, "learnings.md", min_removed=1)
    assert [(entry.title, entry.added) for entry in count.entries] == [
        ("Entry A", "2026-01-01"),
        ("Entry B", "2026-01-11"),
        ("Entry D", "2026-01-05"),
        ("Entry F", "2026-01-09"),
        ("Entry G", "2026-01-11"),
    ]
    assert count.last_consolidation == Consolidation(dropping, "2026-01-11", 0, 1)


def test_the_slow_count_knows_moves_between_files(repository: GitRepository) -> None:
    repository.write("notes.md", _entries("AB"))
    _commit(repository, "2026-01-01", "learnings.md", _entries("C"), keep="notes.md")
    repository.write("notes.md", _entries("A"))
    _commit(repository, "2026-01-03", "learnings.md", _entries("CB"), keep="notes.md")
    added = [entry.added for entry in expected(repository.path, "learnings.md").entries]
    assert added == ["2026-01-01", "2026-01-01"]


def _entries(names: str) -> str:
    """Entries whose bodies share no word and are long enough for git to see them move."""
    bodies = {name: " ".join(name * length for length in range(1, 12)) for name in names}
    return "# Learnings\n\n" + "".join(f"## Entry {n}\n\n{bodies[n]}\n\n" for n in names)


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


def _drawn(repo: Path, seed: int) -> list[tuple[str, str]]:
    """Commits that hold the memory file, merges among them and HEAD last; each with its name."""
    rng = random.Random(seed)
    merges = _git(repo, "rev-list", "--merges", "HEAD").split()
    commits = _git(repo, "rev-list", "--no-merges", "HEAD").split()
    drawn = [*rng.sample(commits, ORDINARY), *rng.sample(merges, MERGES), "HEAD"]
    names = {
        rev: name_at(set(_git(repo, "ls-tree", "-r", "--name-only", rev).split())) for rev in drawn
    }
    return [(rev, name) for rev, name in names.items() if name]


def _ages(repo: Path, name: str, rev: str) -> dict[str, Any]:
    done = Command("learnings")("ages", name, "--at", rev, "--format", "json", cwd=repo)
    assert done.code == 0, done.err
    document: dict[str, Any] = done.json
    return document


def _commit(repository: GitRepository, day: str, name: str, content: str, keep: str = "") -> str:
    for old in repository.path.glob("*.md"):
        if old.name != keep:
            old.unlink()
    repository.write(name, content)
    return repository.commit(date=day)


def _git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repo, capture_output=True, text=True, check=True)
    return done.stdout
