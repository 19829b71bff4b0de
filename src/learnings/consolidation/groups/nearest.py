"""The nearest of an entry."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

NEAREST = 5
"""Entries that are named as the nearest of another one at most."""


def nearest(row: Sequence[float], excluded: Sequence[int]) -> list[int]:
    """Return the places of the closest in a row, closest first; none that are not close at all."""
    values = list(row)
    for one in excluded:
        values[one] = 0.0
    # Picking the bare numbers first is several times as fast as ranking the places.
    last = heapq.nlargest(NEAREST, values)[-1]
    near = [other for other, value in enumerate(values) if value >= last and value > 0]
    return sorted(near, key=lambda other: (-values[other], other))[:NEAREST]
