"""Recipes for groups, from plain to rich, each with the constants to try."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, combinations, product
from typing import NamedTuple

from learnings.consolidation.groups import partition
from learnings.consolidation.groups.groups import NEAREST
from learnings.consolidation.groups.partition import (
    Levels,
    Profile,
    clusters_of,
    levels_of,
    profiles,
    similarities,
    similarity,
)
from learnings.core.entries.document import Entry
from learnings.core.entries.origin import is_consolidated


class Recipe(NamedTuple):
    """The constants of word weights, see groups/partition.py; the product's are the defaults."""

    title_bonus: float = partition.TITLE_BONUS
    other_entries: int = partition.OTHER_ENTRIES
    chance: float = partition.CHANCE


class Nearness(NamedTuple):
    """The bonus of entries written near each other, see groups/partition.py."""

    share: float = partition.NEAR_IN_TIME
    fade: float = partition.FADE


RECIPE, NEARNESS = Recipe(), Nearness()
SHIPPED = "the recipe"
PLAIN = Recipe(title_bonus=0.0, other_entries=1, chance=0.0)
NO_NEARNESS = Nearness(share=0.0)
_JOINT = re.compile(r"(?<=[^\W\d])[_-](?=[^\W\d])|(?<=[a-z0-9])(?=[A-Z])")  # in an identifier

Proposal = tuple[list[list[int]], dict[int, list[int]]]
"""The groups, and the nearest of each entry, by the first lines of entries."""


class Choice(NamedTuple):
    """The constants of a variant."""

    recipe: Recipe = RECIPE
    nearness: Nearness = NEARNESS
    levels: Levels = levels_of(0.5)


class Variant(NamedTuple):
    """A way to propose groups, and the choices of constants to try."""

    propose: Callable[[Sequence[Entry], Choice], Proposal]
    choices: tuple[Choice, ...]


class Shape(NamedTuple):
    """The differences between a variant and the recipe, besides constants."""

    text: Callable[[Entry], Entry] = lambda entry: entry
    profile: Callable[[Profile], Profile] = lambda profile: profile
    products: bool = False
    shares: bool = False
    parts: bool = True


@contextmanager
def constants(choice: Choice) -> Iterator[None]:
    """Set the constants of a choice in the product's modules while the context lasts."""
    before = vars(partition).copy()
    try:
        vars(partition).update(
            TITLE_BONUS=choice.recipe.title_bonus,
            OTHER_ENTRIES=choice.recipe.other_entries,
            CHANCE=choice.recipe.chance,
            NEAR_IN_TIME=choice.nearness.share,
            FADE=choice.nearness.fade,
        )
        yield
    finally:
        vars(partition).update(before)


def proposing(shape: Shape) -> Callable[[Sequence[Entry], Choice], Proposal]:
    """Return a way to propose groups as the command does, except for the shape."""

    def propose(entries: Sequence[Entry], choice: Choice) -> Proposal:
        ordered = sorted(entries, key=lambda entry: (entry.stated or "", entry.text))
        profiled = [
            shape.profile(p) for p in profiles(list(map(shape.text, ordered)), with_parts=True)
        ]
        taken = [
            index
            for index, entry in enumerate(ordered)
            if shape.products or not is_consolidated(entry)
        ]
        candidates = [profiled[index] for index in taken]
        levels = _shared(candidates, choice) if shape.shares else choice.levels
        clusters = clusters_of(candidates, levels)
        lines = [entry.first for entry in ordered]
        return (
            [[lines[taken[index]] for index in cluster] for cluster in clusters],
            _nearest(profiled, taken, lines, parts=shape.parts),
        )

    return propose


def _shared(candidates: Sequence[Profile], choice: Choice) -> Levels:
    """Return the levels that a given share of all pairs of a file reaches."""
    ranked = sorted(
        (similarity(one, other) for one, other in combinations(candidates, 2)), reverse=True
    )
    return Levels(*(ranked[int(share * len(ranked))] for share in choice.levels[:2]))


