"""What changed between two states of a memory, as edits of its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.confidence.documents.entries import (
    ANTI_PATTERNS,
    PRINCIPLES,
    PROCEDURES,
    EntryFile,
)
from learnings.confidence.values import Entry, Memory
from learnings.core.yaml.editing import AddItem, Edit, Path, SetValue
from learnings.core.yaml.emitting import Plain, Value

_NOT_WRITTEN = ("line",)
_PLAIN = {"id", "created", "last_reinforced"}


def entries_under(memory: Memory, key: str) -> tuple[Entry, ...]:
    """Return the entries of the file with a key."""
    files: dict[str, tuple[Entry, ...]] = {
        PRINCIPLES: memory.principles,
        ANTI_PATTERNS: memory.anti_patterns,
        PROCEDURES: memory.procedures,
    }
    return files[key]


def edits_of(file: EntryFile, key: str, before: Sequence[Entry], after: Sequence[Entry]) -> Edits:
    """Return the edits that make a file with the entries before one with those after.

    An entry is known by its id; one that is not in the file is added at its end.
    """
    root: Path = () if file.is_list else (key,)
    old = {entry.id: entry for entry in reversed(before)}
    edits: list[Edit] = []
    for entry in after:
        if entry.id not in file.indexes:
            edits.append(AddItem(root, _written(entry)))
        elif entry.id in old and entry != old[entry.id]:
            path = (*root, file.indexes[entry.id])
            edits += _changed(old[entry.id], entry, path)
    return edits


Edits = list[Edit]


def _changed(before: Entry, after: Entry, path: Path) -> Iterator[Edit]:
    fields = after._asdict()
    for name, value in before._asdict().items():
        if name not in _NOT_WRITTEN and fields[name] != value:
            yield SetValue(path, name, _value(name, fields[name]))


def _written(entry: Entry) -> dict[str, Value]:
    """Return all fields of a new entry, empty ones too: who reads it finds each of them."""
    fields = entry._asdict().items()
    return {name: _value(name, value) for name, value in fields if name not in _NOT_WRITTEN}


def _value(name: str, value: object) -> Value:
    if isinstance(value, tuple):
        return list(value)
    return Plain(value) if name in _PLAIN and isinstance(value, str) else value
