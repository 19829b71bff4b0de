"""A compaction as a value: the themes and the INDEX that follow from the files there are.

It depends on nothing else, and what it writes first changes nothing of what it writes next. So a
run after one that was killed between two files ends with the files that the first would have had.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from learnings.tiers.clusters import (
    Cluster,
    Vocabulary,
    clusters_of,
    is_summary,
    summary_of,
    title_of,
    written_summary,
)
from learnings.tiers.fitting import NewTheme, Placed, added_to, draft_of, fitted, merges_of
from learnings.tiers.raw_files import RawObservation, observations_of
from learnings.tiers.theme_files import ThemeFile, free_theme_name, theme_name_of
from learnings.tiers.tier_files import INDEX_LINES, TierFiles

SMALLEST = 2
"""Observations that make a theme."""


class ThemeChange(NamedTuple):
    """A theme that is written: its new text, what was added, and the file it replaces, if any."""

    name: str
    title: str
    before: ThemeFile | None
    text: str
    added: tuple[RawObservation, ...]


class Compaction(NamedTuple):
    """What a compaction writes: themes in this order, then INDEX.

    left are observations that are in no theme: alone so far, or without room. processed is the
    number of raw files that INDEX covers then.
    """

    themes: tuple[ThemeChange, ...]
    index_text: str
    left: tuple[RawObservation, ...]
    processed: int


def compaction_of(files: TierFiles, now: datetime) -> Compaction:
    """Return what a compaction of these files writes at an instant, whether it is due or not."""
    compactor = _Compactor(files)
    changes = compactor.changes()
    return Compaction(
        tuple(changes),
        files.index_file.updated(time_stamp(now), len(files.raw), compactor.summaries(changes)),
        tuple(compactor.left()),
        len(files.raw),
    )


def time_stamp(instant: datetime) -> str:
    """Return an instant as INDEX has it: `2026-02-12T14:30:00Z`."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class _Compactor:
    def __init__(self, files: TierFiles) -> None:
        self._files = files
        self._observations = observations_of(files.raw)
        self._themes = {theme.name: theme for theme in files.themes}
        self._placed = Placed(self._observations, files.themes)
        self._home = list(self._placed.home)
        self._vocabulary = Vocabulary(self._observations)
        self._written = list(self._placed.texts)
        texts = [(self._themes[name].title, text) for name, text in self._placed.texts.items()]
        self._clusters = clusters_of(self._observations, texts)
        # The place of each observation: by cluster, the most typical first; then those in none.
        ranked = [index for cluster in self._clusters for index in cluster.observations]
        rest = sorted({*range(len(self._observations))}.difference(ranked))
        self._rank = {index: rank for rank, index in enumerate([*ranked, *rest])}

    def changes(self) -> list[ThemeChange]:
        """Return the themes that are written, those that were there before first."""
        additions, new = self._assigned()
        changes, parts = [], []
        for name in sorted(additions):
            change, overflow = self._grown(self._themes[name], additions[name])
            changes += [change] if change else []
            parts += self._parts(overflow)
        for theme in new:
            draft = draft_of(theme.title, theme.members, self._observations)
            parts += self._parts(draft.overflow)
        index = self._files.index_file
        unlisted = self._themes.keys() - {row.name for row in index.rows}
        room = INDEX_LINES - len(index.content) - len(unlisted)  # negative if it is too long
        themes, homeless = fitted(new, parts, room)
        if homeless:
            changes = self._joined(changes, homeless)
        return [*changes, *self._created(themes)]

    def summaries(self, changes: Sequence[ThemeChange]) -> dict[str, str]:
        """Return what INDEX says of themes, by name, where its line is new or ours."""
        new = {change.name: change for change in changes}
        rows = {row.name: row.summary for row in self._files.index_file.rows}
        room, summaries = INDEX_LINES - len(self._files.index_file.content), {}
        for name in sorted({*self._themes, *new}):
            members = [self._observations[index] for index in self._members(name)]
            text = summary_of(members) if members else written_summary(self._themes[name].body)
            if name not in rows and room > 0:
                summaries[name] = text
                room -= 1
            elif (
                name in rows and name not in self._placed.texts and is_summary(rows[name], members)
            ):
                summaries[name] = text
        return summaries

    def left(self) -> Iterator[RawObservation]:
        """Give the observations that are in no theme."""
        for observation, home in zip(self._observations, self._home, strict=True):
            if home is None:
                yield observation

    def _members(self, name: str) -> list[int]:
        members = (index for index, home in enumerate(self._home) if home == name)
        return sorted(members, key=self._rank.__getitem__)

    def _assigned(self) -> tuple[dict[str, list[int]], list[NewTheme]]:
        """Return additions by theme name, and the new themes."""
        additions: dict[str, list[int]] = {}
        new: dict[str, NewTheme] = {}
        titles = {theme.title.casefold(): theme.name for theme in reversed(self._files.themes)}
        for cluster in self._clusters:
            title = self._title(cluster.observations)
            name = self._home_of(cluster) or titles.get(title.casefold())
            free = [index for index in cluster.observations if self._is_free(index, name)]
            if name is not None:
                additions.setdefault(name, []).extend(free)
            elif len(free) >= SMALLEST:
                same = new.get(title.casefold(), NewTheme(title, ()))
                new[title.casefold()] = NewTheme(title, (*same.members, *free))
        return additions, list(new.values())

    def _home_of(self, cluster: Cluster) -> str | None:
        """Return the theme that holds most of a cluster, or None."""
        names = Counter(self._written[index] for index in cluster.themes)
        names.update(filter(None, (self._placed.home[index] for index in cluster.observations)))
        return min(names, key=lambda name: (-names[name], name), default=None)

    def _is_free(self, index: int, name: str | None) -> bool:
        observation, home = self._observations[index], self._placed.home[index]
        if name is None or home is not None:
            return home is None
        return not self._placed.is_read(observation, name)

    def _title(self, members: Sequence[int]) -> str:
        return title_of([self._observations[index] for index in members], self._vocabulary)

    def _grown(
        self, theme: ThemeFile, added: Sequence[int]
    ) -> tuple[ThemeChange | None, Sequence[int]]:
        """Return a theme with what is added, if any fits, and what has no room in it."""
        present, is_written = self._members(theme.name), theme.name in self._placed.texts
        if is_written:
            text, overflow = added_to(theme, added, self._observations)
        else:
            members = sorted([*present, *added], key=self._rank.__getitem__)
            text, overflow = draft_of(theme.title, members, self._observations, first=present)
        fits = [index for index in added if index not in overflow]
        for index in fits:
            self._home[index] = theme.name
        rest = [index for index in added if index in overflow]
        # What was seen again word for word adds its work unit alone.
        again = [
            index
            for index in present
            if not is_written and self._placed.lacks_unit(self._observations[index], theme.name)
        ]
        if not fits and not again:
            return None, rest
        observations = tuple(self._observations[index] for index in (*fits, *again))
        return ThemeChange(theme.name, theme.title, theme, text, observations), rest

    def _parts(self, overflow: Sequence[int]) -> list[NewTheme]:
        """Return themes for what had no room in another one, each within the budget."""
        parts = []
        rest = tuple(overflow)
        while len(rest) >= SMALLEST:
            title = self._title(rest)
            draft = draft_of(title, rest, self._observations)
            parts.append(NewTheme(title, tuple(n for n in rest if n not in draft.overflow)))
            rest = draft.overflow
        return [part for part in parts if len(part.members) >= SMALLEST]

    def _joined(self, changes: Sequence[ThemeChange], members: Sequence[int]) -> list[ThemeChange]:
        """Return the changes with members put into one theme that is a draft, if there is one.

        That is one which several were merged into, since it says so. It is chosen by its title:
        by its size another one would be chosen after a run that was killed.
        """
        drafts = [theme for theme in self._files.themes if theme.name not in self._placed.texts]
        if not drafts:
            return list(changes)
        theme = min(drafts, key=lambda theme: (-merges_of(theme.title), theme.name))
        change, _ = self._grown(theme, members)
        if change is None:
            return list(changes)
        earlier = next((c.added for c in changes if c.name == theme.name), ())
        others = [other for other in changes if other.name != theme.name]
        change = change._replace(added=(*earlier, *change.added))
        return sorted([*others, change], key=lambda change: change.name)

    def _created(self, themes: Sequence[NewTheme]) -> Iterator[ThemeChange]:
        used = {name.casefold() for name in self._files.taken_names()}
        for theme in themes:
            name, number = free_theme_name(theme_name_of(theme.title), used)
            used.add(name)
            title = theme.title if number == 1 else f"{theme.title} {number}"
            members = sorted(theme.members, key=self._rank.__getitem__)
            text, overflow = draft_of(title, members, self._observations)
            fits = [index for index in members if index not in overflow]
            for index in fits:
                self._home[index] = name
            yield ThemeChange(name, title, None, text, tuple(self._observations[n] for n in fits))
