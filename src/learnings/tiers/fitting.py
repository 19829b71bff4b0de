"""Fitting observations into themes of limited words, and themes into the lines of INDEX."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.similarity import Texts
from learnings.tiers.raw_files import RawObservation, item_of
from learnings.tiers.tier_files import THEME_WORDS, ThemeFile, words_of

COVERED = 0.15
"""Share of an observation at which a theme's text covers it, as in `learnings precheck`.

That command says "perhaps covered"; here the authors of the theme knew the observation.
"""


class Placed:
    """The places of observations: an item of a theme, or covered by a text that somebody wrote.

    home has the theme name of each observation, or None. items are the indices of those that are
    items, words the names of the themes whose text covers an observation, by index. texts are, by
    name, the words that people wrote: the text of themes that are no drafts, without the items.
    """

    def __init__(self, observations: Sequence[RawObservation], themes: Sequence[ThemeFile]) -> None:
        items = {item_of(observation).full for observation in observations}
        by_item: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        for theme in themes:
            own = [item for item in map(_item_text, theme.plain) if item in items]
            by_item = dict.fromkeys(own, theme.name) | by_item
            if not theme.is_draft or len(own) < theme.items:
                lines = (line for line in theme.body.split("\n") if _item_text(line) not in items)
                self.texts[theme.name] = "\n".join(lines)
        self._themes = {theme.name: theme for theme in themes}
        self._listed = {theme.name: {unit for unit, _ in theme.units} for theme in themes}
        sections = {name: (Texts([text]), {*keys(text)}) for name, text in self.texts.items()}
        covers = (self._cover(observation, sections) for observation in observations)
        self.words = {index: name for index, name in enumerate(covers) if name}
        self.home = [by_item.get(item_of(observation).full) for observation in observations]
        self.items = {index for index, name in enumerate(self.home) if name}
        self.home = [home or self.words.get(index) for index, home in enumerate(self.home)]

    def cover(self, index: int, name: str) -> None:
        """Record that the text of a theme covers an observation, unless another text does."""
        self.words.setdefault(index, name)
        self.home[index] = self.home[index] or name

    def is_listed(self, observation: RawObservation, name: str) -> bool:
        """Return True if a theme lists the work unit, by either of its names."""
        return not self._listed[name].isdisjoint((observation.unit, observation.work_id))

    def is_read(self, observation: RawObservation, name: str) -> bool:
        """Return True if a theme in somebody's words says that its author has read the work unit.

        More items do not change that, so what a text covers stays covered.
        """
        added = self._themes[name].added_units or ()
        is_listed = name in self.texts and self.is_listed(observation, name)
        return is_listed and observation.unit not in added

    def _cover(
        self, observation: RawObservation, sections: Mapping[str, tuple[Texts, set[str]]]
    ) -> str | None:
        """Return the name of the theme whose text covers an observation best, or None.

        A text that shortens it has half of the words of its rule.
        """
        said = {*keys(observation.rule or observation.description)}
        best: tuple[float, str | None] = (0, None)
        for name, (section, words) in sections.items():
            if self.is_read(observation, name):
                texts = filter(None, (observation.text, observation.rule))
                covered = filter(None, map(section.best_of_text, texts))
                score = max((text.score for text in covered), default=0.0)
                is_short = len(said & words) >= max(2, len(said) / 2)
                if is_short or score >= COVERED:
                    best = max(best, (score + len(said & words) / len(said or " "), name))
        return best[1]


def _item_text(line: str) -> str:
    return line.strip().removeprefix("- ")


Compose = Callable[[Sequence[str], Sequence[str]], str]
"""A function that makes the text of a theme from items and ids of work units."""


def filled(
    compose: Compose,
    members: Sequence[int],
    observations: Sequence[RawObservation],
    first: Collection[int] = (),
) -> tuple[str, list[int]]:
    """Return the text of a theme, and the members that do not fit, most typical first.

    An item is the whole observation; those in `first` are in the text even if it gets too long.
    Items are in chronological order.
    """

    def text_with(chosen: Collection[int]) -> str:
        items = {index: item_of(observations[index]).full for index in sorted(chosen)}
        units = [observations[index].unit for index in items]
        return compose([*dict.fromkeys(items.values())], units)

    # Repeat until nothing more fits: the id of a later member can shorten an earlier one. So the
    # omitted members never fit afterwards, and a run after a killed one ends as that would have.
    chosen = {index for index in members if index in first}
    pending = [index for index in members if index not in first]
    while (
        fit := next((n for n in pending if words_of(text_with({*chosen, n})) <= THEME_WORDS), None)
    ) is not None:
        chosen.add(fit)
        pending.remove(fit)
    return text_with(chosen), pending


_AND, _OTHERS = " and ", " and others"


class NewTheme(NamedTuple):
    """A theme to write: its title, and its observations by index."""

    title: str
    members: tuple[int, ...]


def fitted(
    new: Sequence[NewTheme], parts: Sequence[NewTheme], room: int
) -> tuple[list[NewTheme], list[int]]:
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


def _rank_by_size(theme: NewTheme) -> int:
    return -len(theme.members)


def _merged(one: NewTheme, other: NewTheme) -> NewTheme:
    """Return two themes as one, with both in the title (of more than two, the first)."""
    if merges_of(one.title) or merges_of(other.title):
        title = one.title.removesuffix(_OTHERS).partition(_AND)[0] + _OTHERS
    else:
        title = f"{one.title}{_AND}{other.title}"
    return NewTheme(title, (*one.members, *other.members))
