"""The answers of `learnings verify` to every commit of a real history that changes the memory.

REPOSITORY is a clone. Each commit is compared with its first parent. A person must read each
refusal, because the program cannot know whether the named text was really lost. The last line has
the counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from learnings.app.verify.verification import verification_of
from learnings.consolidation.proof.results import Proof
from learnings.history.git.repository import Repository, open_repository
from learnings.workspace.workspace import Workspace

FOLDERS = (".context", "agents", "docs")


class Judged(NamedTuple):
    """A commit with its date (ISO) and its findings."""

    commit: str
    date: str
    proof: Proof


def judged(repository: Repository) -> Iterator[Judged]:
    """Yield the commits with a parent, the oldest first."""
    printed = repository.run("log", "--reverse", "--format=%H %as %P", "--", *FOLDERS)
    for line in printed.decode("ascii").splitlines():
        commit, date, *parents = line.split()
        if parents:
            result = verification_of(Workspace.open(repository.top), parents[0], head=commit)
            yield Judged(commit, date, result.proof)


def main(path: str) -> None:
    """Print a row for each commit with findings, and the counts."""
    rows = [*judged(open_repository(Path(path)))]
    print("| commit | date | entries before | lost | notices |\n|---|---|--:|--:|--:|")
    for row in rows:
        losses, notices = len(row.proof.losses), len(row.proof.notices)
        if losses or notices:
            cells = (row.commit[:7], row.date, row.proof.entries, losses, notices)
            print(f"| {' | '.join(map(str, cells))} |")
    refused = sum(bool(row.proof.losses) for row in rows)
    print(f"\n{len(rows)} commits, {refused} refused")


if __name__ == "__main__":
    main(sys.argv[1])
