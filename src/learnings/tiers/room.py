"""What becomes of new themes where INDEX has no line left for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_AND, _OTHERS = " and ", " and others"


class NewTheme(NamedTuple):
    """A theme that is to be written: its title, and its observations by index."""

    title: str
    members: tuple[int, ...]


class Fitted(NamedTuple):
    """The themes that have a line, and the observations of those that have none."""

    themes: tuple[NewTheme, ...]
    homeless: tuple[int, ...] = ()


def fitted(new: Sequence[NewTheme], parts: Sequence[NewTheme], room: int) -> Fitted:
    """Return themes for so many lines: the smallest become one, where there is a line at all.

    parts are what had no room in another theme; where lines are short they are left out first, the
    smallest before others. What is left of the themes after some were written gives the others.
    """
    themes = sorted(new, key=_size)
    if themes and room < 1:
        return Fitted((), tuple(index for theme in themes for index in theme.members))
    while len(themes) > max(room, 0):
        themes[-2:] = [_merged(*themes[-2:])]
        themes.sort(key=_size)
    ordered = sorted(parts, key=lambda part: (_size(part), part.members))
    return Fitted((*themes, *ordered[: max(room - len(new), 0)]))


def merges_of(title: str) -> int:
    """Return how many themes the title of one names: 0 for one, 1 for two, 2 for more."""
    return 2 if title.endswith(_OTHERS) else int(_AND in title)


def _size(theme: NewTheme) -> int:
    return -len(theme.members)


def _merged(one: NewTheme, other: NewTheme) -> NewTheme:
    """Return two themes as one; its title names both, of more than two the first."""
    if merges_of(one.title) or merges_of(other.title):
        title = one.title.removesuffix(_OTHERS).partition(_AND)[0] + _OTHERS
    else:
        title = f"{one.title}{_AND}{other.title}"
    return NewTheme(title, (*one.members, *other.members))
