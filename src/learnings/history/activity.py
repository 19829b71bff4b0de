"""The git-active days of a repository: one pass over the author dates of all commits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from learnings.core.due.ages import Activity
from learnings.history.git import cached, commands, process
from learnings.history.git.cache import Cache
from learnings.history.git.process import Background, GitFailed
from learnings.history.git.repository import Repository, explained

# An ISO date; git prints an empty one for a commit with a damaged header.
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

Days = Counter[str]
"""How many commits were authored on each date, ISO text."""


class DateWalk(NamedTuple):
    """A running count of the author dates of all commits reachable from tips.

    known_days are the dates of the commits that an earlier run counted.
    """

    repository: Repository
    tips: tuple[str, ...]
    ignored_authors: tuple[str, ...]
    known_days: Days
    running: Background | None

    def finish(self, cache: Cache) -> Days:
        """Wait for the count and return it; raises UntrustedHistory."""
        if self.running is None:
            return self.known_days
        try:
            printed = self.running.finish()
        except GitFailed as error:
            raise explained(error, self.repository.top) from error
        days = self.known_days + _count(printed, self.ignored_authors)
        value = {"tips": list(self.tips), "days": dict(days)}
        cache.save("activity", _key(self.ignored_authors), value)
        return days


def start(
    repository: Repository, tips: Sequence[str], ignored_authors: Sequence[str], cache: Cache
) -> DateWalk:
    """Start counting the author dates of the commits reachable from tips.

    Commits whose dates are in the cache are not visited again: those reachable from the tips of an
    earlier run, which all have to be reachable from the new ones.
    """
    ignored = tuple(ignored_authors)
    stored = cache.load("activity", _key(ignored), _decoded)
    known_days: Days = Counter()
    old_tips: list[str] = []
    if stored is not None and all_reachable(repository, stored[0], tips):
        old_tips, known_days = stored
        if set(old_tips) == set(tips):
            return DateWalk(repository, tuple(tips), ignored, known_days, None)
    arguments = commands.author_dates(tips, old_tips, authors=bool(ignored))
    running = Background(arguments, repository.top)
    return DateWalk(repository, tuple(tips), ignored, known_days, running)


def from_known_days(repository: Repository, days: Sequence[str]) -> DateWalk:
    """Return a count that is already finished: the given days, one commit each."""
    return DateWalk(repository, (), (), Counter(days), None)


def activity_until(days: Days, *, until: str) -> Activity:
    """Return the active days up to a date; later commits, from clocks ahead, are only counted."""
    later = sum(count for day, count in days.items() if day > until)
    return Activity(tuple(sorted(day for day in days if day <= until)), later)


def all_reachable(repository: Repository, old: Sequence[str], new: Sequence[str]) -> bool:
    """Return True if all commits reachable from the old tips are reachable from the new ones."""
    if set(old) == set(new):
        return True
    arguments = ["rev-list", "--max-count=1", *old, *(f"^{tip}" for tip in new), "--"]
    try:
        return not process.run(arguments, repository.top).strip()
    except GitFailed:
        # A tip that git no longer has: its dates cannot be separated from the others.
        return False


def _decoded(value: Any) -> tuple[list[str], Days]:  # noqa: ANN401  (any JSON)
    days = cached.mapping_of(cached.whole_number, value["days"])
    return [*cached.list_of(cached.object_id, value["tips"])], Counter(days)


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
    """Return True if a pattern matches `Name <address>`, the name alone or the address alone.

    Only `*` and `?` are special: names of bots hold brackets (`dependabot[bot]`).
    """
    name, _, address = author.rpartition(" <")
    literal = pattern.replace("[", "[[]")
    return any(fnmatchcase(text, literal) for text in (author, name, address.rstrip(">")))


def _valid(days: Days) -> Days:
    return Counter({day: count for day, count in days.items() if _DATE.fullmatch(day)})


def _key(ignored_authors: Sequence[str]) -> dict[str, object]:
    return {"ignored_authors": list(ignored_authors)}
