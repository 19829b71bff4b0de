"""Descriptions of results, which are printed as text or as Markdown.

A description is a sequence of blocks, each a sequence of parts: it words every fact once. A part
knows its lines in text, and its Markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from learnings.core.findings.finding import quoted
from learnings.surfaces.render.lines import cell, span, table, text_of_blocks


class Code(str):
    """Foreign text in words of ours, a code span in Markdown."""

    __slots__ = ()


Words = str | tuple[str, ...]
"""Words of ours, or pieces of them with foreign text between."""


class Title(NamedTuple):
    """A title, and why it is so: briefly at its end in text, as a sentence below in Markdown."""

    words: Words
    brief: str = ""
    sentence: str = ""

    def lines(self) -> Sequence[str]:
        return [_joined(": ", plain(self.words), self.brief)]

    def markdown(self) -> str:
        return _joined("\n\n", f"## {marked(self.words)}", self.sentence)


class Line(NamedTuple):
    words: Words

    def lines(self) -> Sequence[str]:
        return [plain(self.words)]

    def markdown(self) -> str:
        return marked(self.words)


class Fact(NamedTuple):
    """Words with a label, which may be padded or end with a colon."""

    label: str
    words: Words

    def lines(self) -> Sequence[str]:
        return [f"  {self.label} {plain(self.words)}"]

    def markdown(self) -> str:
        return f"{self.label.strip(' :').capitalize()}: {marked(self.words)}"


class Items(NamedTuple):
    """A list; without a title its items stand further out in text."""

    items: Sequence[Words]
    title: str = ""

    def lines(self) -> Sequence[str]:
        indent = "    " if self.title else "  "
        return [*_titled(self.title), *(f"{indent}{plain(item)}" for item in self.items)]

    def markdown(self) -> str:
        return _listed(self.title, map(marked, self.items))


class Row(NamedTuple):
    """A row of a table: its lines in text, and the cells in Markdown."""

    lines: Sequence[str]
    cells: Sequence[Words]


class Table(NamedTuple):
    """A table, lines in text; a colon before a column stands for numbers, no columns for a list."""

    columns: Sequence[str]
    rows: Sequence[Row]
    title: str = ""

    def lines(self) -> Sequence[str]:
        lines = (line for row in self.rows for line in row.lines)
        return [*_titled(self.title), *lines]

    def markdown(self) -> str:
        if not self.columns:
            return _listed(self.title, (marked(words) for row in self.rows for words in row.cells))
        return "\n".join(
            table(self.columns, [[marked(c, cell) for c in r.cells] for r in self.rows])
        )


class Found(NamedTuple):
    """Something at a place of a file: its kind and title, if any, and what became of it."""

    place: str
    kind: str = ""
    title: str = ""
    outcome: str = ""

    @property
    def item(self) -> str:
        """An item of a list in Markdown."""
        what = f"**{self.kind}** {span(self.title)} at " if self.title else ""
        return f"{what}{span(self.place)}{self.outcome and f': {span(self.outcome)}'}"


class Places(NamedTuple):
    rows: Sequence[Found]

    def lines(self) -> Sequence[str]:
        return [
            _joined(": ", place, kind, title and quoted(title), outcome)
            for place, kind, title, outcome in self.rows
        ]

    def markdown(self) -> str:
        return _listed("", (row.item for row in self.rows))


Part = Title | Line | Fact | Items | Table | Places
Blocks = Iterable[Iterable[Part]]


def text(blocks: Blocks) -> str:
    lines = ([line for part in block for line in part.lines()] for block in blocks)
    return text_of_blocks(filter(None, lines))


def markdown(title: str, blocks: Blocks) -> str:
    """Return a description as Markdown below a title, unless that is empty."""
    parts = (part.markdown() for block in blocks for part in block)
    return _joined("\n\n", title and f"# {title}", *parts) + "\n"


def plain(words: Words) -> str:
    return words if isinstance(words, str) else "".join(words)


def marked(words: Words, mark: Callable[[str], str] = span) -> str:
    pieces = (words,) if isinstance(words, str) else words
    return "".join(mark(piece) if isinstance(piece, Code) else piece for piece in pieces)


def _joined(between: str, *parts: str) -> str:
    return between.join(filter(None, parts))


def _titled(title: str) -> Sequence[str]:
    return [f"  {title}"] if title else []


def _listed(title: str, items: Iterable[str]) -> str:
    return _joined("\n\n", title[:1].upper() + title[1:], "\n".join(f"- {one}" for one in items))
