"""A compaction as a value: the themes and the INDEX that follow from the existing files.

It depends on nothing else, and its first writes do not change its later ones. So a run after one
that was killed between two files ends with the files of the killed run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
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
from learnings.tiers.placed import Placed
from learnings.tiers.raw_files import RawObservation, observations_of
from learnings.tiers.tier_files import (
    INDEX_LINES,
    THEME_WORDS,
    ThemeFile,
    TierFiles,
    free_theme_name,
    is_rest,
    theme_name_of,
    words_of,
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

    left are observations that wait for somebody to name their theme.
    """

    themes: tuple[ThemeChange, ...]
    gone: tuple[ThemeFile, ...]
    index_text: str
    left: tuple[RawObservation, ...]


def time_stamp(instant: datetime) -> str:
    """Return an instant in the form of INDEX: `2026-02-12T14:30:00Z`."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Theme(NamedTuple):
    """A theme as it shall be: its title, and its observations by index."""

    title: str
    members: tuple[int, ...]


class Compactor:
    """The observations of a folder, where they are, and the themes that code proposes."""

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
        # The rank of each observation: by cluster, most typical first; then the rest.
        count = range(len(self.observations))
        every = [*(i for cluster in clusters for i in cluster.observations), *count]
        self._rank = {index: rank for rank, index in enumerate(dict.fromkeys(every))}
        lost = (row for row in files.index_file.rows if row.name not in self.themes)
        # The names in INDEX of themes that a killed run has removed.
        self._gone = {row.name for row in lost if NUMBER.match(row.summary)}

    def compaction(self, now: datetime, themes: Mapping[str, Theme] | None = None) -> Compaction:
        """Return the compaction to these themes at an instant; without any, to those of code.

        Themes are by name, in writing order. A draft that is not among them is removed.
        """
        files, written = self.files, self.placed.texts
        themes = self.proposal() if themes is None else themes
        changes = []
        for name, (title, members) in themes.items():
            before, text = self.themes.get(name), self.placed.text_of(name, title, members)
            if (members or name in written) and (before is None or before.text != text):
                added = [index for index in members if self.placed.home[index] != name]
                new = tuple(self.observations[index] for index in sorted(added))
                changes.append(ThemeChange(name, title, before, text, new))
        kept = {name for name, theme in themes.items() if theme.members} | {*written}
        gone = tuple(theme for theme in files.themes if theme.name not in kept)
        names = {theme.name for theme in gone} | self._gone
        summaries = self._summaries(themes, {*self.themes, *kept} - names, names)
        index = files.index_file.updated(time_stamp(now), len(files.raw), summaries, names)
        placed = {index for theme in themes.values() for index in theme.members}
        left = tuple(one for n, one in enumerate(self.observations) if n not in placed)
        return Compaction(tuple(changes), gone, index, left)

    def proposal(self) -> dict[str, Theme]:
        """Return the themes that there are, and those that code finds, within their budgets."""
        homes = [*enumerate(self.placed.home)]
        themes = {
            name: Theme(theme.title, tuple(n for n, home in homes if home == name))
            for name, theme in sorted(self.themes.items())
        }
        additions, new = self._assigned()
        overflow = [(theme.title, self._filled("", theme.title, theme.members)[1]) for theme in new]
        for name, added in sorted(additions.items()):
            themes[name], rest = self._filled(name, themes[name].title, added, themes[name].members)
            overflow.append((re.sub(r" [0-9]+$", "", themes[name].title), rest))
        parts = [part for title, rest in overflow for part in self._pieces(title, rest)]
        parts = [part for part in parts if len(part.members) >= SMALLEST]
        chosen, homeless = fitted(new, parts, self._room())
        drafts = [t for t in self.files.themes if t.is_draft and t.name not in self.placed.texts]
        if homeless and drafts:
            # The theme that was merged most often, as its title tells. By size, a run after a
            # killed one would choose another theme.
            name = min(drafts, key=lambda theme: (-merges_of(theme.title), theme.name)).name
            title, members = themes[name]
            themes[name], _ = self._filled(name, title, homeless, members)
        used = {name.casefold() for name in self.files.taken_names()}
        for title, members in chosen:
            name, number = free_theme_name(theme_name_of(title), used)
            used.add(name)
            themes[name], _ = self._filled(
                name, title if number == 1 else f"{title} {number}", members
            )
        return themes

    def _filled(
        self, name: str, title: str, added: Iterable[int], members: Sequence[int] = ()
    ) -> tuple[Theme, list[int]]:
        """Return a theme with those added members that its budget allows, and the rest."""
        chosen, pending = [*members], sorted(added, key=self._rank.__getitem__)

        def fits(index: int) -> bool:
            text = self.placed.text_of(name, title, {*chosen, index})
            return words_of(text) <= THEME_WORDS

        # Repeat until nothing more fits: the id of a later member can shorten an earlier one. So
        # the rest never fits afterwards, and a run after a killed one ends as that would have.
        while (fit := next(filter(fits, pending), None)) is not None:
            chosen.append(fit)
            pending.remove(fit)
        return Theme(title, tuple(chosen)), pending

    def _pieces(self, title: str, members: Sequence[int]) -> Iterator[Theme]:
        """Yield members in themes of a title within the budget."""
        while members:
            piece, rest = self._filled("", f"{title} 2", members[:_MOST_ITEMS])
            yield Theme(title, piece.members)
            members = [*rest, *members[_MOST_ITEMS:]] if piece.members else ()

    def _room(self) -> int:
        """Return the lines of INDEX for new themes, below 0 if there are too few."""
        rows = {row.name for row in self.files.index_file.rows}
        unlisted, free = self.themes.keys() - rows, rows & self._gone
        return INDEX_LINES - len(self.files.index_file.content) + len(free) - len(unlisted)

    def _summaries(
        self, themes: Mapping[str, Theme], names: Collection[str], gone: Collection[str]
    ) -> dict[str, str]:
        """Return the INDEX summaries of themes, by name, for lines that are new or ours."""
        index = self.files.index_file
        rows = {row.name: row.summary for row in index.rows if row.name not in gone}
        room, summaries = INDEX_LINES - len(index.content) + len(index.rows) - len(rows), {}
        for name in sorted(names):
            typical = (
                sorted(themes[name].members, key=self._rank.__getitem__) if name in themes else ()
            )
            members = [self.observations[index] for index in typical]
            is_ours = members and name not in self.placed.texts
            if name not in rows and room > 0:
                ours = summary_of(members, is_rest=is_rest(name)) if is_ours else ""
                summaries[name] = ours or written_summary(self.themes[name].body)
                room -= 1
            elif name in rows and is_ours and is_summary(rows[name], members):
                summaries[name] = summary_of(members, is_rest=is_rest(name))
        return summaries

    def _assigned(self) -> tuple[dict[str, list[int]], list[Theme]]:
        """Return additions by theme name, and the new themes; clusters without a name wait.

        So does a member that has no word of the title of its theme: it is like others of the
        cluster, but not about that.
        """
        additions: dict[str, list[int]] = {}
        new: dict[str, Theme] = {}
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
                same = new.get(title.casefold(), Theme(title, ()))
                new[title.casefold()] = Theme(title, (*same.members, *free))
        return additions, list(new.values())

    def _about(self, title: str, members: Iterable[int]) -> list[int]:
        words = {*keys(title)}
        return [i for i in members if not words.isdisjoint(keys(self.observations[i].text))]

    def _title(self, members: Sequence[int]) -> str:
        return title_of([self.observations[index] for index in members], self._vocabulary)


_AND, _OTHERS = " and ", " and others"


def fitted(
    new: Sequence[Theme], parts: Sequence[Theme], room: int
) -> tuple[list[Theme], list[int]]:
    """Return themes for so many lines, and the observations of themes without a line.

    The smallest themes become one, if there is a line at all. `parts` are overflows of other
    themes; if lines are short, they are left out first, smallest before others. If only some themes
    were written, a later run on the rest returns the others.
    """
    themes = sorted(new, key=_rank_by_size)
    if themes and room < 1:
        return [], [index for theme in themes for index in theme.members]
    while len(themes) > max(room, 0):
        themes[-2:] = [_merged(*themes[-2:])]
        themes.sort(key=_rank_by_size)
    ordered = sorted(parts, key=lambda part: (_rank_by_size(part), part.members))
    return [*themes, *ordered[: max(room - len(new), 0)]], []


def merges_of(title: str) -> int:
    """Return the number of themes in a merged title: 0 for one, 1 for two, 2 for more."""
    return 2 if title.endswith(_OTHERS) else int(_AND in title)


def _rank_by_size(theme: Theme) -> int:
    return -len(theme.members)


def _merged(one: Theme, other: Theme) -> Theme:
    """Return two themes as one, with both in the title (of more than two, the first)."""
    if merges_of(one.title) or merges_of(other.title):
        title = one.title.removesuffix(_OTHERS).partition(_AND)[0] + _OTHERS
    else:
        title = f"{one.title}{_AND}{other.title}"
    return Theme(title, (*one.members, *other.members))


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
    placed = zip(compactor.observations, compactor.placed.home, strict=True)
    waiting = tuple(observation for observation, home in placed if home is None)
    live = len(compactor.observations)
    every = sum(len(file.observations) for file in files.raw)
    return Account(live - len(waiting), every - live, waiting)
