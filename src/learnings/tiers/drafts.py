"""The text of a theme that is written here: as many observations as its budget allows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from learnings.tiers.items import item_of
from learnings.tiers.raw_files import Observation
from learnings.tiers.theme_file import WORDS, ThemeFile, draft_text, words_of

Compose = Callable[[Sequence[str], Sequence[str]], str]
"""A function that makes the text of a theme of items and ids of work units."""


class Draft(NamedTuple):
    """The text of a theme, and the indices of those observations that it has no room for."""

    text: str
    overflow: tuple[int, ...]


def draft_of(
    title: str,
    members: Sequence[int],
    observations: Sequence[Observation],
    *,
    first: Collection[int] = (),
) -> Draft:
    """Return a theme of members, given the most typical first; items are in the order of time.

    Those of `first` have the first claim to room. Where room is left, items say what was seen, too.
    """

    def compose(items: Sequence[str], units: Sequence[str]) -> str:
        return draft_text(title, items, units)

    return _filled(compose, members, observations, first)


def added_to(
    theme: ThemeFile, members: Sequence[int], observations: Sequence[Observation]
) -> Draft:
    """Return a theme that somebody wrote, with items for members behind its text."""
    return _filled(theme.with_items, members, observations, ())


def _filled(
    compose: Compose,
    members: Sequence[int],
    observations: Sequence[Observation],
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

    # Until nothing more fits: an id that a later member brought makes an earlier one shorter. So
    # what is left out never fits afterwards, and a run after one that was killed ends as it would
    # have.
    waiting = sorted(members, key=lambda index: index not in first)
    while True:
        fitting = next(
            (n for n in waiting if words_of(text_with({n: texts[n].short})) <= WORDS), None
        )
        if fitting is None:
            break
        chosen[fitting] = texts[fitting].short
        waiting.remove(fitting)
    for index in members:
        if index in chosen and words_of(text_with({index: texts[index].full})) <= WORDS:
            chosen[index] = texts[index].full
    return Draft(text_with({}), tuple(index for index in members if index not in chosen))
