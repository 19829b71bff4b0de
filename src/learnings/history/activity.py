"""The git-active days of a repository: one pass over the author dates of all commits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from learnings.core.due.ages import Activity
from learnings.history.git import commands, process
from learnings.history.git.cache import Cache
from learnings.history.git.process import Background, GitFailed
from learnings.history.git.repository import Repository, explained

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

Days = Counter[str]
"""How many commits were authored on each date."""


class DateWalk(NamedTuple):
    """A running count of the author dates of all commits reachable from tips.

    known are the dates of the commits that an earlier run counted.
    """

    repository: Repository
    tips: tuple[str, ...]
    ignored_authors: tuple[str, ...]
    known: Days
    running: Background | None

    def finish(self, cache: Cache) -> Days:
        """Wait for the count and return it; raises UntrustedHistory."""
        if self.running is None:
            return self.known
        try:
            printed = self.running.finish()
        except GitFailed as error:
            raise explained(error, self.repository.top) from error
        days = self.known + _count(printed, self.ignored_authors)
        value = {"tips": list(self.tips), "days": dict(days)}
        cache.save("activity", _key(self.ignored_authors), value)
        return days


def start(
    repository: Repository, tips: Sequence[str], ignored_authors: Sequence[str], cache: Cache
) -> DateWalk:
    """Start counting the author dates of the commits reachable from tips.

    Commits that the cache knows the dates of are not visited again: those reachable from tips of
    an earlier run, all of which have to be reachable from the new ones.
    """
    ignored = tuple(ignored_authors)
    stored = cache.load("activity", _key(ignored), _decoded)
    known: Days = Counter()
    old_tips: list[str] = []
    if stored is not None and all_reachable(repository, stored[0], tips):
        old_tips, known = stored
        if set(old_tips) == set(tips):
            return DateWalk(repository, tuple(tips), ignored, known, None)
    arguments = commands.dates(tips, old_tips, authors=bool(ignored))
    running = Background(arguments, repository.top)
    return DateWalk(repository, tuple(tips), ignored, known, running)


def known(repository: Repository, days: Sequence[str]) -> DateWalk:
    """Return a count that is finished already: these days, one commit each."""
    return DateWalk(repository, (), (), Counter(days), None)


def counted(days: Days, *, until: str) -> Activity:
    """Return the days that count: those up to a date; later commits have a clock ahead of it."""
    later = sum(count for day, count in days.items() if day > until)
    return Activity(tuple(sorted(day for day in days if day <= until)), later)


def all_reachable(repository: Repository, old: Sequence[str], new: Sequence[str]) -> bool:
    """Say whether all commits reachable from the old tips are reachable from the new ones."""
    if set(old) == set(new):
        return True
    arguments = ["rev-list", "--max-count=1", *old, *(f"^{tip}" for tip in new), "--"]
    try:
        return not process.run(arguments, repository.top).strip()
    except GitFailed:
        # A tip that git has forgotten: its dates can no longer be told from the others.
        return False


def _decoded(value: Any) -> tuple[list[str], Days]:  # noqa: ANN401  (whatever the file holds)
    return [str(tip) for tip in value["tips"]], Counter(
        {d: int(n) for d, n in value["days"].items()}
    )


def _count(printed: bytes, ignored_authors: Sequence[str]) -> Days:
    if not ignored_authors:
        return _valid(Counter(printed.decode("ascii", "replace").split()))
    patterns = [pattern.casefold() for pattern in ignored_authors]
    days: Days = Counter()
    for line in printed.decode("utf-8", "replace").split("\n"):
        day, _, author = line.partition(" ")
        if not any(_matches(author.casefold(), pattern) for pattern in patterns):
            days[day] += 1
    return _valid(days)


def _matches(author: str, pattern: str) -> bool:
    """Match a pattern against `Name <address>`, the name alone or the address alone.

    Only `*` and `?` are special: names of bots hold brackets (`dependabot[bot]`).
    """
    name, _, address = author.rpartition(" <")
    literal = pattern.replace("[", "[[]")
    return any(fnmatchcase(text, literal) for text in (author, name, address.rstrip(">")))


def _valid(days: Days) -> Days:
    return Counter({day: count for day, count in days.items() if _DATE.fullmatch(day)})


def _key(ignored_authors: Sequence[str]) -> dict[str, object]:
    return {"ignored_authors": list(ignored_authors)}
