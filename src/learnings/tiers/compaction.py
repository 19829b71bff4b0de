"""A compaction as a value: the themes and the INDEX that follow from the existing files.

It depends on nothing else, and its first writes do not change its later ones. So a run after one
that was killed between two files ends with the files of the killed run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice, product
from typing import NamedTuple

from learnings.tiers.clusters import (
    NUMBER,
    OTHER,
    Vocabulary,
    category_named,
    category_of,
    category_title,
    clusters_of,
    is_summary,
    summary_of,
    title_of,
    written_summary,
)
from learnings.tiers.fitting import NewTheme, Placed, added_to, draft_of, fitted, merges_of
from learnings.tiers.raw_files import RawObservation, item_of, observations_of
from learnings.tiers.tier_files import (
    COLLECTED,
    DRAFT,
    INDEX_LINES,
    ThemeFile,
    TierFiles,
    free_theme_name,
    theme_name_of,
)

SMALLEST, LEAST_OF_CATEGORY = 2, 3
"""Minimum observations of a theme, and minimum of one category for those in no other theme."""
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

    left are observations without a theme, for lack of room. processed is the number of raw files
    that INDEX will cover.
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
                is_read = self.placed.is_read(self.observations[index], name)
                if is_read and self.placed.home[index] is None:
                    self.placed.home[index] = name
        self.home = list(self.placed.home)
        # The rank of each observation: by cluster, most typical first; then the rest.
        every = [*(i for cluster in clusters for i in cluster.observations), *range(len(self.home))]
        self._rank = {index: rank for rank, index in enumerate(dict.fromkeys(every))}
        lost = (row for row in files.index_file.rows if row.name not in self.themes)
        # The names in INDEX of themes that a killed run has removed.
        self._gone = {row.name for row in lost if NUMBER.match(row.summary)}
        self._used = {name.casefold() for name in files.taken_names()}

    def compaction(self, now: datetime) -> Compaction:
        """Return the compaction at an instant, whether one is due or not."""
        changes = [*self._changes()]
        return self.compaction_with(changes, now, marks=[COLLECTED])

    def compaction_with(
        self, changes: Sequence[ThemeChange], now: datetime, *, marks: Collection[str]
    ) -> Compaction:
        """Return a compaction with these changes; marked themes without members are removed."""
        files, kept = self.files, {*self.home, *self.placed.texts}
        gone = tuple(
            theme for theme in files.themes if theme.mark in marks and theme.name not in kept
        )
        names = {theme.name for theme in gone} | self._gone
        summaries = self._summaries(changes, names)
        index = files.index_file.updated(time_stamp(now), len(files.raw), summaries, names)
        left = (one for one, home in zip(self.observations, self.home, strict=True) if not home)
        return Compaction(tuple(changes), gone, index, tuple(left), len(files.raw))

    def _changes(self) -> Iterator[ThemeChange]:
        """Yield the themes to write: existing, new and collected ones."""
        additions, new = self._assigned()
        changes: list[ThemeChange] = []
        overflow = [draft_of(theme.title, theme.members, self.observations)[1] for theme in new]
        for name, added in sorted(additions.items()):
            members = [*self._members(name), *added]
            changes += self.written(name, self.themes[name].title, members)
            overflow.append(tuple(index for index in added if self.home[index] != name))
        parts = [part for rest in overflow for part in self._pieces(rest)]
        parts = [part for part in parts if len(part.members) >= SMALLEST]
        in_themes = {index for theme in (*new, *parts) for index in theme.members}
        is_left = any(not home and i not in in_themes for i, home in enumerate(self.home))
        room = self._room()
        themes, homeless = fitted(new, parts, room - (is_left and room > 1))
        yield from self._joined(changes, homeless) if homeless else changes
        for title, part in themes:
            yield from self.written(*self._free_name(title), part)
        yield from self._collected(room - len(themes))

    def _room(self) -> int:
        """Return the lines of INDEX for new and collected themes, below 0 if there are too few."""
        rows = {row.name for row in self.files.index_file.rows}
        collected = {name for name, theme in self.themes.items() if theme.mark == COLLECTED}
        free = rows & (collected | self._gone)
        unlisted = self.themes.keys() - collected - rows
        return INDEX_LINES - len(self.files.index_file.content) + len(free) - len(unlisted)

    def _summaries(self, changes: Sequence[ThemeChange], gone: Collection[str]) -> dict[str, str]:
        """Return the INDEX summaries of themes, by name, for lines that are new or ours."""
        index = self.files.index_file
        rows = {row.name: row.summary for row in index.rows if row.name not in gone}
        room, summaries = INDEX_LINES - len(index.content) + len(index.rows) - len(rows), {}
        for name in sorted({*self.themes, *(change.name for change in changes)} - {*gone}):
            members = [self.observations[index] for index in self._members(name)]
            text = summary_of(members) if members else written_summary(self.themes[name].body)
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
        """Return additions by theme name, and the new themes.

        Observations without a common name for a theme are left to their category.
        """
        additions: dict[str, list[int]] = {}
        new: dict[str, NewTheme] = {}
        kept = (theme for theme in reversed(self.files.themes) if theme.mark != COLLECTED)
        titles = {theme.title.casefold(): theme.name for theme in kept}
        for observations, themes in self._clusters:
            title = self._title(observations)
            names = Counter(themes)
            names.update(filter(None, (self.placed.home[index] for index in observations)))
            most = min(names, key=lambda name: (-names[name], name), default=None)
            name = most or titles.get(title.casefold())
            free = [index for index in observations if self.placed.home[index] is None]
            if name is not None:
                is_read = {i for i in free if self.placed.is_read(self.observations[i], name)}
                additions.setdefault(name, []).extend(i for i in free if i not in is_read)
            elif title and len(free) >= SMALLEST:
                same = new.get(title.casefold(), NewTheme(title, ()))
                new[title.casefold()] = NewTheme(title, (*same.members, *free))
        return additions, list(new.values())

    def _title(self, members: Sequence[int]) -> str:
        return title_of([self.observations[index] for index in members], self._vocabulary)

    def written(
        self, name: str, title: str, members: Iterable[int], mark: str = DRAFT
    ) -> Iterator[ThemeChange]:
        """Yield a theme with these members unless its file is the same; the rest has no theme."""
        members, theme = self._typical(members), self.themes.get(name)
        present = [index for index in members if self.home[index] == name]
        if theme and name in self.placed.texts:
            members = [index for index in members if index not in present]
            text, overflow = added_to(theme, members, self.observations)
        else:
            text, overflow = draft_of(title, members, self.observations, first=present, mark=mark)
        fits = [index for index in members if index not in overflow]
        for index in fits:
            self.home[index] = name
        known = {*theme.plain, *(f"- {unit}" for unit, _ in theme.units)} if theme else set()
        added = (self.observations[index] for index in fits)
        new = tuple(one for one in added if f"- {one.unit}" not in known or _is_new(one, known))
        if fits and (theme is None or theme.text != text):
            yield ThemeChange(name, title, theme, text, new)

    def _pieces(self, members: Sequence[int], title: str = "") -> Iterator[NewTheme]:
        """Yield members in themes within the budget, with a separate title if they have none."""
        while members and (named := title or self._title(members)):
            first = members[:_MOST_ITEMS]
            rest = draft_of(f"{named} 2", first, self.observations).overflow
            piece = tuple(index for index in first if index not in rest)
            yield NewTheme(named, piece)
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

    def _collected(self, room: int) -> Iterator[ThemeChange]:
        """Yield themes of the remaining observations, by category, as far as INDEX has lines.

        A small category joins the others, the smallest first. Unchanged themes are left out.
        """
        rest = [index for index, home in enumerate(self.home) if home is None]
        categories = [category_of(one) for one in self.observations]
        counts = Counter(categories[index] for index in rest)
        kept = [name for name in counts if counts[name] >= LEAST_OF_CATEGORY and name != OTHER]
        kept.sort(key=lambda name: (-counts[name], name))
        own = [[*self._category(k, [i for i in rest if categories[i] == k])] for k in kept]
        while True:
            others = self._category(OTHER, [i for i in rest if categories[i] not in kept])
            parts = [*islice(chain(*own, others), max(room, 0) + 1)]
            if len(parts) <= room or not kept:
                break
            del kept[-1], own[-1]
        present = sorted(self.files.themes, key=lambda theme: (len(theme.name), theme.name))
        present = [theme for theme in present if theme.mark == COLLECTED]
        for part in parts[: max(room, 0)]:
            category = category_named(part.title)
            theme = next((t for t in present if category_named(t.title) == category), None)
            if theme is not None:
                present.remove(theme)
            names = (theme.name, theme.title) if theme else self._free_name(part.title)
            yield from self.written(*names, part.members, COLLECTED)

    def _category(self, name: str, members: Sequence[int]) -> Iterator[NewTheme]:
        title = category_title(name, (self.observations[index] for index in members))
        return self._pieces(members, title)


def _is_new(observation: RawObservation, lines: Collection[str]) -> bool:
    return all(f"- {text}" not in lines for text in item_of(observation))
