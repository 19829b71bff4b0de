"""A step of the set-up: from the text of a file to its new text, or to lines to add by the user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from learnings.core.errors import LearningsError
from learnings.core.text import newline_of


class NewText(NamedTuple):
    """The text that a file should have, and what the user should know about it."""

    text: str
    notes: tuple[str, ...] = ()


class ManualEditRequired(LearningsError):
    """A file has a form that is not edited; `lines` are what the user should add to it."""

    def __init__(self, sentence: str, lines: Iterable[str]) -> None:
        super().__init__(sentence)
        self.lines = tuple(lines)


def insert_lines(text: str, offset: int, lines: Iterable[str]) -> str:
    """Return the text with lines inserted, terminated as its own are.

    `offset` is where a line begins, or the end of the text, terminated or not.
    """
    newline = newline_of(text)
    first = newline if offset and text[offset - 1] not in "\r\n" else ""
    inserted = first + "".join(line + newline for line in lines)
    return text[:offset] + inserted + text[offset:]
