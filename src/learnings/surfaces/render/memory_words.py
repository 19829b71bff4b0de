"""Words about a confidence memory that several outputs share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from learnings.app.confidence.state import MemoryState
from learnings.confidence.settings import NEAR_ARCHIVE
from learnings.confidence.values import ACTIVE, AntiPattern, Entry, Memory
from learnings.core.text import counted, number_text, printable

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


def memory_sentence(state: MemoryState) -> str:
    """Return the state of a memory in one line."""
    return f"{printable(state.path)}: {memory_numbers(state)}"


def memory_numbers(state: MemoryState) -> str:
    """Return the same without its path."""
    kinds = [counted(state.active[k], noun) for k, noun in FILE_NOUNS.items() if state.active[k]]
    counts = f"{', '.join(kinds)} active" if kinds else "no active entry"
    near = f"{state.near_archive} near archive (below {number_text(NEAR_ARCHIVE)})"
    waiting = f", {counted(len(state.waiting), 'file')} to curate" if state.waiting else ""
    broken = f", {counted(len(state.problems), 'problem')}" if state.problems else ""
    return f"{counts}, {near}{waiting}{broken}"


def memory_document(state: MemoryState) -> dict[str, object]:
    """Return the state of a memory for JSON."""
    return {
        "path": state.path,
        "active": state.active,
        "near_archive": state.near_archive,
        "waiting": [*state.waiting],
    }


def headline(entry: Entry) -> str:
    """Return what an entry says in the first place."""
    return entry.failed_approach if isinstance(entry, AntiPattern) else entry.text


def as_number(value: Decimal) -> float:
    """Return a confidence for JSON: the shortest text of this float is the decimal itself."""
    return float(value)
