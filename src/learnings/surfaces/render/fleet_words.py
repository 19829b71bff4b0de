"""A fleet in words, shared by the formats."""

from __future__ import annotations

from learnings.core.fleet import (
    ABSENT,
    DUE,
    ERRORS,
    HEALTHY,
    STARVED,
    UNKNOWN,
    Fleet,
    RepositoryRow,
)
from learnings.core.text import counted

_WORDS = {
    DUE: "due",
    UNKNOWN: "could not be judged",
    ERRORS: "with errors",
    STARVED: "starved",
    HEALTHY: "healthy",
    ABSENT: "without a memory",
}


def summary(fleet: Fleet) -> str:
    """Return how many repositories there are of each state: `50 repositories: 3 due, …`."""
    counts = (
        f"{fleet.count(state)} {words}" for state, words in _WORDS.items() if fleet.count(state)
    )
    total = counted(len(fleet.rows), "repository", "repositories")
    return f"{total}: {', '.join(counts)}" if fleet.rows else total


def headline(fleet: Fleet) -> str:
    """Return what matters most about a fleet, in a few words."""
    troubles = (DUE, UNKNOWN, ERRORS)
    parts = [f"{fleet.count(state)} {_WORDS[state]}" for state in troubles if fleet.count(state)]
    return ", ".join(parts) or "No memory needs anything"


def name(state: str) -> str:
    """Return a state in words, after a number."""
    return _WORDS[state]


def state(row: RepositoryRow) -> str:
    """Return what the memory of a repository is, and for how long consolidation has been due."""
    return f"due for {counted(row.overdue, 'active day')}" if row.state == DUE else row.state


def size(row: RepositoryRow) -> str:
    """Return how large a memory is; empty where there is none."""
    if not row.files:
        return ""
    entries = counted(row.entries, "entry", "entries")
    return f"{entries} in {counted(row.lines, 'line')}, about {row.cost.tokens:,} tokens"
