"""The versions of a file at the end of each active day of its branch, for replayed reports.

A snapshot shows the state of the branch on a day; a dated version has the entries of the file with
their origins. All come from one reading of the history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Self

from learnings.core.cost import Cost, cost_of
from learnings.core.due.ages import Activity, Consolidation, EntryAge, Origin
from learnings.core.due.past_verdicts import DailyVerdict
from learnings.core.entries.document import Size, excess_of
from learnings.core.errors import UntrustedHistory
from learnings.core.text import BOM
from learnings.history.activity import usable_day
from learnings.history.cached_history import notes_of
from learnings.history.file_history import FileHistory
from learnings.history.git import commands
from learnings.history.git.process import Background, start
from learnings.history.git.repository import Repository, explaining, synthetic_merge
from learnings.history.origins import find_origins_at


class DailySnapshot(NamedTuple):
    """The head of the branch at the end of an active day; days are ISO author dates, ascending.

    version is the commit with the text of the file, None before the first; tip is the newest commit
    of the branch in the file's graph. reached are the requested commits that the head had.
    """

    day: str
    head: str
    days: tuple[str, ...]
    version: str | None
    tip: str | None
    reached: frozenset[str] = frozenset()


class Branch(NamedTuple):
    """The days of all commits, and the chain of first parents, oldest first.

    reached gives the first index in the chain from which a commit is reachable, ascending.
    """

    dates: dict[str, str]
    chain: tuple[str, ...]
    reached: dict[str, int]


def started_branch(repository: Repository) -> Callable[[], Branch]:
    """Let git print the commits of a head; return a function that reads them and waits for git.

    The function raises UntrustedHistory.
    """
    log = ("log", "--date=raw", "--format=%H%x02%ad%x02%P", repository.head, "--")
    running = Background(start(log, repository.top))

    @cache
    def branch() -> Branch:
        with explaining(repository.top):
            lines = running.finish().decode("ascii", "replace").splitlines()
        rows = [line.split(commands.SEPARATOR) for line in lines]
        dates = {name: usable_day(date) for name, date, _ in rows}
        parents = {name: listed.split() for name, _, listed in rows}
        chain = _first_parents(parents, repository.head)
        return Branch(dates, tuple(chain), _reached(parents, chain))

    return branch


def daily_snapshots(
    branch: Branch,
    versions: Iterable[str],
    graph: Iterable[str],
    *,
    until: str,
    asked: Iterable[str] = (),
) -> tuple[DailySnapshot, ...]:
    """Return the snapshots of a branch, ascending, up to and including a date.

    versions are the commits of the branch that changed the file, graph the commits of its graph,
    asked any others. A head is the newest first parent authored by the end of the day, and a day
    counts once its commits had reached the branch: a snapshot shows what a run on that day would
    have seen.
    """
    dates, chain, reached = branch
    landed: dict[str, int] = {}
    for name, index in reached.items():
        landed.setdefault(dates[name], index)
    authored = sorted((dates[name], index) for index, name in enumerate(chain))
    version_at, tip_at = _newest_of(versions, chain), _newest_of(graph, chain)
    pending = sorted((reached[name], name) for name in asked if name in reached)
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
            had |= {name for index, name in pending if index <= newest}
            version, tip = version_at[newest], tip_at[newest]
            snapshots.append(DailySnapshot(day, chain[newest], tuple(days), version, tip, had))
    return tuple(snapshots)


def _newest_of(commits: Iterable[str], chain: Sequence[str]) -> list[str | None]:
    """Return for each index in the chain the newest of some commits up to there, or None."""
    names = set(commits)
    newest: list[str | None] = []
    for name in chain:
        last = newest[-1] if newest else None
        newest.append(name if name in names else last)
    return newest


def _first_parents(parents: Mapping[str, Sequence[str]], head: str) -> list[str]:
    """Return the first parents, oldest first; raises UntrustedHistory if they form a cycle."""
    chain: dict[str, None] = {}
    name: str | None = head
    while name is not None and name in parents:
        if name in chain:
            raise UntrustedHistory(
                f"the commit {name} is its own ancestor, so an object is corrupt; run git fsck "
                "to find it, and clone the repository again"
            )
        chain[name] = None
        name = next(iter(parents[name]), None)
    return [*chain][::-1]


def _reached(parents: Mapping[str, Sequence[str]], chain: Sequence[str]) -> dict[str, int]:
    """Return for each commit the first index in the chain that reaches it, ascending."""
    reached: dict[str, int] = {}
    for index, tip in enumerate(chain):
        pending = [tip]
        while pending:
            name = pending.pop()
            if name in parents and name not in reached:
                reached[name] = index
                pending.extend(parents[name])
    return reached


class ReplayedDays(NamedTuple):
    """The verdicts at the ends of days, ascending, the consolidations, and notes on the history."""

    verdicts: tuple[DailyVerdict, ...]
    consolidations: tuple[Consolidation, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def decoded(cls, value: list[Any]) -> Self:
        """Return the value that a list of JSON stands for."""
        verdicts, consolidations, notes = value
        return cls(
            tuple(DailyVerdict(*row) for row in verdicts),
            tuple(Consolidation(*row) for row in consolidations),
            tuple(notes),
        )


class DatedVersion(NamedTuple):
    """A version of a file, its entries without ages.

    newest is the day of its last arrival, empty if no date is known.
    """

    size: Size
    cost: Cost
    entries: tuple[EntryAge, ...]
    newest: str

    @property
    def origins(self) -> dict[str, Origin]:
        """The origins of the entries by identity."""
        return {dated.entry.identity: dated.origin for dated in self.entries}

    def entries_until(self, day: str) -> tuple[EntryAge, ...]:
        """Return the entries without those that were added after a day."""
        if self.newest <= day:
            return self.entries
        return tuple(dated for dated in self.entries if (dated.origin.arrived or "") <= day)


def notes_on(history: FileHistory, last: DailySnapshot) -> tuple[str, ...]:
    """Return sentences on the special features of a history that ends with a day."""
    repository = history.repository
    synthetic = last.head == repository.head and synthetic_merge(repository)
    notes = notes_of(history.query, history.repository, Activity(last.days), synthetic=synthetic)
    return *notes, *history.ignored.notes


def dated_versions(history: FileHistory, commits: Iterable[str]) -> Iterator[DatedVersion | None]:
    """Yield the versions in commits of the graph, oldest first; None if there is no file."""
    known: dict[str, Mapping[str, Origin]] = {}
    for commit in commits:
        blob = history.graph().blob(commit)
        if blob is None or excess_of(history.blobs.data(blob)):
            yield None
            continue
        document = history.document_at(blob)
        known[commit] = find_origins_at(document, history, commit, known)
        cost = cost_of(document.text.removeprefix(BOM))
        entries = tuple(EntryAge(e, known[commit][e.identity]) for e in document.entries)
        newest = max((origin.arrived or "" for origin in known[commit].values()), default="")
        yield DatedVersion(document.size, cost, entries, newest)
