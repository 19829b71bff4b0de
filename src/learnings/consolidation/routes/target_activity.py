"""What target files received before, which makes it likely that they receive more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from learnings.consolidation.text.coverage import Texts
from learnings.core.entries.transfers import Transfer, Transfers

MIN_RECEIVED_SHARE = 0.15
"""Share of an entry's pairs of words from which the lines added by its commit contain it: as for
perhaps redundant entries (benchmarks/README.md, Pre-checks: precision 1.00)."""

HALF_LIFE_OF_GROWTH, HALF_LIFE_OF_RECEIPT = 4.0, 14.0
"""Days after which an event counts half as much. Chosen over five consolidations, in the middle of
the values between which nothing changes beyond chance (benchmarks/README.md, Routes)."""

BULK_LINES = 150
"""Added lines from which a commit does not count: it moves text and adds no learnings. Chosen over
the same five consolidations."""


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
    dates = [commit.date for commit in history.growth]
    dates += [transfer.date for transfer in history.transfers]
    if not dates:
        return TargetActivity()
    newest = max(dates)
    growth: dict[str, float] = {}
    for commit in history.growth:
        if commit.lines < BULK_LINES:
            lines = commit.lines * _faded(commit.date, newest, HALF_LIFE_OF_GROWTH)
            growth[commit.path] = growth.get(commit.path, 0.0) + lines
    received: dict[str, Received] = {}
    for transfer in history.transfers:
        weight = _faded(transfer.date, newest, HALF_LIFE_OF_RECEIPT)
        for path in _receivers(transfer):
            known = received.get(path, Received(0, transfer.date, 0.0))
            last = max(known.last, transfer.date)
            received[path] = Received(known.entries + 1, last, known.weight + weight)
    return TargetActivity(received, growth)


def _receivers(transfer: Transfer) -> Iterator[str]:
    """Yield the file that each entry of a transfer went to, where that is clear."""
    paths = sorted(transfer.added)
    texts = Texts("".join(transfer.added[path]) for path in paths)
    for entry in transfer.entries:
        covered = texts.best(entry)
        if covered is not None and covered.score >= MIN_RECEIVED_SHARE:
            yield paths[covered.text_index]


def _faded(then: str, newest: str, half_life: float) -> float:
    try:
        days = (date.fromisoformat(newest) - date.fromisoformat(then)).days
    except ValueError:
        return 0.0
    return float(0.5 ** (days / half_life))
