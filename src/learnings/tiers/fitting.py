"""Fitting observations into themes of limited words, and themes into the lines of INDEX."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.similarity import Texts
from learnings.tiers.raw_files import RawObservation, item_of
from learnings.tiers.tier_files import THEME_WORDS, ThemeFile, draft_text, words_of

COVERED = 0.15
"""Share of an observation at which a theme's text covers it, as in `learnings precheck`.

That command says "perhaps covered"; here the authors of the theme knew the observation.
"""


class Placed:
    """The places of observations: an item of a theme, or covered by a text somebody wrote.

    home has the theme name of each observation, or None. texts are, by name, the words that people
    wrote: the text of themes that are no drafts, without the items of observations.
    """

    def __init__(self, observations: Sequence[RawObservation], themes: Sequence[ThemeFile]) -> None:
        items = {text for observation in observations for text in item_of(observation)}
        by_item: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        for theme in themes:
            own = [item for item in map(_item_text, theme.plain) if item in items]
            by_item = dict.fromkeys(own, theme.name) | by_item
            if not theme.is_draft or len(own) < theme.items:
                lines = (line for line in theme.body.split("\n") if _item_text(line) not in items)
                self.texts[theme.name] = "\n".join(lines)
        self.home = [
            next((by_item[text] for text in item_of(observation) if text in by_item), None)
            for observation in observations
        ]
        with_items = {
            (home, observation.unit)
            for home, observation in zip(self.home, observations, strict=True)
        }
        units = {theme.name: {unit for unit, _ in theme.units} for theme in themes}
        self._read = {
            (name, unit)
            for name in self.texts
            for unit in units[name]
            if (name, unit) not in with_items
        }
        sections = {name: (Texts([text]), {*keys(text)}) for name, text in self.texts.items()}
        for index, observation in enumerate(observations):
            if self.home[index] is None:
                self.home[index] = self._cover(observation, sections)

    def is_read(self, observation: RawObservation, name: str) -> bool:
        """Return True if a theme says that its author has read the work unit."""
        return (name, observation.unit) in self._read

    def _cover(
        self, observation: RawObservation, sections: Mapping[str, tuple[Texts, set[str]]]
    ) -> str | None:
        """Return the name of the theme whose text covers an observation, or None.

        A text that shortens it has half of the words of its rule.
        """
        said = {*keys(observation.rule or observation.description)}
        for name, (section, words) in sections.items():
            texts = (observation.text, observation.rule) if self.is_read(observation, name) else ()
            covered = filter(None, map(section.best_of_text, texts))
            is_short = len(said & words) >= max(2, len(said) / 2)
            if texts and (is_short or any(text.score >= COVERED for text in covered)):
                return name
        return None


def _item_text(line: str) -> str:
    return line.strip().removeprefix("- ")


Compose = Callable[[Sequence[str], Sequence[str]], str]
"""A function that makes the text of a theme from items and ids of work units."""


class Draft(NamedTuple):
    """The text of a theme, and the indices of the observations that do not fit."""

    text: str
    overflow: tuple[int, ...]


def draft_of(
    title: str,
    members: Sequence[int],
    observations: Sequence[RawObservation],
    *,
    first: Collection[int] = (),
) -> Draft:
    """Return a theme of members, given most typical first; items are in chronological order.

    Members in `first` have the first claim to room. If room is left, items include their details.
    """
    return _filled(partial(draft_text, title), members, observations, first)


def added_to(
    theme: ThemeFile, members: Sequence[int], observations: Sequence[RawObservation]
) -> Draft:
    """Return a theme that somebody wrote, with items for members after its text."""
    return _filled(theme.with_items, members, observations, ())


def _filled(
    compose: Compose,
    members: Sequence[int],
    observations: Sequence[RawObservation],
    first: Collection[int],
) -> Draft:
    texts = {index: item_of(observations[index]) for index in members}
    chosen: dict[int, str] = {}

    def text_with(extra: dict[int, str]) -> str:
        items = {**chosen, **extra}
        order = sorted(items)
        return compose(
            list(dict.fromkeys(items[index] for index in order)),
            [observations[index].unit for index in order],
        )

    def fits(extra: dict[int, str]) -> bool:
        return words_of(text_with(extra)) <= THEME_WORDS

    # Repeat until nothing more fits: the id of a later member can shorten an earlier one. So the
    # omitted members never fit afterwards, and a run after a killed one ends as that would have.
    pending = sorted(members, key=lambda index: index not in first)
    while (fit := next((n for n in pending if fits({n: texts[n].short})), None)) is not None:
        chosen[fit] = texts[fit].short
        pending.remove(fit)
    for index in members:
        if index in chosen and fits({index: texts[index].full}):
            chosen[index] = texts[index].full
    return Draft(text_with({}), tuple(index for index in members if index not in chosen))


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
