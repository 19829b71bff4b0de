"""Memory files, the days they live through, and what the installed command says of them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitRepository

Json: TypeAlias = Any
"""A document, or a part of one."""

FILE = "learnings.md"
FIRST_DAY = date(2025, 1, 1)
WORDS_IN_A_BODY = 24

_learnings = Command("learnings")


def day(number: int) -> str:
    """The date of a day, counted from 0."""
    return (FIRST_DAY + timedelta(days=number)).isoformat()


def body(title: str) -> str:
    """A text of its own for each title, long enough for git to see it move."""
    return " ".join(f"{title.casefold()}{number}" for number in range(WORDS_IN_A_BODY))


def memory(*titles: str, lines: int = 0, **bodies: str) -> str:
    """A memory file with an entry for each title, filled up with blank lines to `lines`.

    The body of an entry follows from its title, unless it is given under it.
    """
    entries = (f"## {title}\n\n{bodies.get(title, body(title))}\n\n" for title in titles)
    text = "# Learnings\n\nWhat we learned.\n\n---\n\n" + "".join(entries)
    return text + "\n" * max(0, lines - text.count("\n"))


def keep(repository: GitRepository, number: int, text: str | bytes, *, file: str = FILE) -> str:
    """Commit a memory file on a day; return the commit."""
    repository.write(file, text)
    return repository.commit(date=day(number))


def live(repository: GitRepository, first: int, last: int) -> None:
    """Make a commit that touches nothing on each day from `first` to `last`."""
    repository.work(day(first), days=last - first + 1)


def run(
    where: GitRepository | Path, *words: str | Path, env: Mapping[str, str | None] | None = None
) -> Completed:
    """Run `learnings` in a repository or folder; `env` changes the environment."""
    folder = where.path if isinstance(where, GitRepository) else where
    return _learnings(*words, cwd=folder, env=env)


def ages(
    where: GitRepository | Path,
    *options: str,
    file: str | Path = FILE,
    env: Mapping[str, str | None] | None = None,
) -> Json:
    """What `learnings ages` says, as a document."""
    return _document(run(where, "ages", file, "--format=json", *options, env=env))


def due(where: GitRepository | Path, *options: str) -> Json:
    """What `learnings due` says of the one file."""
    (verdict,) = _document(run(where, "due", FILE, "--format=json", *options))["files"]
    return verdict


def added(document: Json) -> dict[str, str | None]:
    """The day each entry was added, by title."""
    return {entry["title"]: entry["added"] for entry in document["entries"]}


def basis(document: Json) -> dict[str, str]:
    """What each age rests on, by title."""
    return {entry["title"]: entry["basis"] for entry in document["entries"]}


def active_days(document: Json) -> dict[str, int | None]:
    """The age of each entry, by title."""
    return {entry["title"]: entry["active_days"] for entry in document["entries"]}


def consolidation(document: Json) -> tuple[str, int] | None:
    """The commit of the last consolidation and how many entries it took out."""
    last = document["last_consolidation"]
    return last and (last["commit"], last["removed"])


def forget(repository: GitRepository) -> None:
    """Delete what earlier runs remembered."""
    shutil.rmtree(repository.path / ".git" / "learnings", ignore_errors=True)


def configure(repository: GitRepository, **settings: object) -> None:
    """Write the configuration file; `size_trigger=3` becomes `size-trigger = 3`."""
    lines = (f"{name.replace('_', '-')} = {_toml(value)}\n" for name, value in settings.items())
    repository.write("learnings.toml", "".join(lines))


def count_every_removal(repository: GitRepository) -> GitRepository:
    """Let a commit that takes out a single entry be a consolidation; return the repository."""
    configure(repository, consolidation_min_removed=1)
    return repository


@pytest.fixture(name="repository")
def every_removal_counts(repository: GitRepository) -> GitRepository:
    return count_every_removal(repository)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(list(value) if isinstance(value, tuple) else value)


def _document(done: Completed) -> Json:
    assert (done.code, done.err) == (0, ""), done
    return done.json
