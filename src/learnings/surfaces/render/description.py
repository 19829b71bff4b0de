"""Descriptions of results, which are printed as text or as Markdown.

A description is a sequence of blocks, each a sequence of parts: it words every fact once. A part
knows its lines in text, and its Markdown. Hooks print such texts, so this module loads fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from learnings.surfaces.render.writing import cell, span, table, text_of_blocks


class Code(str):
    """Foreign text in words of ours, a code span in Markdown."""

    __slots__ = ()


Words = str | tuple[str, ...]
"""Words of ours, or pieces of them with foreign text between."""


class Part(NamedTuple):
    lines: Callable[[], Sequence[str]]
    markdown: Callable[[], str]


Blocks = Iterable[Iterable[Part]]


def text(blocks: Blocks) -> str:
    lines = ([line for part in block for line in part.lines()] for block in blocks)
    return text_of_blocks(filter(None, lines))


def markdown(title: str, blocks: Blocks) -> str:
    """Return a description as Markdown below a title, unless that is empty."""
    parts = (part.markdown() for block in blocks for part in block)
    return joined("\n\n", title and f"# {title}", *parts) + "\n"


def titled(words: Words, brief: str, sentence: str) -> Part:
    """Return a title, and why it is so: briefly in text, as a sentence below in Markdown."""
    return Part(
        lambda: ["".join(words) + (brief and f": {brief}")],
        lambda: joined("\n\n", f"## {marked(words)}", sentence),
    )


def line(words: Words) -> Part:
    return Part(lambda: ["".join(words)], lambda: marked(words))


def fact(label: str, words: Words) -> Part:
    """Return words with a label, which may be padded or end with a colon."""
    return Part(
        lambda: [f"  {label} {''.join(words)}"],
        lambda: f"{label.strip(' :').capitalize()}: {marked(words)}",
    )


def items(listed: Sequence[Words], title: str = "") -> Part:
    """Return a list; without a title its items stand further out in text."""
    above, indent = ([f"  {title}"], "    ") if title else ([], "  ")
    return Part(
        lambda: [*above, *(indent + "".join(item) for item in listed)],
        lambda: list_below(title, map(marked, listed)),
    )


Row = tuple[Sequence[str], Sequence[Words]]
"""A row of a table: its lines in text, and the cells in Markdown."""


def rows(columns: Sequence[str], of: Sequence[Row], title: str = "") -> Part:
    """Return a table, without columns a list; a colon before a column stands for numbers."""

    def as_markdown() -> str:
        cells = [[marked(words, cell if columns else span) for words in row] for _, row in of]
        if not columns:
            return list_below(title, (" ".join(row) for row in cells))
        return "\n".join(table(columns, cells))

    above = [f"  {title}"] if title else []
    return Part(lambda: [*above, *(one for lines, _ in of for one in lines)], as_markdown)


def marked(words: Words, mark: Callable[[str], str] = span) -> str:
    pieces = (words,) if isinstance(words, str) else words
    return "".join(mark(piece) if isinstance(piece, Code) else piece for piece in pieces)


def joined(between: str, *parts: str) -> str:
    return between.join(filter(None, parts))


def list_below(title: str, listed: Iterable[str]) -> str:
    """Return a list in Markdown below a line, unless that is empty."""
    return joined("\n\n", title[:1].upper() + title[1:], "\n".join(f"- {one}" for one in listed))
