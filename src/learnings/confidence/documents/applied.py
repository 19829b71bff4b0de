"""The file of the applied observations, and of the files that the last run had to write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from learnings.confidence.documents.fields import (
    DocumentProblem,
    Fields,
    UnreadableDocument,
    items_of,
    mapping_of,
)
from learnings.confidence.values import Applied
from learnings.core.patterns import lazy_pattern
from learnings.core.yaml.nodes import YamlMapping, text_of, whole_of

_APPLIED_KEY, _LAST_RUN = "applied", "last_run"
_HEAD = (
    "# Which observations are in the memory already; learnings memory curate keeps this file.\n"
    "# Commit it with the others. After a merge conflict keep the rows of both sides.\n"
)
# Letters, digits and signs without a meaning in YAML; `id` alone is longer than y, n and no.
_PLAIN = lazy_pattern(r"[.]?[A-Za-z][A-Za-z0-9_./-]{3,}|[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Digests(NamedTuple):
    """SHA-256 of a file before and after a run, None for no file."""

    before: str | None
    after: str


class LastRun(NamedTuple):
    """The writes of the last run that changed the memory: files by name, and its ISO date.

    rows is the number of rows before that run.
    """

    date: str = ""
    rows: int = 0
    files: Mapping[str, Digests] = {}


class AppliedFile(NamedTuple):
    """The rows, oldest first, and the last run."""

    rows: tuple[Applied, ...] = ()
    last_run: LastRun = LastRun()


def read_applied(text: str) -> AppliedFile:
    """Return the contents of the file.

    Raises UnreadableDocument for the first error: without a row, an observation would be applied a
    second time.
    """
    if text.startswith("<<<<<<< ") or "\n<<<<<<< " in text:
        line = text[: text.find("<<<<<<< ")].count("\n") + 1
        reason = "contains a merge conflict; keep the rows of both sides and one last_run"
        raise UnreadableDocument(DocumentProblem(line, reason))
    root = mapping_of(text)
    problems: list[DocumentProblem] = []
    rows = []
    for item in items_of(root, _APPLIED_KEY, problems):
        fields = Fields(item.mapping, f"row {item.position + 1}")
        source, observation = fields.required("source"), fields.required("id")
        date = fields.date("date") or ""
        rows.append(Applied(source, observation, date, fields.text("entry"), fields.text("action")))
        problems += fields.problems
    if problems:
        raise UnreadableDocument(problems[0])
    return AppliedFile(tuple(rows), _last_run(root))


def _last_run(root: YamlMapping | None) -> LastRun:
    node = root.get(_LAST_RUN) if root is not None else None
    if not isinstance(node, YamlMapping):
        return LastRun()
    files = node.get("files")
    pairs = files.pairs if isinstance(files, YamlMapping) else []
    digests = {
        text_of(key) or "": Digests(text_of(value.get("before")), text_of(value.get("after")) or "")
        for key, value in pairs
        if isinstance(value, YamlMapping)
    }
    return LastRun(text_of(node.get("date")) or "", whole_of(node.get("rows")) or 0, digests)


def applied_text(file: AppliedFile) -> str:
    """Return the text of the file: one row per line, so that two branches merge easily.

    Only we write the file, and it grows with every observation, so it needs no YAML writer, which
    would take half a minute for ten thousand rows.
    """
    files = {
        name: _mapping({"before": _text(digests.before), "after": _text(digests.after)})
        for name, digests in file.last_run.files.items()
    }
    last_run = {
        "date": _text(file.last_run.date),
        "rows": str(file.last_run.rows),
        "files": _mapping(files),
    }
    lines = [_HEAD, f"{_LAST_RUN}: {_mapping(last_run)}\n", f"{_APPLIED_KEY}:\n"]
    for row in file.rows:
        fields = {
            "source": row.source,
            "id": row.observation,
            "date": row.date,
            "entry": row.entry,
            "action": row.action,
        }
        lines.append(f"  - {_mapping({k: _text(v) for k, v in fields.items()})}\n")
    return "".join(lines)


def _mapping(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{name}: {value}" for name, value in fields.items()) + "}"


def _text(text: str | None) -> str:
    """Return a text without quotes if it cannot be mistaken: a path, an id, a date."""
    if text is None or _PLAIN.fullmatch(text):
        return text or "null"
    return json.dumps(text)  # JSON escapes are YAML escapes
