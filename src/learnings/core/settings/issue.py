"""What can be configured about the consolidation issue; imported only where it is needed."""

from __future__ import annotations

import re
from typing import NamedTuple

from learnings.core.settings.keys import Key
from learnings.core.settings.types import ValueType, choice, list_of

FILE_PLACEHOLDER = "{file}"
FULL, TITLES = "full", "titles"
# One line of some length: not all white space, no control characters, no line or paragraph
# separator of Unicode.
_ONE_LINE = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,%d}$"


class IssueSettings(NamedTuple):
    """The settings of the consolidation issue, with their defaults."""

    label: str = "learnings"
    title: str = f"Consolidate {FILE_PLACEHOLDER}"
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    mention: str | None = None
    body: str = FULL

    def title_for(self, file: str) -> str:
        """Return the title of the issue about a file."""
        return self.title.replace(FILE_PLACEHOLDER, file)


def _matching(pattern: str, wants: str) -> ValueType:
    """Texts that a pattern matches whole; `wants` describes them."""

    def read(value: object, _folder: str) -> str:
        if not isinstance(value, str):
            raise TypeError
        if not re.fullmatch(pattern.strip("^$"), value):
            raise ValueError
        return value

    return ValueType(wants, {"type": "string", "pattern": pattern}, read)


# GitHub allows 50 characters for a label and separates labels by commas.
_LABEL = _matching(
    r"^(?=.*\S)[^,\x00-\x1f\x7f-\x9f\u2028\u2029]{1,50}$",
    "a name of at most 50 characters without a comma",
)
# The login of a person or, with `[bot]` behind it, of an app.
_LOGIN = _matching(r"^[A-Za-z0-9_-]+(\[bot\])?$", "an account")
_ROWS = {
    "label": (_LABEL, "label by which the issue is found again"),
    # GitHub allows 256 characters; a path that stands for {file} needs some of them.
    "title": (
        _matching(_ONE_LINE % 200, "one line of at most 200 characters"),
        f"title of the issue; {FILE_PLACEHOLDER} stands for the path",
    ),
    "labels": (list_of(_LABEL, "names of labels"), "labels it gets as well"),
    "assignees": (list_of(_LOGIN, "accounts"), "who is assigned"),
    # 500 characters are chosen: more than a line of mentions needs.
    "mention": (
        _matching(_ONE_LINE % 500, "one line of at most 500 characters"),
        "a line in the issue that may mention people",
    ),
    "body": (choice(FULL, TITLES), "the entries with their text, or their titles only"),
}
ISSUE_KEYS = {
    name: Key(name, name, kind, IssueSettings._field_defaults[name], doc)
    for name, (kind, doc) in _ROWS.items()
}
