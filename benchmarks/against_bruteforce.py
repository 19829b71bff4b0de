"""Compare ``learnings ages`` with the slow count of the tests, on any repository or on random ones.

    python benchmarks/against_bruteforce.py REPO FILE [--commits N] [--seed S]
    python benchmarks/against_bruteforce.py --random N [--commits N] [--seed S]

FILE is relative to the root of REPO at HEAD; older names are followed. The program compares HEAD
and randomly drawn commits, half of them from those that change the file. ``--random N`` creates N
histories of 160 commits, with the seeds from S on. Exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.history.oracle.bruteforce import Compared, compared, expected, names_by_commit
from tests.history.oracle.histories import name_at, random_history

COMMITS = 20  # for a named repository
RANDOM_COMMITS = 3  # for each random history
RANDOM_LENGTH = 160


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", type=Path, nargs="?")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="N random histories")
    parser.add_argument("--commits", type=int, metavar="N", help="commits to compare, HEAD too")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    options = parser.parse_args(argv)
    if bool(options.random) == bool(options.file):
        parser.error("give REPO and FILE, or --random N")
    equal: Counter[str] = Counter()
    total: Counter[str] = Counter()
    if options.random:
        seeds = range(options.seed, options.seed + options.random)
        values = _random_values(seeds, options.commits or RANDOM_COMMITS)
    else:
        repo: Path = options.repo.resolve()
        values = _values(repo, options.file, options.commits or COMMITS, seed=options.seed)
    for where, value in values:
        same = value.expected == value.reported
        total[value.what] += 1
        equal[value.what] += same
        if not same:
            print(f"{where}: {value.what}")
            print(f"  expected {value.expected}\n  reported {value.reported}", flush=True)
    for name, count in total.items():
        print(f"{name}: {equal[name]} of {count} agree")
    return 0 if total and equal == total else 1


def _random_values(seeds: range, commits: int) -> Iterator[tuple[str, Compared]]:
    """Yield the values of random histories, each with its history."""
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            repo = Path(folder).resolve() / "repo"
            random_history(repo, seed=seed, commits=RANDOM_LENGTH)
            file = name_at(set(_git(repo, "ls-files").split()))
            assert file is not None, "a random history ends with the file"
            for where, value in _values(repo, file, commits, seed=seed):
                yield f"seed {seed}, {where}", value


def _values(repo: Path, file: str, commits: int, *, seed: int) -> Iterator[tuple[str, Compared]]:
    """Yield the values of a file at HEAD and at drawn commits, each with its commit."""
    for commit, name in _drawn(repo, file, commits, seed=seed):
        for value in _values_at(repo, name, commit):
            yield f"{commit} {name}", value


def _drawn(repo: Path, file: str, wanted: int, *, seed: int) -> list[tuple[str, str]]:
    """Return HEAD and other commits with the file, by name; half change it, if enough do."""
    rng = random.Random(seed)
    head = _git(repo, "rev-parse", "HEAD").strip()
    known = names_by_commit(repo, head, file)
    every_name = sorted(set().union(*known.values()))
    rows = _git(repo, "rev-list", "--full-history", head, "--", *every_name).split()
    touching = [commit for commit in rows if commit != head]
    others = sorted(set(known) - {head, *touching})
    drawn = rng.sample(touching, min(len(touching), wanted // 2))
    drawn += rng.sample(others, min(len(others), wanted - 1 - len(drawn)))
    named = [(commit, _name(repo, commit, sorted(known[commit]))) for commit in drawn]
    return [(head, file), *((commit, name) for commit, name in named if name)]


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
