"""Words about a confidence memory that several outputs share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from learnings.confidence.values import ACTIVE, AntiPattern, Entry, Memory
from learnings.core.text import counted

FILE_NOUNS = {
    "principles": "principle",
    "anti_patterns": "anti-pattern",
    "procedures": "procedure",
}
"""What one entry is called, by the key of its file."""


def active_entries(memory: Memory) -> Mapping[str, int]:
    """Return the number of active entries by the key of their file."""
    files: dict[str, Sequence[Entry]] = dict(memory._asdict())
    return {key: sum(entry.status == ACTIVE for entry in entries) for key, entries in files.items()}


def active_counts(memory: Memory) -> str:
    """Return `3 principles, 1 anti-pattern, 0 procedures active`."""
    numbers = active_entries(memory)
    return ", ".join(counted(numbers[key], noun) for key, noun in FILE_NOUNS.items()) + " active"


def headline(entry: Entry) -> str:
    """Return what an entry says in the first place."""
    return entry.failed_approach if isinstance(entry, AntiPattern) else entry.text


def as_number(value: Decimal) -> float:
    """Return a confidence for JSON: the shortest text of this float is the decimal itself."""
    return float(value)
