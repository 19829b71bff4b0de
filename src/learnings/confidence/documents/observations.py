"""An observations file, and the handoff file beside a story's observations."""

from __future__ import annotations

from typing import NamedTuple

from learnings.confidence.documents.fields import (
    DocumentProblem,
    Fields,
    items_of,
    mapping_of,
    root_of,
)
from learnings.confidence.values import (
    CONSISTENCY_CHECK,
    RELATIONSHIPS,
    SEVERITIES,
    TYPES,
    Observation,
)
from learnings.core.text import newline_of
from learnings.core.yaml.nodes import YamlMapping, boolean_of, text_of

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
