"""What a branch looked like at the end of each of its active days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from learnings.core.errors import UntrustedHistory
from learnings.history.dates import usable_day
from learnings.history.git import commands
from learnings.history.git.process import Background, GitFailed
from learnings.history.git.repository import Repository, explained


class DailySnapshot(NamedTuple):
    """The head of the branch at the end of an active day, and the active days until then.

    version is the commit that gave the file the text it then had, None before the first; tip the
    newest one of the branch that is in the graph of the file, such as a merge that left the text
    as it was. reached are those of the commits that were asked about which the head had. Days are
    author dates, ISO text, ascending.
    """

    day: str
    head: str
    days: tuple[str, ...]
    version: str | None
    tip: str | None
    reached: frozenset[str] = frozenset()


class _Commit(NamedTuple):
    date: str
    parents: tuple[str, ...]


class Branch(NamedTuple):
    """The days of all commits, the branch along the first parents, oldest first, and what it got.

    reached gives each commit the first index on the branch from which it is reachable, ascending.
    """

    dates: dict[str, str]
    chain: tuple[str, ...]
    reached: dict[str, int]


class BranchReader:
    """Lets git print all commits of a repository's head while something else is done."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._running = Background(commands.raw_dates(repository.head), repository.top)

    @cached_property
    def branch(self) -> Branch:
        """What git has printed; raises UntrustedHistory."""
        try:
            commits = _commits(self._running.finish())
        except GitFailed as error:
            raise explained(error, self._repository.top) from error
        chain = _first_parents(commits, self._repository.head)
        dates = {name: commit.date for name, commit in commits.items()}
        return Branch(dates, tuple(chain), _reached(commits, chain))


def daily_snapshots(
    branch: Branch,
    versions: Iterable[str],
    graph: Iterable[str],
    *,
    until: str,
    asked: Iterable[str] = (),
) -> tuple[DailySnapshot, ...]:
    """Return the snapshots of a branch, ascending, up to and including a date.

    versions are the commits of the branch that changed the file, graph those of its graph, asked
    any others. The head of a snapshot is the newest commit along the first parents that was
    authored by then. A day counts from when its commits had reached the branch, so that a snapshot
    is what a run on that day would have seen.
    """
    dates, chain, reached = branch
    landed: dict[str, int] = {}
    for name, index in reached.items():
        landed.setdefault(dates[name], index)
    authored = sorted((dates[name], index) for index, name in enumerate(chain))
    version_at, tip_at = _newest_of(versions, chain), _newest_of(graph, chain)
    waiting = sorted((reached[name], name) for name in asked if name in reached)
    snapshots: list[DailySnapshot] = []
    days: list[str] = []
    later: list[str] = []
    had: frozenset[str] = frozenset()
    newest, position = -1, 0
    for day in sorted(day for day in landed if day <= until):
        while position < len(authored) and authored[position][0] <= day:
            newest = max(newest, authored[position][1])
            position += 1
        later.append(day)
        if landed[day] <= newest:
            days = sorted(days + [d for d in later if landed[d] <= newest])
            later = [d for d in later if landed[d] > newest]
            had |= {name for index, name in waiting if index <= newest}
            version, tip = version_at[newest], tip_at[newest]
            snapshots.append(DailySnapshot(day, chain[newest], tuple(days), version, tip, had))
    return tuple(snapshots)


def _newest_of(commits: Iterable[str], chain: Sequence[str]) -> list[str | None]:
    """Return for each index in the chain the newest of some commits up to there, None without."""
    names = set(commits)
    newest: list[str | None] = []
    for name in chain:
        last = newest[-1] if newest else None
        newest.append(name if name in names else last)
    return newest


def _commits(printed: bytes) -> dict[str, _Commit]:
    lines = printed.decode("ascii", "replace").splitlines()
    rows = (line.split(commands.SEPARATOR) for line in lines)
    return {name: _Commit(usable_day(date), tuple(parents.split())) for name, date, parents in rows}


def _first_parents(commits: dict[str, _Commit], head: str) -> list[str]:
    """Return the commits along the first parents, oldest first.

    Raises UntrustedHistory where they lead in a circle, as no history does that git has written.
    """
    chain: dict[str, None] = {}
    name: str | None = head
    while name is not None and name in commits:
        if name in chain:
            raise UntrustedHistory(
                f"the commit {name} is among its own ancestors, so that an object is not what git "
                "has written; run git fsck to see which, and clone it again"
            )
        chain[name] = None
        parents = commits[name].parents
        name = parents[0] if parents else None
    return [*chain][::-1]


def _reached(commits: dict[str, _Commit], chain: Sequence[str]) -> dict[str, int]:
    """Return for each commit the first index in the chain from which it is reachable, ascending."""
    reached: dict[str, int] = {}
    for index, tip in enumerate(chain):
        waiting = [tip]
        while waiting:
            name = waiting.pop()
            if name in reached or name not in commits:
                continue
            reached[name] = index
            waiting.extend(commits[name].parents)
    return reached
