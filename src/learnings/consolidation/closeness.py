"""How close entries are: words and themes they share, and whether they are of the same day."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.profiles import Profile


class Shares(NamedTuple):
    """What the themes and the day count, where the words count 1.

    Chosen over the files that benchmarks/quality.py names, as described there.
    """

    theme: float = 0.25
    day: float = 0.22


def closeness(profiles: Sequence[Profile], shares: Shares) -> list[array[float]]:
    """Return a number from 0 to 1 for each pair of profiles, as rows that are symmetric."""
    total = 1 + shares.theme + shares.day
    rows = [array("d", bytes(8 * len(profiles))) for _ in profiles]
    _add(rows, [profile.words for profile in profiles], 1 / total)
    _add(rows, [profile.themes for profile in profiles], shares.theme / total)
    days = [{profile.day: 1.0} if profile.day else {} for profile in profiles]
    _add(rows, days, shares.day / total)
    for one, row in enumerate(rows):
        for other in range(one):
            rows[other][one] = row[other]
    return rows


def pair_scores(rows: Sequence[array[float]]) -> Iterator[float]:
    """Yield the number of each pair once."""
    for one, row in enumerate(rows):
        yield from row[:one]


def _add(
    rows: Sequence[array[float]], vectors: Sequence[Mapping[str, float]], share: float
) -> None:
    """Add the products of the vectors to the lower triangle of the rows."""
    postings: dict[str, list[tuple[int, float]]] = {}
    for one, vector in enumerate(vectors):
        row = rows[one]
        for key, value in vector.items():
            posted = postings.setdefault(key, [])
            weight = share * value
            for other, others in posted:
                row[other] += weight * others
            posted.append((one, value))
