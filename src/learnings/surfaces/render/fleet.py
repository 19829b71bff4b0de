"""A fleet of memories in each format, most overdue first.

JSON is the document `learnings.fleet/1`, which `fleet merge` reads.
"""

from __future__ import annotations

from learnings.app.fleet import ABSENT, ERRORS, HEALTHY, STATES, UNKNOWN, Fleet, RepositoryRow
from learnings.core.due.verdicts import DUE, STARVED
from learnings.core.text import counted
from learnings.surfaces.render.writing import Code, Part, Row, html_page, line, markdown, rows, text

_STATE_NAMES = {
    DUE: "due",
    UNKNOWN: "could not be judged",
    ERRORS: "with errors",
    STARVED: "starved",
    HEALTHY: "healthy",
    ABSENT: "without a memory",
}


def summary_line(fleet: Fleet) -> str:
    """Return the number of repositories in each state: `50 repositories: 3 due, …`."""
    counts = (
        f"{fleet.count(state)} {words}"
        for state, words in _STATE_NAMES.items()
        if fleet.count(state)
    )
    total = counted(len(fleet.rows), "repository", "repositories")
    return f"{total}: {', '.join(counts)}" if fleet.rows else total


def state_words(row: RepositoryRow) -> str:
    return f"due for {counted(row.overdue, 'active day')}" if row.overdue else row.state


# Rows of the table: a summary may have 1 MiB, and a row with its reason takes about 300 bytes.
_MOST_TABLE_ROWS = 1000
_COLUMNS = ("repository", "memory", ":errors", ":tokens", "why")


def as_text(fleet: Fleet) -> str:
    return text([[line(summary_line(fleet)), rows((), [*map(_row, fleet.rows)])]])


def as_markdown(fleet: Fleet) -> str:
    parts: list[Part] = [rows(_COLUMNS, [*map(_row, fleet.rows[:_MOST_TABLE_ROWS])])]
    more = len(fleet.rows) - _MOST_TABLE_ROWS
    if more > 0:
        parts.append(line(f"{more} more are in the JSON document."))
    return markdown(summary_line(fleet), [parts])


def _row(row: RepositoryRow) -> Row:
    memory, size = state_words(row), ""
    if row.files:
        entries = counted(row.entries, "entry", "entries")
        size = f"; {entries} in {counted(row.lines, 'line')}, about {row.tokens:,} tokens"
    lines = [f"{row.name}: {memory}{size}"]
    lines += (f"  {reason}" for reason in row.reasons if row.state != HEALTHY)
    why = tuple(piece for reason in row.reasons for piece in ("; ", Code(reason)))[1:]
    cells = (Code(row.name), memory, str(row.errors), f"{row.tokens:,}", why)
    return lines, cells


# Rows of the page: a browser shows more only slowly; the JSON document has all.
MOST_PAGE_ROWS = 2000


def as_html(fleet: Fleet) -> str:
    troubles = [state for state in (DUE, UNKNOWN, ERRORS) if fleet.count(state)]
    parts = [f"{fleet.count(state)} {_STATE_NAMES[state]}" for state in troubles]
    return html_page(
        "fleet.html",
        fleet=fleet,
        level="warning" if troubles else "good",
        shares=[(state, fleet.count(state)) for state in STATES if fleet.count(state)],
        rows=fleet.rows[:MOST_PAGE_ROWS],
        more=max(len(fleet.rows) - MOST_PAGE_ROWS, 0),
        headline=", ".join(parts) or "No memory needs attention",
        state_name=_STATE_NAMES.get,
        state_words=state_words,
        healthy=HEALTHY,
    )
