"""The cost of consolidation proposals on a large memory, in processor time and memory.

Processor time gives the same result on a busy machine; wall-clock time does not.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, cycle
from pathlib import Path

from benchmarks.timing import Timed, cost_of, report, run

ENTRIES, TARGETS, LINES = 2000, 40, 400
SECTION_LINES = 12
GOAL_ROUTE, GOAL_GROUPS, GOAL_MEMORY = 300, 150, 150
FEW_WORDS = 60
FILES, DAYS, GOAL_COLD = 500, 120, 2
VOCABULARY = 5000
# Without such words a text is taken for a foreign one.
ENGLISH = ("the", "of", "and", "with", "for")
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


def repository(learnings: Sequence[str], options: argparse.Namespace, root: Path) -> None:
    """Compare bare `learnings` and `plan` with `ages`, all cold, on many Markdown files."""
    folder, memory = root / "repository", "agents/learnings.md"
    if not folder.exists():
        make_with_history(folder)
    forget = partial(shutil.rmtree, folder / ".git" / "learnings", ignore_errors=True)
    plan = ["plan", memory, "--output", "tmp/plan.md"]
    commands = [[*learnings, *words] for words in (["ages", memory], [], plan)]
    rounds = []
    for _ in range(options.runs):
        costs = []
        for command in commands:
            forget()
            costs.append(cost_of(1, command, folder).seconds)
        rounds.append(costs)
    ages, summary, proposals = (Timed(times) for times in zip(*rounds, strict=True))
    print(f"\n{FILES} Markdown files, {DAYS} commits, all cold, processor time")
    report("learnings / ages", summary, ages, goal=GOAL_COLD)
    report("plan / ages", proposals, ages, goal=GOAL_COLD)


def make_with_history(folder: Path) -> None:
    """Create a repository of Markdown files, one in 25 a target, with a commit a day.

    Each commit adds an entry; every thirtieth is a consolidation that keeps 45.
    """
    folder.mkdir(parents=True)
    run(["git", "init", "--quiet"], folder)
    words = chain.from_iterable(zip(_words(random.Random(3)), cycle(ENGLISH), strict=False))
    entries = list[str]()
    for day in range(DAYS):
        entries = [*entries, _section(words, 4)][-45 if day % 30 == 14 else 0 :]
        _write(folder / "agents" / "learnings.md", "# Learnings\n\n" + "".join(entries))
        _write(folder / "CLAUDE.md", f"# Guide\n\n@agents/learnings.md\n\nDay {day}.\n")
        for number in range(day * FILES // DAYS, (day + 1) * FILES // DAYS):
            home = "agents/decisions" if number % 25 == 0 else f"docs/part{number % 17:02}"
            sections = (_section(words, SECTION_LINES - 3) for _ in range(12))
            text = f"# Page\n\nSee `docs/part03/page{number // 17 * 17 + 3:03}.md`.\n\n"
            _write(folder / home / f"page{number:03}.md", text + "".join(sections))
        date = f"2026-{1 + day // 28:02}-{1 + day % 28:02}T12:00:00+00:00"
        run(["git", "add", "--all"], folder)
        commit = ["git", "commit", "--quiet", "--message", f"day {day}"]
        run(commit, folder, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


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
