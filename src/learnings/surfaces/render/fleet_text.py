"""A fleet as text: what there is of each state, then a line for each repository."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.fleet import HEALTHY, Fleet
from learnings.core.text import printable
from learnings.surfaces.render import fleet_words


def render(fleet: Fleet) -> str:
    """Return the summary and the repositories, most overdue first; reasons where there is one."""
    return "".join(f"{printable(line)}\n" for line in _lines(fleet))


def _lines(fleet: Fleet) -> Iterator[str]:
    yield fleet_words.summary(fleet)
    for row in fleet.rows:
        size = fleet_words.size(row)
        yield f"{row.name}: {fleet_words.state(row)}{f'; {size}' if size else ''}"
        if row.state != HEALTHY:
            yield from (f"  {reason}" for reason in row.reasons)
