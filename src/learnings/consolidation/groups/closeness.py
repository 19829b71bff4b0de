"""How close entries are: shared words and themes, and the same day."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.profiles import Profile


class Weights(NamedTuple):
    """How much the themes and the day count, where the words count 1.

    Chosen over the six passes at hand, each left out in turn (benchmarks/README.md, Groups); on
    five passes that were not at hand, neither helped.
    """

    theme: float = 0.25
    day: float = 0.22


def closeness(profiles: Sequence[Profile], weights: Weights) -> list[array[float]]:
    """Return a number from 0 to 1 for each pair of profiles, as rows that are symmetric."""
    total = 1 + weights.theme + weights.day
    days: list[Mapping[str, float]] = [
        {profile.day: 1.0} if profile.day else {} for profile in profiles
    ]
    weighted: list[tuple[list[Mapping[str, float]], float]] = [
        ([profile.words for profile in profiles], 1 / total),
        ([profile.themes for profile in profiles], weights.theme / total),
        (days, weights.day / total),
    ]
    count = len(profiles)
    flat = array("d", bytes(8 * count * count))
    for one, row in enumerate(_sums(weighted, count)):
        flat[one * count : one * count + one] = row
        flat[one : one * count : count] = row
    return [flat[start : start + count] for start in range(0, count * count, count or 1)]


def pair_scores(rows: Sequence[array[float]]) -> array[float]:
    """Return the closeness of each pair once."""
    scores = array("d")
    for one, row in enumerate(rows):
        scores.extend(row[:one])
    return scores


def _sums(
    weighted: Sequence[tuple[Sequence[Mapping[str, float]], float]], count: int
) -> Iterator[array[float]]:
    """Yield for each vector its products with the vectors before it."""
    postings: list[dict[str, list[tuple[int, float]]]] = [{} for _ in weighted]
    for one in range(count):
        row = [0.0] * one
        for (vectors, share), posted in zip(weighted, postings, strict=True):
            for key, value in vectors[one].items():
                others = posted.setdefault(key, [])
                weight = share * value
                for other, other_value in others:
                    row[other] += weight * other_value
                others.append((one, value))
        yield array("d", row)
