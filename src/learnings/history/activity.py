"""Author dates as git prints them, and the git-active days counted from them.

Imported and damaged histories contain unusable dates. Such a day sorts after all others, so that it
counts no more than a day from a clock that is ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from learnings.core.due.ages import LATEST, Activity
from learnings.core.patterns import lazy_pattern
from learnings.history.git import commands, process
from learnings.history.git.cached import Cache
from learnings.history.git.process import Background, GitFailed
from learnings.history.git.repository import Repository, all_reachable, explained

# A date as git's `%as` prints it, with at least four digits for the year. If the author line is
# missing or damaged, git prints nothing, or `%as` itself.
_DATE = lazy_pattern(r"(\d{4,})-\d{2}-\d{2}")
_FOUR_DIGITS = 4
# From this offset on git reads a zone as +0000.
_LARGEST_ZONE = 2**31 - 1
# Seconds; git cannot represent more.
_LARGEST_TIME = 2**62


def day_of(printed: str) -> str:
    """Return the ISO day that git printed, empty if unreadable, LATEST after the year 9999."""
    match = _DATE.fullmatch(printed)
    if match is None:
        return ""
    return printed if len(match[1]) == _FOUR_DIGITS else LATEST


def raw_day(printed: str) -> str:
    """Return the day of a time that git printed with `--date=raw`: seconds and zone.

    The day is that of the author's time zone, as day_of() returns it. seconds are since 1970 in
    UTC; zone is git's decimal form, -0800 for eight hours behind UTC. Git crashes on printing a
    date before 1970 in its own zone, and on some dates far ahead.
    """
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415  (1 ms; dates in the cache are ready)

    seconds, _, zone = printed.partition(" ")
    try:
        time, shift = int(seconds), int(zone)
    except ValueError:
        return ""
    hours, minutes = divmod(abs(shift) if abs(shift) < _LARGEST_ZONE else 0, 100)
    ahead = 60 * (60 * hours + minutes)
    try:
        local = timedelta(seconds=time + (ahead if shift >= 0 else -ahead))
        return (datetime(1970, 1, 1, tzinfo=UTC) + local).date().isoformat()
    except OverflowError:
        return LATEST if 0 < time < _LARGEST_TIME else ""


def usable_day(printed: str) -> str:
    """Return raw_day(), but LATEST for an unreadable date."""
    return raw_day(printed) or LATEST


# Git crashes on some times: "Timestamp before Unix epoch", "Timestamp+tz too large".
_NO_DATE = "Timestamp"


def started_count(
    repository: Repository, ignored_authors: Sequence[str], cache: Cache, *, synthetic: bool
) -> Callable[[str], Activity]:
    """Start counting the author dates of the commits of HEAD, except cached ones.

    The cache counts if all its tips are reachable from the new ones. synthetic: HEAD itself does
    not count. The returned function waits for the count and returns the active days up to a date;
    commits that are later or undated are only counted. It raises UntrustedHistory.
    """
    tips = repository.parents if synthetic else (repository.head,)
    key, authors = {"ignored_authors": list(ignored_authors)}, bool(ignored_authors)
    old_tips, days = cache.load("activity", key, tuple) or ((), {})
    if old_tips and not all_reachable(repository, tuple(old_tips), tips):
        old_tips, days = (), {}
    running = None
    if set(old_tips) != set(tips):
        arguments = commands.author_dates(tips, old_tips, authors=authors)
        running = Background(process.start(arguments, repository.top))

    def activity(until: str) -> Activity:
        counted = Counter(days)
        if running is not None:
            try:
                counted += _count(running.finish(), ignored_authors, day_of)
            except GitFailed as error:
                if _NO_DATE not in str(error):
                    raise explained(error, repository.top) from error
                arguments = commands.author_dates(tips, old_tips, authors=authors, raw=True)
                counted += _count(repository.run(*arguments), ignored_authors, raw_day)
            cache.save("activity", key, (tips, counted))
        later = sum(count for day, count in counted.items() if day > until)
        dates = tuple(sorted(day for day in counted if day and day <= until))
        return Activity(dates, later, counted.get("", 0))

    return activity


def _count(
    printed: bytes, ignored_authors: Sequence[str], to_day: Callable[[str], str]
) -> Counter[str]:
    """Count the commits on each day (ISO; empty for unreadable dates), except of some authors."""
    patterns = [pattern.casefold() for pattern in ignored_authors]
    days: Counter[str] = Counter()
    for line, count in Counter(printed.decode("utf-8", "replace").split("\n")[:-1]).items():
        day, _, author = line.partition(commands.SEPARATOR)
        if not any(_matches(author.casefold(), pattern) for pattern in patterns):
            days[to_day(day)] += count
    return days


def _matches(author: str, pattern: str) -> bool:
    """Return True if a pattern matches `Name <address>`, the name alone or the address alone.

    Only `*` and `?` are special, since names of bots contain brackets (`dependabot[bot]`).
    """
    name, _, address = author.rpartition(" <")
    literal = pattern.replace("[", "[[]")
    return any(fnmatchcase(text, literal) for text in (author, name, address.rstrip(">")))
