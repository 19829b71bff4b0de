"""When the files below a folder were changed last, by the commits that git has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from learnings.core.errors import UntrustedHistory
from learnings.history.git import commands, process
from learnings.history.git.printed import printed_commits
from learnings.history.git.process import GitFailed


def last_changes(folder: Path, paths: list[str]) -> dict[str, str]:
    """Return the author date of the last commit that changed each file below some folders.

    Paths are POSIX, from `folder`; dates are ISO text with their zone. Empty where git cannot say:
    no repository, no commit, no git.
    """
    dates: dict[str, str] = {}
    try:
        printed = process.run(commands.last_changes("HEAD", paths, "--relative"), folder)
    except (GitFailed, UntrustedHistory):
        return dates
    for path, date in dated_paths(printed):
        dates.setdefault(path, date)
    return dates


def dated_paths(printed: bytes) -> Iterator[tuple[str, str]]:
    """Yield the paths that commits changed, newest first, with the dates of these commits."""
    for commit in chain.from_iterable(printed_commits([printed])):
        for path in chain.from_iterable(commit.diffs):
            yield path, commit.fields[0]
