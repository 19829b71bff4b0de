"""The one way a row of a memory index, or a heading that it names, becomes a key."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from learnings.core.entries.titles import identity_key

# What a row is written with, and the words that its heading begins with.
OPERATORS: Mapping[str, str] = MappingProxyType({"when": "when", "how": "how to"})


def index_key(words: str, *, operator: str = "") -> str:
    """Return the key of a heading's text, or of the words after an operator (`when`, `how`).

    Casefolded, white space collapsed, inline markup kept. A heading `How to X` and a row `/how X`
    have one key, and `/how to X` has it too; `/when X` has another. Empty words have an empty key.
    Raises KeyError for an unknown operator.
    """
    key = identity_key(None, words)
    lead = OPERATORS[operator] if operator else ""
    if lead == "how to" and key.startswith("to "):
        key = key.removeprefix("to ")
    return f"{lead} {key}" if lead and key else key


def operator_and_trigger(title: str) -> tuple[str, str] | None:
    """Return the operator and the trigger that write a heading's text, None if none does.

    `How to X` gives ("how", "X"); index_key() of the two is the key of the title.
    """
    words = title.split()
    for operator, lead in OPERATORS.items():
        size = len(lead.split())
        trigger = " ".join(words[size:])
        if index_key(" ".join(words[:size])) == lead and trigger:
            return operator, trigger
    return None


def operator_row(title: str) -> str | None:
    """Return the row that names a heading by operator and trigger, `/when X`; None if none does."""
    parts = operator_and_trigger(title)
    return f"/{parts[0]} {parts[1]}" if parts else None
