"""The memories of many repositories: rows, merged to one table, divided among jobs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

DUE, UNKNOWN, ERRORS = "due", "unknown", "errors"
STARVED, HEALTHY, ABSENT = "starved", "healthy", "absent"
STATES = (DUE, UNKNOWN, ERRORS, STARVED, HEALTHY, ABSENT)
"""The states of a repository's memory, in table order.

unknown: no verdict was possible; errors: rules have findings; absent: there is no memory.
"""

AnyItem = TypeVar("AnyItem")

MOST_JOBS = 256  # jobs of one matrix, https://docs.github.com/actions/reference/limits


class RepositoryRow(NamedTuple):
    """The memory of one repository; state is one of STATES, and reasons explain it.

    overdue is in active days; words and tokens are the amounts a session loads.
    """

    name: str
    state: str
    reasons: tuple[str, ...] = ()
    overdue: int = 0
    files: int = 0
    entries: int = 0
    lines: int = 0
    words: int = 0
    tokens: int = 0
    errors: int = 0
    notices: int = 0
    as_of: str | None = None


class Fleet(NamedTuple):
    """The memories of many repositories, most overdue first."""

    rows: tuple[RepositoryRow, ...]

    def count(self, state: str) -> int:
        return sum(row.state == state for row in self.rows)

    @property
    def words(self) -> int:
        return sum(row.words for row in self.rows)

    @property
    def tokens(self) -> int:
        return sum(row.tokens for row in self.rows)


def merged(fleets: Iterable[Fleet]) -> Fleet:
    """Join fleets; if a repository appears twice, the row with the later active day wins."""

    def recency(row: RepositoryRow) -> tuple[object, ...]:
        return (row.as_of or "", *row._replace(as_of=row.as_of or ""))

    rows: dict[str, RepositoryRow] = {}
    for fleet in fleets:
        for row in fleet.rows:
            old = rows.get(row.name)
            # Compare whole rows, so that the order of the fleets makes no difference.
            rows[row.name] = row if old is None else max(old, row, key=recency)
    by_state = sorted(
        rows.values(), key=lambda r: (STATES.index(r.state), -r.overdue, -r.errors, r.name)
    )
    return Fleet(tuple(by_state))


def shards(items: Sequence[AnyItem], *, most: int = MOST_JOBS) -> list[tuple[AnyItem, ...]]:
    """Divide repositories evenly among at most `most` jobs, keeping their order."""
    jobs = min(len(items), most)
    bounds = [len(items) * number // jobs for number in range(jobs + 1)] if jobs else [0]
    return [tuple(items[a:b]) for a, b in pairwise(bounds)]
