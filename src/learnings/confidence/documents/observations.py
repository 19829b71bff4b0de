"""The files of observations, and the file of those already applied."""

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
    root_of,
)
from learnings.confidence.values import (
    CONSISTENCY_CHECK,
    RELATIONSHIPS,
    SEVERITIES,
    TYPES,
    Applied,
    Observation,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.text import newline_of
from learnings.core.yaml.nodes import YamlMapping, boolean_of, text_of, whole_of

CAPTURED = "memory_captured"
"""The key that marks the observations of a file as captured in the memory."""
_LIST_KEY = "observations"


class ObservationsFile(NamedTuple):
    """The contents of an observations file; an observation with an invalid value is a problem.

    workflow_type is None if the file lacks it. can_be_marked is False for a file that is a list,
    which has no place for a key.
    """

    observations: tuple[Observation, ...] = ()
    workflow_type: str | None = None
    is_captured: bool = False
    can_be_marked: bool = True
    problems: tuple[DocumentProblem, ...] = ()


class Handoff(NamedTuple):
    """The statements of a handoff file about its story."""

    completed: str | None = None
    is_captured: bool = False


def read_observations(text: str) -> ObservationsFile:
    """Return the contents of an observations file. Raises UnreadableDocument."""
    root = root_of(text)
    head = Fields(root, "the file") if isinstance(root, YamlMapping) else None
    workflow_type = head.text("workflow_type") if head else ""
    is_captured = bool(head and head.switch(CAPTURED))
    problems = head.problems if head else []
    observations = []
    for item in items_of(root, _LIST_KEY, problems):
        fields = Fields(item.mapping, item.name)
        observation = _observation(fields)
        problems += fields.problems
        if not fields.problems:
            observations.append(observation)
    return ObservationsFile(
        tuple(observations),
        workflow_type.strip() or None,
        is_captured,
        root is None or head is not None,
        tuple(problems),
    )


def _observation(fields: Fields) -> Observation:
    kind = fields.choice("type", TYPES, None) if fields.required("type") else None
    return Observation(
        id=fields.required("id"),
        type=kind or "",
        # For a check of an entry, the relationship says everything.
        text=fields.text("text") if kind == CONSISTENCY_CHECK else fields.required("text"),
        tags=fields.texts("tags"),
        importance=fields.whole("importance", 5, low=1, high=10),
        agent=fields.text("agent"),
        phase=fields.text("phase"),
        severity=fields.choice("severity", SEVERITIES, None),
        resolved=fields.switch("resolved"),
        principle_id=fields.text("principle_id") or None,
        relationship=fields.choice("relationship", RELATIONSHIPS, None),
        line=fields.line_of("id"),
    )


def read_handoff(text: str) -> Handoff:
    """Return the contents of a handoff file. Raises UnreadableDocument."""
    root = mapping_of(text)
    if root is None:
        return Handoff()
    return Handoff(text_of(root.get("completed")), boolean_of(root.get(CAPTURED)) is True)


def marked(text: str) -> str:
    """Return the text of a readable file with `memory_captured: true`, otherwise unchanged.

    Only this key is inserted: a writer of whole documents takes half a minute for ten thousand
    observations, and reformats them. Raises UnreadableDocument.
    """
    root = mapping_of(text)
    newline = newline_of(text)
    line = f"{CAPTURED}: true"
    if root is None:  # comments, or nothing at all
        body = text if not text or text.endswith(("\n", "\r")) else text + newline
        return body + line + newline
    value = root.own(CAPTURED)
    if value is not None:
        blank = " " if text[value.start - 1] == ":" else ""
        return f"{text[: value.start]}{blank}true{text[value.end :]}"
    if root.is_flow:
        end = text.index("{", root.start) + 1
        return f'{text[:end]}"{CAPTURED}": true{", " if root.pairs else ""}{text[end:]}'
    first = root.pairs[0][0]
    start = first.start
    return f"{text[:start]}{line}{newline}{' ' * first.indent}{text[start:]}"


_APPLIED_KEY, _LAST_RUN = "applied", "last_run"
_HEAD = (
    "# Which observations are in the memory already; learnings memory curate keeps this file.\n"
    "# Commit it with the others. After a merge conflict keep the rows of both sides.\n"
)
# Letters, digits and signs without a meaning in YAML; `id` alone is longer than y, n and no.
_PLAIN = lazy_pattern(r"[.]?[A-Za-z][A-Za-z0-9_./-]{3,}|[0-9]{4}-[0-9]{2}-[0-9]{2}")


class LastRun(NamedTuple):
    """The writes of the last run that changed the memory, and its ISO date.

    rows is the number of rows before that run. before are the SHA-256 of the files before it by
    name, None for no file: a file that is still like that was not written.
    """

    date: str = ""
    rows: int = 0
    before: Mapping[str, str | None] = {}


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
    files = node.get("before")
    pairs = files.pairs if isinstance(files, YamlMapping) else []
    before = {text_of(key) or "": text_of(value) for key, value in pairs}
    return LastRun(text_of(node.get("date")) or "", whole_of(node.get("rows")) or 0, before)


def applied_text(file: AppliedFile) -> str:
    """Return the text of the file: one row per line, so that two branches merge easily.

    Only we write the file, and it grows with every observation, so it needs no YAML writer, which
    would take half a minute for ten thousand rows.
    """
    date, rows, before = file.last_run
    files = _mapping({name: _text(digest) for name, digest in before.items()})
    last_run = {"date": _text(date), "rows": str(rows), "before": files}
    lines = [_HEAD, f"{_LAST_RUN}: {_mapping(last_run)}\n", f"{_APPLIED_KEY}:\n"]
    for row in file.rows:
        fields = dict(
            zip(("source", "id", "date", "entry", "action"), map(_text, row), strict=True)
        )
        lines.append(f"  - {_mapping(fields)}\n")
    return "".join(lines)


def _mapping(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{name}: {value}" for name, value in fields.items()) + "}"


def _text(text: str | None) -> str:
    """Return a text without quotes if it cannot be mistaken: a path, an id, a date."""
    if text is None or _PLAIN.fullmatch(text):
        return text or "null"
    return json.dumps(text)  # JSON escapes are YAML escapes
