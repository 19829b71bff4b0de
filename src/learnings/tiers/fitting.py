"""How observations fit into themes within a budget of words, and themes into the lines of INDEX."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from learnings.consolidation.text.coverage import Texts
from learnings.tiers.raw_files import RawObservation, item_of
from learnings.tiers.theme_files import (
    COLLECTED,
    DRAFT,
    THEME_WORDS,
    ThemeFile,
    draft_text,
    words_of,
)

COVERED = 0.15
"""Share of an observation from which the text of a theme covers it: what `learnings precheck` calls
perhaps covered, since those who wrote the theme had the observation before them."""


class Placed:
    """Where observations stand: as an item of a theme, or covered by a text that somebody wrote.

    home has for each observation the name of its theme, None for none: what a collected theme has
    is free for another one. texts are, by name, the words that somebody wrote: of themes without a
    mark, without the items of observations.
    """

    def __init__(self, observations: Sequence[RawObservation], themes: Sequence[ThemeFile]) -> None:
        items = {text for observation in observations for text in item_of(observation)}
        by_item: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        for theme in themes:
            own = [item for item in map(_item_text, theme.plain) if item in items]
            if theme.mark == COLLECTED:
                continue
            by_item = dict.fromkeys(own, theme.name) | by_item
            if not theme.mark or len(own) < theme.items:
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
        sections = {name: Texts([text]) for name, text in self.texts.items()}
        for index, observation in enumerate(observations):
            if self.home[index] is None:
                self.home[index] = self._cover(observation, sections)

    def is_read(self, observation: RawObservation, name: str) -> bool:
        """Return True if who wrote a theme has had the work unit before them: it says so."""
        return (name, observation.unit) in self._read

    def _cover(self, observation: RawObservation, sections: Mapping[str, Texts]) -> str | None:
        """Return the name of the theme whose text covers an observation, or None."""
        for name, section in sections.items():
            texts = (observation.text, observation.rule) if self.is_read(observation, name) else ()
            covered = filter(None, map(section.best_of_text, texts))
            if any(text.score >= COVERED for text in covered):
                return name
        return None


def _item_text(line: str) -> str:
    return line.strip().removeprefix("- ")


Compose = Callable[[Sequence[str], Sequence[str]], str]
"""A function that makes the text of a theme of items and ids of work units."""


class Draft(NamedTuple):
    """The text of a theme, and the indices of those observations that it has no room for."""

    text: str
    overflow: tuple[int, ...]


def draft_of(
    title: str,
    members: Sequence[int],
    observations: Sequence[RawObservation],
    *,
    first: Collection[int] = (),
    mark: str = DRAFT,
) -> Draft:
    """Return a theme of members, given the most typical first; items are in the order of time.

    Those of `first` have the first claim to room. Where room is left, items say what was seen, too.
    """
    return _filled(partial(draft_text, title, mark=mark), members, observations, first)


def added_to(
    theme: ThemeFile, members: Sequence[int], observations: Sequence[RawObservation]
) -> Draft:
    """Return a theme that somebody wrote, with items for members behind its text."""
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

    # Until nothing more fits: an id that a later member brought makes an earlier one shorter. So
    # what is left out never fits afterwards, and a run after one that was killed ends as it would
    # have.
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
    """A theme that is to be written: its title, and its observations by index."""

    title: str
    members: tuple[int, ...]


def fitted(
    new: Sequence[NewTheme], parts: Sequence[NewTheme], room: int
) -> tuple[list[NewTheme], list[int]]:
    """Return themes for so many lines, and the observations of those that have none.

    The smallest become one, where there is a line at all.
    parts are what had no room in another theme; where lines are short they are left out first, the
    smallest before others. What is left of the themes after some were written gives the others.
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
    """Return how many themes the title of one names: 0 for one, 1 for two, 2 for more."""
    return 2 if title.endswith(_OTHERS) else int(_AND in title)


def _rank_by_size(theme: NewTheme) -> int:
    return -len(theme.members)


def _merged(one: NewTheme, other: NewTheme) -> NewTheme:
    """Return two themes as one, with a title that names both (of more than two, the first)."""
    if merges_of(one.title) or merges_of(other.title):
        title = one.title.removesuffix(_OTHERS).partition(_AND)[0] + _OTHERS
    else:
        title = f"{one.title}{_AND}{other.title}"
    return NewTheme(title, (*one.members, *other.members))
