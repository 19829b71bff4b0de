"""What target files received before: a reason to expect more, the more recent the better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from learnings.consolidation.text.coverage import Texts
from learnings.core.entries.transfers import Transfer, Transfers

IS_RECEIVED = 0.15
"""Share of an entry's pairs of words from which the lines added by its commit hold it."""

HALF_LIFE_OF_GROWTH = 4.0
HALF_LIFE_OF_RECEIPT = 14.0
"""Days after which what happened counts half as much."""

BULK = 150
"""Lines from which a commit counts nothing: it moves text around and files no learnings."""


class Received(NamedTuple):
    """Entries that a file received: their number, the last date, and their weight by age."""

    entries: int
    last: str
    weight: float


class TargetActivity(NamedTuple):
    """What target files received and how many lines they grew lately, both by path."""

    received: Mapping[str, Received] = {}
    growth: Mapping[str, float] = {}


def target_activity_of(history: Transfers) -> TargetActivity:
    """Return what the history of the target files says; ages count from its newest commit."""
    dates = [each.date for each in history.growth] + [each.date for each in history.transfers]
    if not dates:
        return TargetActivity()
    newest = max(dates)
    growth: dict[str, float] = {}
    for each in history.growth:
        if each.lines < BULK:
            lines = each.lines * _faded(each.date, newest, HALF_LIFE_OF_GROWTH)
            growth[each.path] = growth.get(each.path, 0.0) + lines
    received: dict[str, Received] = {}
    for transfer in history.transfers:
        weight = _faded(transfer.date, newest, HALF_LIFE_OF_RECEIPT)
        for path in _receivers(transfer):
            known = received.get(path, Received(0, transfer.date, 0.0))
            last = max(known.last, transfer.date)
            received[path] = Received(known.entries + 1, last, known.weight + weight)
    return TargetActivity(received, growth)


def _receivers(transfer: Transfer) -> Iterator[str]:
    """Yield the file that each entry of a delivery went to, where that can be told."""
    paths = sorted(transfer.added)
    texts = Texts("".join(transfer.added[path]) for path in paths)
    for entry in transfer.entries:
        found = texts.best(entry)
        if found is not None and found.score >= IS_RECEIVED:
            yield paths[found.place]


def _faded(then: str, newest: str, half_life: float) -> float:
    try:
        days = (date.fromisoformat(newest) - date.fromisoformat(then)).days
    except ValueError:
        return 0.0
    return float(0.5 ** (days / half_life))
