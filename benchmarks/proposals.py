"""The cost of consolidation proposals on a large memory, in processor time and memory.

Processor time gives the same result on a busy machine; wall-clock time does not.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.timing import cost_of, run

ENTRIES, TARGETS, LINES = 2000, 40, 400
SECTION_LINES = 12
GOAL_ROUTE, GOAL_GROUPS, GOAL_MEMORY = 300, 150, 150
FEW_WORDS = 60
VOCABULARY = 5000
SYLLABLES = tuple("bacodifugaleminoperasituvexozu"[at : at + 2] for at in range(0, 30, 2))


def routes(learnings: Sequence[str], options: argparse.Namespace, root: Path) -> None:
    """Compare `learnings route`, `precheck` and `plan` with `--all` with the bare interpreter."""
    folder = root / "proposals"
    if not folder.exists():
        make(folder)
    print(f"\n{ENTRIES} entries, {TARGETS} targets of {LINES} lines, processor time")
    bare = cost_of(options.runs, [sys.executable, "-c", "pass"], folder)
    print(f"  goals: {GOAL_ROUTE} times, {GOAL_MEMORY} MiB")
    for name in ("route", "precheck", "plan"):
        cost = cost_of(3, [*learnings, name, "--all"], folder)
        times = f"{cost.seconds / bare.seconds:.0f} times {1000 * bare.seconds:.0f} ms"
        print(f"  {name} --all: {cost.seconds:.1f} s, {times}, {cost.memory:.0f} MiB", flush=True)


def groups(learnings: Sequence[str], options: argparse.Namespace, root: Path) -> None:
    """Compare `learnings groups` on three memories with the bare interpreter."""
    folder = root / "groups"
    if not folder.exists():
        folder.mkdir(parents=True)
        for name, text in _memories():
            (folder / name).write_text(f"# Learnings\n\n{text}")
    print(f"\n{ENTRIES} entries, processor time; goals: {GOAL_GROUPS} times, {GOAL_MEMORY} MiB")
    bare = cost_of(options.runs, [sys.executable, "-c", "pass"], folder)
    for name, _ in _memories():
        cost = cost_of(3, [*learnings, "groups", name], folder)
        times = f"{cost.seconds / bare.seconds:.0f} times {1000 * bare.seconds:.0f} ms"
        print(f"  {name}: {cost.seconds:.1f} s, {times}, {cost.memory:.0f} MiB", flush=True)


def _memories() -> Iterator[tuple[str, str]]:
    """Yield memories that are hard in different ways, each with its name."""
    words = _words(random.Random(1))
    chosen = [next(words) for _ in range(FEW_WORDS)]
    few = iter(partial(random.Random(2).choice, chosen), "")
    yield "text.md", "".join(_section(words, 5) for _ in range(ENTRIES))
    yield "few-words.md", "".join(_section(few, 5) for _ in range(ENTRIES))
    yield "copies.md", _section(words, 5) * ENTRIES


def make(folder: Path) -> None:
    """Create a repository with one commit; the same seed gives the same files."""
    words = _words(random.Random(1))
    targets = folder / "agents" / "decisions"
    targets.mkdir(parents=True)
    entries = (_section(words, 3) for _ in range(ENTRIES))
    (folder / "agents" / "learnings.md").write_text("# Learnings\n\n" + "".join(entries))
    for number in range(TARGETS):
        sections = (_section(words, SECTION_LINES - 3) for _ in range(LINES // SECTION_LINES))
        name = f"{next(words)}-{next(words)}-{number}.md"
        (targets / name).write_text("# Decisions\n\n" + "".join(sections))
    run(["git", "init", "--quiet"], folder)
    run(["git", "add", "--all"], folder)
    run(["git", "commit", "--quiet", "--message", "benchmark"], folder)


def _section(words: Iterator[str], lines: int) -> str:
    title = " ".join(next(words) for _ in range(5))
    text = "".join("- " + " ".join(next(words) for _ in range(13)) + "\n" for _ in range(lines))
    return f"## {title}\n\n{text}\n"


def _words(pick: random.Random) -> Iterator[str]:
    """Yield endless words, a few of them often and most seldom, as in real text (Zipf's law)."""
    base = len(SYLLABLES)
    vocabulary = [
        "".join(SYLLABLES[number // base**place % base] for place in range(4))
        for number in pick.sample(range(base**4), VOCABULARY)
    ]
    weights = [1 / (rank + 3) for rank in range(VOCABULARY)]
    while True:
        yield from pick.choices(vocabulary, weights, k=1000)
