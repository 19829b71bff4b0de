"""Edits of a text: what comes out of a step, and how a text is changed at places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from learnings.core.errors import LearningsError

_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Edited:
    """A text as it should be, and what the user should know about that."""

    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Splice:
    """Text that takes the place of the characters from `start` to `end`, which may be equal."""

    start: int
    end: int
    text: str


class ManualEditRequired(LearningsError):
    """A file has a form that is not edited; `lines` are what the user should put into it."""

    def __init__(self, sentence: str, lines: Iterable[str]) -> None:
        super().__init__(sentence)
        self.lines = tuple(lines)


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Return the text with all splices carried out; they must not overlap."""
    for each in sorted(splices, key=lambda each: each.start, reverse=True):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def line_start(text: str, at: int) -> int:
    """The offset at which the line of the character at `at` begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end(text: str, at: int) -> int:
    """The offset behind the terminator of the line of the character at `at`."""
    found = _LINE_END.search(text, at)
    return found.end() if found else len(text)


def whole_lines(text: str, at: int, lines: Iterable[str], newline: str) -> Splice:
    """Lines put in at an offset where a line begins, or at the end of a text whatever that is."""
    glue = newline if at and text[at - 1] not in "\r\n" else ""
    return Splice(at, at, glue + "".join(line + newline for line in lines))
