"""A file to be split: its lines, headings, link definitions and footnotes.

A definition is written once in a file and used anywhere in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.outline import Block
from learnings.core.markdown.parser import setext_headings, takes_too_long
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp

# A line that underlines the text above it; without one, no parser is needed.
_UNDERLINE = lazy_pattern(r" {0,3}(?:=+|-+)[ \t]*$")


class SourceHeading(NamedTuple):
    """A heading of either form; first and last are its lines, 1-based."""

    first: int
    last: int
    level: int
    title: str


class SplitSource(NamedTuple):
    """A file before the split; path is POSIX, relative to the root.

    lines keep their terminators; a byte order mark is separate. hidden are the lines of code,
    comments and the front matter. unclosed are blocks without an end.
    """

    path: str
    bom: str
    lines: tuple[str, ...]
    headings: tuple[SourceHeading, ...]
    hidden: frozenset[int]
    unclosed: tuple[Block, ...]

    @property
    def folder(self) -> str:
        """The folder of the file with a trailing slash; empty for the root."""
        return self.path[: -len(self.name)]

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def suffix(self) -> str:
        """The suffix of the file's name with its dot; empty if there is none."""
        return self.name.removeprefix(self.stem)

    @property
    def title(self) -> SourceHeading | None:
        """The heading of level 1 at the start of the file, if there is one."""
        first = self.headings[0] if self.headings else None
        return first if first is not None and first.level == 1 else None

    def text(self, first: int, last: int) -> str:
        """Return the lines between two line numbers, without code and comments."""
        numbers = range(first, last + 1)
        return "".join(self.lines[number - 1] for number in numbers if number not in self.hidden)

    def last_text(self, first: int, last: int) -> int:
        """Return the last line with text among some lines, or the line before the first."""
        while last >= first and not self.lines[last - 1].strip():
            last -= 1
        return last


def read_source(path: str, data: bytes) -> SplitSource:
    """Parse a file to be split; accepts any input."""
    blocks = blocks_of(data)
    bom = BOM if blocks.lines and blocks.lines[0].startswith(BOM) else ""
    lines = (blocks.lines[0].removeprefix(bom), *blocks.lines[1:]) if bom else blocks.lines
    outline = blocks.outline
    headings = [
        SourceHeading(line, line, level, heading_text(blocks.lines[line - 1]))
        for line, level in outline.headings
    ]
    return SplitSource(
        path,
        bom,
        lines,
        tuple(sorted((*headings, *_setext(lines, blocks.front_matter)))),
        frozenset(outline.hidden_lines(blocks.front_matter)),
        tuple(block for block in outline.hiding_blocks if not block.closed),
    )


def _setext(lines: Sequence[str], front_matter: int) -> Iterator[SourceHeading]:
    inner = lines[front_matter:]
    if not any(_UNDERLINE.match(chomp(line)) for line in inner) or takes_too_long(inner):
        return
    for block, level in setext_headings(inner):
        words = [chomp(line).strip() for line in inner[block.first - 1 : block.last - 1]]
        yield SourceHeading(
            block.first + front_matter, block.last + front_matter, level, " ".join(words)
        )


# `[label]: target` and `[^note]: text`, not indented like code.
_DEFINITION = lazy_pattern(r" {0,3}\[(\^?[^\[\]]+)\]:(?=\s*\S|$)")
# Text that may use a definition: `[text][label]`, `[label]`, `[^note]`.
_USE = lazy_pattern(r"\[(\^?[^\[\]]+)\](?!:)")


class Definition(NamedTuple):
    """A definition by its label, casefolded with single blanks; first and last are its lines."""

    label: str
    first: int
    last: int


def definitions_of(source: SplitSource) -> tuple[Definition, ...]:
    """Return the definitions of a file in its order; the first one of a label counts."""
    by_label: dict[str, Definition] = {}
    for number, line in enumerate(source.lines, start=1):
        match = None if number in source.hidden else _DEFINITION.match(line)
        if match is not None:
            is_note = match[1].startswith("^")
            last = _last_line_of_note(source.lines, number) if is_note else number
            label = _label(match[1])
            by_label.setdefault(label, Definition(label, number, last))
    return tuple(by_label.values())


def used_labels(text: str) -> frozenset[str]:
    """Return the labels of definitions that a text may use."""
    return frozenset(_label(match[1]) for match in _USE.finditer(text))


def _last_line_of_note(lines: Sequence[str], first: int) -> int:
    """Return the last line of a footnote: indented lines continue it, even after blank ones."""
    last = first
    for number in range(first + 1, len(lines) + 1):
        line = chomp(lines[number - 1])
        if line.startswith(("    ", "\t")):
            last = number
        elif line.strip():
            break
    return last


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()
