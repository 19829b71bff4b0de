"""What target files received before, and when they changed last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from learnings.consolidation.text.coverage import Texts
from learnings.core.due.history_facts import Transfer, Transfers

MIN_RECEIVED_SHARE = 0.15
"""Share of an entry's pairs of words from which the lines added by its commit contain it: as for
perhaps redundant entries (benchmarks/README.md, Pre-checks: precision 1.00)."""


class Received(NamedTuple):
    """Entries that a file received: their number, and the last date."""

    entries: int
    last: str


class TargetActivity(NamedTuple):
    """What target files received, and the date of the last commit of each, both by path."""

    received: Mapping[str, Received] = {}
    last_commits: Mapping[str, str] = {}

    def entries_received(self, path: str) -> int:
        """Return the number of entries that a file received so far."""
        return self.received[path].entries if path in self.received else 0

    def recencies(self) -> dict[str, float]:
        """Return 1 / (1 + days from a file's last commit to the newest of all), by path."""
        days = {path: date.fromisoformat(last) for path, last in self.last_commits.items()}
        newest = max(days.values(), default=date.min)
        return {path: 1 / (1 + (newest - day).days) for path, day in days.items()}


def target_activity_of(history: Transfers) -> TargetActivity:
    """Return what the history of the target files says."""
    received: dict[str, Received] = {}
    for transfer in history.transfers:
        for path in _receivers(transfer):
            known = received.get(path, Received(0, transfer.date))
            received[path] = Received(known.entries + 1, max(known.last, transfer.date))
    return TargetActivity(received, history.last_commits)


def _receivers(transfer: Transfer) -> Iterator[str]:
    """Yield the file that each entry of a transfer went to, where that is clear."""
    paths = sorted(transfer.added)
    texts = Texts("".join(transfer.added[path]) for path in paths)
    for entry in transfer.entries:
        covered = texts.best(entry)
        if covered is not None and covered.score >= MIN_RECEIVED_SHARE:
            yield paths[covered.text_index]
