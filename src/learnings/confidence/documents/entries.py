"""The three memory files: read as entries, and changed by edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from learnings.confidence.documents.fields import DocumentProblem, Fields, items_of, root_of
from learnings.confidence.values import (
    ACTIVE,
    LOWEST_SEVERITY,
    SEVERITIES,
    STATUSES,
    UNUSABLE,
    AntiPattern,
    Principle,
    Procedure,
    ScoredEntry,
)
from learnings.core.yaml.editing import AddItem, PlainText, SetValue, YamlEdit, YamlPath, YamlValue
from learnings.core.yaml.nodes import YamlList

PRINCIPLES, ANTI_PATTERNS, PROCEDURES = "principles", "anti_patterns", "procedures"


class EntryFile(NamedTuple):
    """The contents of a memory file: its entries in order, and its problems.

    indexes are the positions of the items in the file's list by id, the first one of each; broken
    are entries with an invalid value: they have an id, and everything about them has to wait.
    """

    entries: tuple[ScoredEntry, ...] = ()
    broken: tuple[ScoredEntry, ...] = ()
    indexes: Mapping[str, int] = {}
    is_list: bool = False
    problems: tuple[DocumentProblem, ...] = ()


def read_entries(text: str, key: str) -> EntryFile:
    """Return the entries under a key of a memory file; raises UnreadableDocument."""
    problems: list[DocumentProblem] = []
    entries: list[ScoredEntry] = []
    broken: list[ScoredEntry] = []
    indexes: dict[str, int] = {}
    root = root_of(text)
    for item in items_of(root, key, problems):
        fields = Fields(item.mapping, item.name)
        entry = _entry(fields, key)
        problems += fields.problems
        if entry.id:
            indexes.setdefault(entry.id, item.position)
        if not fields.problems:
            entries.append(entry)
        elif entry.id:
            status = UNUSABLE if entry.status == ACTIVE else entry.status
            broken.append(entry._replace(status=status, confidence=Decimal(0)))
    is_list = isinstance(root, YamlList)
    return EntryFile(tuple(entries), tuple(broken), indexes, is_list, tuple(problems))


def _joined(fields: Fields, name: str, default: str) -> str:
    """Return a text, or a list of texts joined to one, since people name several sources."""
    return ", ".join(fields.texts(name, or_one=True)) or default


_TYPES: Mapping[str, type[ScoredEntry]] = {
    PRINCIPLES: Principle,
    ANTI_PATTERNS: AntiPattern,
    PROCEDURES: Procedure,
}

# Readers of the fields of an entry; other fields are lists of texts.
_READERS: Mapping[str, Callable[[Fields], Any]] = {
    "id": lambda fields: fields.required("id"),
    "text": lambda fields: fields.required("text"),
    "failed_approach": lambda fields: fields.required("failed_approach"),
    "confidence": lambda fields: fields.number("confidence"),
    "failure_mode": lambda fields: fields.text("failure_mode"),
    "severity": lambda fields: fields.choice("severity", SEVERITIES, None) or LOWEST_SEVERITY,
    "recommended_approach": lambda fields: fields.text("recommended_approach"),
    "source_count": lambda fields: fields.whole("source_count", 1, low=0),
    "applies_to": lambda fields: fields.texts("applies_to", or_one=True),
    "scope": lambda fields: _joined(fields, "scope", "project"),
    "status": lambda fields: fields.choice("status", STATUSES, ACTIVE) or ACTIVE,
    "source": lambda fields: _joined(fields, "source", ""),
    "created": lambda fields: fields.date("created"),
    "last_reinforced": lambda fields: fields.date("last_reinforced"),
    "line": lambda fields: fields.line_of("id"),
}


def _entry(fields: Fields, key: str) -> ScoredEntry:
    entry_type = _TYPES[key]
    values: dict[str, Any] = {
        name: _READERS[name](fields) if name in _READERS else fields.texts(name)
        for name in entry_type._fields
    }
    return entry_type(**values)


# Fields written without quotes.
_PLAIN_FIELDS = {"id", "created", "last_reinforced"}


def edits_of(
    file: EntryFile, key: str, before: Sequence[ScoredEntry], after: Sequence[ScoredEntry]
) -> list[YamlEdit]:
    """Return the edits that turn the entries before into those after.

    Entries are matched by id; an entry that is not in the file is added at its end.
    """
    root: YamlPath = () if file.is_list else (key,)
    old = {entry.id: entry for entry in reversed(before)}
    edits: list[YamlEdit] = []
    for entry in after:
        fields = _written_fields(entry)
        if entry.id not in file.indexes:
            edits.append(AddItem(root, fields))
        elif entry.id in old:
            path = (*root, file.indexes[entry.id])
            known = _written_fields(old[entry.id])
            edits += [SetValue(path, k, value) for k, value in fields.items() if value != known[k]]
    return edits


def _written_fields(entry: ScoredEntry) -> dict[str, YamlValue]:
    """Return all fields of an entry, including empty ones, so that a new entry shows each field."""
    fields: dict[str, YamlValue] = entry._asdict()
    del fields["line"]
    for name, value in fields.items():
        if isinstance(value, tuple):
            fields[name] = list(value)
        elif name in _PLAIN_FIELDS and value is not None:
            fields[name] = PlainText(value)
    return fields
