"""A repository with entries that move, some often, between three memory files and an archive.

The seed determines everything. A move is one commit: it takes one or two entries out of one file
and puts them word for word at any place in another one. In the archive an entry is an original in a
fence, as `learnings archive` writes it.
"""

from __future__ import annotations

import random
from datetime import timedelta

from tests.support.repository import FIRST_DAY, GitRepository

FILES = ("agents/learnings.md", "agents/lessons.md", "docs/learnings.md")
ARCHIVE = "agents/archive/learnings-consolidated-2026-01-20.md"
MOVES = 30
WORDS = (  # noqa: SIM905  (a list of them would be thirty lines)
    "archive branch cache commit deploy error fixture guard hook import journal key lock merge "
    "name option parser queue report schema token update version worker zone"
).split()


class MovedEntries:
    """The repository, and the facts about its entries, by title.

    files has the titles in each file, in order; first_days the ISO date on which each was first
    written; ways the files that it has been in, in order.
    """

    def __init__(self, repository: GitRepository, *, seed: int) -> None:
        self.repository = repository
        self.files: dict[str, list[str]] = {name: [] for name in (*FILES, ARCHIVE)}
        self.first_days: dict[str, str] = {}
        self.ways: dict[str, list[str]] = {}
        self._random = random.Random(seed)
        self._bodies: dict[str, str] = {}
        self._day = FIRST_DAY
        for name in FILES * 4:
            self._add(name)
            self._commit(name)
        for number in range(MOVES):
            self._move(*self._direction(number))
            if number % 3 == 0:
                self._add(name := self._random.choice(FILES))
                self._commit(name)

    def _direction(self, number: int) -> tuple[str, str]:
        """Choose source and target: in turn into the archive, back from it, and between files."""
        if number % 3 == 0:
            return self._fullest(), ARCHIVE
        if number % 3 == 1:
            return ARCHIVE, self._random.choice(FILES)
        old = self._fullest()
        return old, self._random.choice([name for name in FILES if name != old])

    def _fullest(self) -> str:
        return max(FILES, key=lambda name: len(self.files[name]))

    def _add(self, name: str) -> None:
        title = f"{self._phrase(3).capitalize()} {len(self._bodies)}"
        self._bodies[title] = f"{self._phrase(12)}\n{self._phrase(9)}"
        self.first_days[title] = self._day.isoformat()
        self._insert(name, title)

    def _move(self, old: str, new: str) -> None:
        titles = self._random.sample(self.files[old], min(len(self.files[old]), 2))
        for title in titles:
            self.files[old].remove(title)
            self._insert(new, title)
        self._commit(old, new)

    def _insert(self, name: str, title: str) -> None:
        titles = self.files[name]
        titles.insert(self._random.randint(0, len(titles)), title)
        self.ways.setdefault(title, []).append(name)

    def _commit(self, *changed: str) -> None:
        """Commit the files on a new day."""
        for name in changed:
            form = self._original if name == ARCHIVE else self._entry
            text = "# Memory\n\n" + "\n".join(map(form, self.files[name]))
            self.repository.write(name, text)
        self.repository.commit(date=self._day.isoformat())
        self._day += timedelta(days=1)

    def _entry(self, title: str) -> str:
        return f"## {title}\n\n{self._bodies[title]}\n"

    def _original(self, title: str) -> str:
        return f"## Group: {title}\n\n~~~ markdown original\n{self._entry(title)}~~~\n"

    def _phrase(self, length: int) -> str:
        return " ".join(self._random.choices(WORDS, k=length))
