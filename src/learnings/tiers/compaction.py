"""A compaction as a value: the themes and the INDEX that follow from the existing files.

It depends on nothing else, and its first writes do not change its later ones. So a run after one
that was killed between two files ends with the files of the killed run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import product
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys
from learnings.tiers.clusters import (
    NUMBER,
    Vocabulary,
    clusters_of,
    is_summary,
    summary_of,
    title_of,
    written_summary,
)
from learnings.tiers.fitting import Compose, NewTheme, Placed, filled, fitted, merges_of
from learnings.tiers.raw_files import RawObservation, item_of, observations_of
from learnings.tiers.tier_files import (
    INDEX_LINES,
    ThemeFile,
    TierFiles,
    draft_text,
    free_theme_name,
    is_rest,
    theme_name_of,
)

SMALLEST = 2
"""Minimum observations of a theme that code finds."""
_MOST_ITEMS = 60  # number that fits into a theme, at one or two words each


class ThemeChange(NamedTuple):
    """A theme to write: its new text, the additions, and the file it replaces, if any."""

    name: str
    title: str
    before: ThemeFile | None
    text: str
    added: tuple[RawObservation, ...]


class Compaction(NamedTuple):
    """The result of a compaction: themes in writing order, then removed ones, then INDEX.

    left are observations that wait for somebody to name their theme. processed is the number of raw
    files that INDEX will cover.
    """

    themes: tuple[ThemeChange, ...]
    gone: tuple[ThemeFile, ...]
    index_text: str
    left: tuple[RawObservation, ...]
    processed: int


def time_stamp(instant: datetime) -> str:
    """Return an instant in the form of INDEX: `2026-02-12T14:30:00Z`."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Compactor:
    """Puts observations into themes; home has the theme name of each, or None."""

    def __init__(self, files: TierFiles) -> None:
        self.files = files
        self.observations = observations_of(files.raw)
        self.themes = {theme.name: theme for theme in files.themes}
        self.placed = Placed(self.observations, files.themes)
        self._vocabulary = Vocabulary(self.observations)
        written = list(self.placed.texts)
        texts = [(self.themes[name].title, text) for name, text in self.placed.texts.items()]
        clusters = clusters_of(self.observations, texts)
        self._clusters = [
            (cluster.observations, [written[index] for index in cluster.themes])
            for cluster in clusters
            if cluster.observations
        ]
        for members, names in self._clusters:
            for index, name in product(members, names):  # its author knew similar observations
                if self.placed.is_read(self.observations[index], name):
                    self.placed.cover(index, name)
        self.home = list(self.placed.home)
        # The rank of each observation: by cluster, most typical first; then the rest.
        every = [*(i for cluster in clusters for i in cluster.observations), *range(len(self.home))]
        self._rank = {index: rank for rank, index in enumerate(dict.fromkeys(every))}
        lost = (row for row in files.index_file.rows if row.name not in self.themes)
        # The names in INDEX of themes that a killed run has removed.
        self._gone = {row.name for row in lost if NUMBER.match(row.summary)}
        self._used = {name.casefold() for name in files.taken_names()}

    @property
    def waiting(self) -> list[int]:
        """The observations, by index, that are in no theme."""
        return [index for index, home in enumerate(self.home) if home is None]

    def compaction(self, now: datetime) -> Compaction:
        """Return the compaction at an instant, whether one is due or not."""
        return self.compaction_with([*self._changes()], now)

    def compaction_with(
        self, changes: Sequence[ThemeChange], now: datetime, gone: Sequence[ThemeFile] = ()
    ) -> Compaction:
        """Return a compaction with these changes, and without these themes."""
        files = self.files
        names = {theme.name for theme in gone} | self._gone
        summaries = self._summaries(changes, names)
        index = files.index_file.updated(time_stamp(now), len(files.raw), summaries, names)
        left = tuple(self.observations[index] for index in self.waiting)
        return Compaction(tuple(changes), tuple(gone), index, left, len(files.raw))

    def _changes(self) -> Iterator[ThemeChange]:
        """Yield the themes to write: existing and new ones."""
        additions, new = self._assigned()
        changes: list[ThemeChange] = []
        overflow = [(theme.title, self._filled(*theme)) for theme in new]
        for name, added in sorted(additions.items()):
            members = [*self._members(name), *added]
            title = self.themes[name].title
            changes += self.written(name, title, members)
            rest = [index for index in added if self.home[index] != name]
            overflow.append((re.sub(r" [0-9]+$", "", title), rest))
        parts = [part for title, rest in overflow for part in self._pieces(title, rest)]
        parts = [part for part in parts if len(part.members) >= SMALLEST]
        themes, homeless = fitted(new, parts, self._room())
        yield from self._joined(changes, homeless) if homeless else changes
        for title, part in themes:
            yield from self.written(*self._free_name(title), part)

    def _room(self) -> int:
        """Return the lines of INDEX for new themes, below 0 if there are too few."""
        rows = {row.name for row in self.files.index_file.rows}
        unlisted, free = self.themes.keys() - rows, rows & self._gone
        return INDEX_LINES - len(self.files.index_file.content) + len(free) - len(unlisted)

    def _summaries(self, changes: Sequence[ThemeChange], gone: Collection[str]) -> dict[str, str]:
        """Return the INDEX summaries of themes, by name, for lines that are new or ours."""
        index = self.files.index_file
        rows = {row.name: row.summary for row in index.rows if row.name not in gone}
        room, summaries = INDEX_LINES - len(index.content) + len(index.rows) - len(rows), {}
        for name in sorted({*self.themes, *(change.name for change in changes)} - {*gone}):
            members = [self.observations[index] for index in self._members(name)]
            if members and name not in self.placed.texts:
                text = summary_of(members, is_rest=is_rest(name))
            else:
                text = written_summary(self.themes[name].body)
            if name not in rows and room > 0:
                summaries[name] = text
                room -= 1
            elif name in rows and name not in self.placed.texts and is_summary(rows[name], members):
                summaries[name] = text
        return summaries

    def _members(self, name: str) -> list[int]:
        return self._typical(index for index, home in enumerate(self.home) if home == name)

    def _typical(self, members: Iterable[int]) -> list[int]:
        return sorted(members, key=self._rank.__getitem__)

    def _assigned(self) -> tuple[dict[str, list[int]], list[NewTheme]]:
        """Return additions by theme name, and the new themes; clusters without a name wait.

        So does a member that has no word of the title of its theme: it is like others of the
        cluster, but not about that.
        """
        additions: dict[str, list[int]] = {}
        new: dict[str, NewTheme] = {}
        titles = {theme.title.casefold(): theme.name for theme in reversed(self.files.themes)}
        for observations, themes in self._clusters:
            title = self._title(observations)
            homes = (self.placed.home[index] for index in observations)
            names = Counter(name for name in (*themes, *homes) if name and not is_rest(name))
            most = min(names, key=lambda name: (-names[name], name), default=None)
            name = most or titles.get(title.casefold())
            free = [index for index in observations if self.placed.home[index] is None]
            free = self._about(self.themes[name].title if name else title, free)
            if name is not None:
                is_read = {i for i in free if self.placed.is_read(self.observations[i], name)}
                additions.setdefault(name, []).extend(i for i in free if i not in is_read)
            elif len(free) >= SMALLEST:
                same = new.get(title.casefold(), NewTheme(title, ()))
                new[title.casefold()] = NewTheme(title, (*same.members, *free))
        return additions, list(new.values())

    def _about(self, title: str, members: Iterable[int]) -> list[int]:
        words = {*keys(title)}
        return [i for i in members if not words.isdisjoint(keys(self.observations[i].text))]

    def _title(self, members: Sequence[int]) -> str:
        return title_of([self.observations[index] for index in members], self._vocabulary)

    def written(
        self, name: str, title: str, members: Iterable[int], *, whole: bool = False
    ) -> Iterator[ThemeChange]:
        """Yield a theme with these members unless its file is the same; the rest has no theme.

        Items of other observations leave it. With whole, all members are in it, too long or not.
        """
        members, theme = self._typical(members), self.themes.get(name)
        present = [index for index in members if self.home[index] == name]
        if theme and name in self.placed.texts:
            members = [index for index in members if index not in present]
            compose, first = self._appending(theme, present, members), []
        else:
            compose, first = partial(draft_text, name, title), present
        text, overflow = filled(compose, members, self.observations, members if whole else first)
        fits = [index for index in members if index not in overflow]
        for index in fits:
            self.home[index] = name
        added = (index for index in fits if self.placed.home[index] != name)
        if (theme and theme.text != text) or (fits and not theme):
            new = tuple(self.observations[index] for index in added)
            yield ThemeChange(name, title, theme, text, new)

    def _appending(
        self, theme: ThemeFile, present: Sequence[int], members: Sequence[int]
    ) -> Compose:
        """Return how to append items to what somebody wrote; items of no member leave it."""
        kept = [index for index in (*present, *members) if index in self.placed.items]
        homes = enumerate(self.placed.home)
        items = [n for n, home in homes if home == theme.name and n in self.placed.items]
        gone = [self.observations[index] for index in items if index not in present]
        texts = {item_of(self.observations[index]).full for index in kept}
        units = {self.observations[index].unit for index in (*kept, *members)}
        listed = {one.unit for one in self.observations if self.placed.is_listed(one, theme.name)}

        def compose(added: Sequence[str], added_units: Sequence[str]) -> str:
            if not added and not gone:
                return theme.text
            return theme.with_items(
                [item for item in added if f"- {item}" not in theme.plain],
                {*added_units} - listed,
                {item_of(one).full for one in gone} - texts,
                {one.unit for one in gone} - units,
            )

        return compose

    def _filled(self, title: str, members: Sequence[int]) -> list[int]:
        """Return the members that do not fit into a new theme."""
        return filled(partial(draft_text, "", title), members, self.observations)[1]

    def _pieces(self, title: str, members: Sequence[int]) -> Iterator[NewTheme]:
        """Yield members in themes of a title within the budget."""
        while members:
            first = members[:_MOST_ITEMS]
            rest = self._filled(f"{title} 2", first)
            piece = tuple(index for index in first if index not in rest)
            yield NewTheme(title, piece)
            members = [*rest, *members[_MOST_ITEMS:]] if piece else ()

    def _joined(
        self, changes: Sequence[ThemeChange], members: Sequence[int]
    ) -> Sequence[ThemeChange]:
        """Return the changes with the members in one draft theme, if there is one.

        The theme is a merged one, since its title says so. The title and not the size decides: by
        size, a run after a killed one would choose another theme.
        """
        drafts = [t for t in self.files.themes if t.is_draft and t.name not in self.placed.texts]
        theme = min(drafts, key=lambda theme: (-merges_of(theme.title), theme.name), default=None)
        if theme is None:
            return changes
        members = [*self._members(theme.name), *members]
        others = (change for change in changes if change.name != theme.name)
        themes = [*others, *self.written(theme.name, theme.title, members)]
        return sorted(themes, key=lambda change: change.name)

    def _free_name(self, title: str) -> tuple[str, str]:
        """Return a new name for a title, and the title with its number."""
        name, number = free_theme_name(theme_name_of(title), self._used)
        self._used.add(name)
        return name, title if number == 1 else f"{title} {number}"


class Account(NamedTuple):
    """The findings of a folder, each counted once: in themes, dismissed, or waiting."""

    themed: int
    dismissed: int
    waiting: tuple[RawObservation, ...]

    @property
    def total(self) -> int:
        """The number of all findings."""
        return self.themed + self.dismissed + len(self.waiting)


def account_of(files: TierFiles) -> Account:
    """Return where the findings of a folder are."""
    compactor = Compactor(files)
    waiting = tuple(compactor.observations[index] for index in compactor.waiting)
    live = len(compactor.observations)
    every = sum(len(file.observations) for file in files.raw)
    return Account(live - len(waiting), every - live, waiting)
