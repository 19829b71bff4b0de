"""Compare ``learnings ages`` with the slow count of the tests, on any repository.

    python benchmarks/against_bruteforce.py REPO FILE [--commits N] [--seed S]

FILE is named from the root of REPO as at HEAD; older names are followed. Half of the commits are
drawn among those that touch the file. Exit code 1 when anything differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.bruteforce import Compared, compared, expected, names_by_commit


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", type=Path)
    parser.add_argument("file")
    parser.add_argument("--commits", type=int, default=20, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    options = parser.parse_args(argv)
    repo: Path = options.repo.resolve()
    equal: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for commit, name in _drawn(repo, options.file, options.commits, seed=options.seed):
        for value in _values_at(repo, name, commit):
            same = value.expected == value.reported
            total[value.what] += 1
            equal[value.what] += same
            if not same:
                print(f"{commit} {name}: {value.what}")
                print(f"  expected {value.expected}\n  reported {value.reported}")
    for name, count in total.items():
        print(f"{name}: {equal[name]} of {count} agree")
    return 0 if total and equal == total else 1


def _drawn(repo: Path, file: str, wanted: int, *, seed: int) -> list[tuple[str, str]]:
    """Return commits that have the file, with its name there; half change it, where enough do."""
    rng = random.Random(seed)
    head = _git(repo, "rev-parse", "HEAD").strip()
    known = names_by_commit(repo, head, file)
    every_name = sorted(set().union(*known.values()))
    touching = _git(repo, "rev-list", "--full-history", head, "--", *every_name).split()
    others = sorted(set(known) - set(touching))
    drawn = rng.sample(touching, min(len(touching), (wanted + 1) // 2))
    drawn += rng.sample(others, min(len(others), wanted - len(drawn)))
    named = [(commit, _name(repo, commit, sorted(known[commit]))) for commit in drawn]
    return [(commit, name) for commit, name in named if name]


def _name(repo: Path, commit: str, names: list[str]) -> str | None:
    return next((n for n in names if _git(repo, "ls-tree", "--name-only", commit, "--", n)), None)


def _values_at(repo: Path, name: str, commit: str) -> list[Compared]:
    done = subprocess.run(
        [sys.executable, "-m", "learnings", "ages", name, "--at", commit, "--format", "json"],
        cwd=repo, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        return [Compared("run", 0, f"exit {done.returncode}: {done.stderr.strip()}")]
    return compared(expected(repo, name, rev=commit), json.loads(done.stdout))


def _git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repo, capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
