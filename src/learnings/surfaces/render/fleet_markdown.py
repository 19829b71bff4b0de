"""A fleet as Markdown, for the summary of a job."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.fleet import Fleet, RepositoryRow
from learnings.surfaces.render import fleet_words
from learnings.surfaces.render.escape import cell

# Rows of the table: a summary may have 1 MiB, and a row with its reason takes some 300 bytes.
_MOST_ROWS = 1000


def render(fleet: Fleet) -> str:
    """Return a heading and a table, most overdue first."""
    return "\n".join(_lines(fleet)) + "\n"


def _lines(fleet: Fleet) -> Iterator[str]:
    yield f"# {fleet_words.summary(fleet)}"
    yield ""
    yield "| repository | memory | errors | tokens | why |"
    yield "|---|---|--:|--:|---|"
    yield from map(_row, fleet.rows[:_MOST_ROWS])
    if len(fleet.rows) > _MOST_ROWS:
        yield ""
        yield f"{len(fleet.rows) - _MOST_ROWS} more are in the document."


def _row(row: RepositoryRow) -> str:
    why = "; ".join(map(cell, row.reasons))
    tokens = f"{row.cost.tokens:,}"
    return f"| {cell(row.name)} | {fleet_words.state(row)} | {row.errors} | {tokens} | {why} |"