def _nearest(
    profiled: Sequence[Profile],
    taken: Sequence[int],
    lines: Sequence[int],
    *,
    parts: bool,
) -> dict[int, list[int]]:
    vectors = [profile.parts if parts else profile.words for profile in profiled]
    rows = similarities(vectors, [profile.day for profile in profiled])
    return {
        line: [lines[index] for index in sorted(taken, key=row.__getitem__, reverse=True)][:NEAREST]
        for line, row in zip(lines, rows, strict=True)
    }


def literal(entries: Sequence[Entry], _choice: Choice) -> Proposal:
    """Group by two shared words, literally: all linked entries form one group."""
    profiled = profiles(entries)
    near = [
        {n for n, other in enumerate(profiled) if len(one.words.keys() & other.words.keys()) > 1}
        for one in profiled
    ]
    groups: list[set[int]] = []
    for index, others in enumerate(near):
        linked = [group for group in groups if group & others]
        groups = [group for group in groups if group not in linked]
        groups.append({index}.union(*linked))
    lines = [entry.first for entry in entries]
    return (
        [[lines[index] for index in sorted(group)] for group in groups if len(group) > 1],
        _nearest(profiled, range(len(lines)), lines, parts=False),
    )


def _split(entry: Entry) -> Entry:
    """Return the entry with its identifiers split into words."""
    lines = tuple(_JOINT.sub(" ", line) for line in entry.lines)
    return entry._replace(title=_JOINT.sub(" ", entry.title), lines=lines)


def _without_common(profile: Profile) -> Profile:
    """Return the profile without words that occur all over the file."""
    return profile._replace(words=_kept(profile.words, profile.discriminative))


def _kept(words: Mapping[str, float], keys: frozenset[str]) -> dict[str, float]:
    kept = {key: value for key, value in words.items() if key in keys}
    length = math.hypot(*kept.values()) or 1.0
    return {key: value / length for key, value in kept.items()}


def _levels(
    recipe: Recipe, nearness: Nearness, pairs: Sequence[float] = (1.0, 1.25, 1.5, 2.0)
) -> tuple[Choice, ...]:
    """Return choices of levels, from many groups to few."""
    steps = (0.10, 0.125, 0.15, 0.175, 0.20, 0.225, 0.25, 0.275, 0.30, 0.35)
    return tuple(
        Choice(recipe, nearness, Levels(group, times * group))
        for group, times in product(steps, pairs)
    )


_RICH = _levels(RECIPE, NEARNESS)
_SHARES = tuple(
    Choice(levels=Levels(group, times * group))
    for group, times in product((0.01, 0.02, 0.03, 0.05, 0.08), (0.4, 0.6, 0.8))
)
_CONSTANTS = tuple(
    chain.from_iterable(
        _levels(Recipe(bonus, 30, 0.5), Nearness(share, 5.0), (1.5,))
        for bonus, share in product((0.4, 0.8, 1.2), (0.05, 0.10, 0.20))
    )
)
_TITLES = Recipe(other_entries=1, chance=0.0)

VARIANTS: dict[str, Variant] = {
    "two shared words": Variant(literal, (Choice(PLAIN, NO_NEARNESS),)),
    "TF-IDF": Variant(proposing(Shape(products=True)), _levels(PLAIN, NO_NEARNESS)),
    "TF-IDF without products": Variant(proposing(Shape()), _levels(PLAIN, NO_NEARNESS)),
    "the same and titles": Variant(proposing(Shape()), _levels(_TITLES, NO_NEARNESS)),
    "the same and chance": Variant(proposing(Shape()), _levels(RECIPE, NO_NEARNESS)),
    SHIPPED: Variant(proposing(Shape()), (Choice(),)),
    "the recipe, levels": Variant(proposing(Shape()), _RICH),
    "the recipe, all constants": Variant(proposing(Shape()), _CONSTANTS),
    "the recipe, nearest by all words": Variant(proposing(Shape(parts=False)), (Choice(),)),
    "the recipe, identifiers split": Variant(proposing(Shape(text=_split)), _RICH),
    "the recipe, no common words": Variant(proposing(Shape(profile=_without_common)), _RICH),
    "the recipe, shares of pairs": Variant(proposing(Shape(shares=True)), _SHARES),
}
