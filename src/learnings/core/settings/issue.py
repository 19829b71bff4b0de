"""What can be configured about the consolidation issue; loaded only where somebody asks."""

from __future__ import annotations

import re
from typing import NamedTuple

from learnings.core.settings.schema import Key
from learnings.core.settings.types import Kind, choice, list_of

FILE_PLACE = "{file}"
FULL, TITLES = "full", "titles"
_ONE_LINE = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,%d}$"


def _matching(pattern: str, wants: str) -> Kind:
    def read(value: object, _folder: str) -> str:
        if not isinstance(value, str):
            raise TypeError
        if not re.fullmatch(pattern.strip("^$"), value):
            raise ValueError
        return value

    return Kind(wants, {"type": "string", "pattern": pattern}, read)


_LABEL = _matching(
    r"^(?=.*\S)[^,\x00-\x1f\x7f-\x9f\u2028\u2029]{1,50}$",
    "a name of at most 50 characters without a comma",
)
_LOGIN = _matching(r"^[A-Za-z0-9_-]+(\[bot\])?$", "an account")
_KEYS = (
    Key("label", "label", _LABEL, "learnings", "label by which the issue is found again"),
    Key(
        "title",
        "title",
        _matching(_ONE_LINE % 200, "one line of at most 200 characters"),
        f"Consolidate {FILE_PLACE}",
        f"title of the issue; {FILE_PLACE} stands for the path",
    ),
    Key("labels", "labels", list_of(_LABEL, "names of labels"), (), "labels it gets as well"),
    Key("assignees", "assignees", list_of(_LOGIN, "accounts"), (), "who is assigned"),
    Key(
        "mention",
        "mention",
        _matching(_ONE_LINE % 500, "one line of at most 500 characters"),
        None,
        "a line in the issue that may mention people",
    ),
    Key(
        "body",
        "body",
        choice(FULL, TITLES),
        FULL,
        "the entries with their text, or their titles only",
    ),
)
ISSUE_KEYS = {key.name: key for key in _KEYS}


class IssueSettings(NamedTuple):
    """The settings of the consolidation issue, each with its default where nothing is set."""

    label: str
    title: str
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    mention: str | None
    body: str

    def title_for(self, file: str) -> str:
        """The title of the issue about a file."""
        return self.title.replace(FILE_PLACE, file)
