"""Chunks of the text of a version, most of which it shares with other versions.

The text between two headings in the first column means the same in every version, unless a fence or
HTML block is open there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter

from learnings.core.markdown.outline import Block, Heading, Outline
from learnings.core.markdown.scanner import scan
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, split_lines

# An ATX heading in the first column, with a blank after its `#`: at the start of a text,
_HEADING = lazy_pattern(r"#{1,6}[ \t]")
# and with the line end above it.
_END_ABOVE = lazy_pattern(r"\n(?=#{1,6}[ \t])")
# A line that may begin a fence, HTML or another heading, or nest so deep that the parser drops the
# text below it. A carriage return is a blank for the parser.
_MAY_OPEN = lazy_pattern(r"\n(?:[ \t\r]*(?:```|~~~|<|#)|[ \t\r>*+\-0-9.)]{18})")
# Text that is_closed adds below a chunk.
_HEADING_BELOW = "# below\n"

# Versions also share most line numbers; equal headings are made only once.
_heading = lru_cache(maxsize=4096)(Heading)


class Chunk:
    """Lines that can be read by themselves; equal texts are one object while remembered."""

    def __init__(self, text: str, lines: tuple[str, ...]) -> None:
        self.text = text
        self.lines = lines

    @cached_property
    def is_simple(self) -> bool:
        """True if it surely has no heading below its first line, no fence and no HTML."""
        text = self.text if _HEADING.match(self.text) else f"\n{self.text}"
        return "\n" in self.text and not _MAY_OPEN.search(text)

    @property
    def level(self) -> int:
        return len(self.text) - len(self.text.lstrip("#")) if _HEADING.match(self.text) else 0

    @cached_property
    def is_closed(self) -> bool:
        """True if a heading below the chunk would be one, since no block in it stays open."""
        if self.is_simple:
            return True
        outline = scan((*self.lines, _HEADING_BELOW))
        return outline is not None and Heading(len(self.lines) + 1, 1) in outline.headings[-1:]

    @cached_property
    def outline(self) -> Outline | None:
        return scan(self.lines)

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """Its headings without line ends, or its text if they are uncertain."""
        if self.is_simple:
            return (chomp(self.lines[0]),) if _HEADING.match(self.text) else ()
        if self.outline is None:
            return (self.text,)
        return tuple(chomp(self.lines[heading.line - 1]) for heading in self.outline.headings)

    @property
    def items(self) -> tuple[str, ...]:
        """The first lines of its list items."""
        return tuple(self.lines[line - 1] for line in (self.outline or Outline()).items)


def chunks_of(text: str) -> Sequence[Chunk]:
    """Return the consecutive chunks of a text, extending a chunk that leaves a block open."""
    if "\n" not in text:
        return [Chunk(text, tuple(split_lines(text)))]
    *above, last = _END_ABOVE.split(text)
    chunks = [*(_chunk(f"{part}\n") for part in above), _chunk(last)]
    is_closed = attrgetter("is_closed")
    return chunks if all(map(is_closed, chunks[:-1])) else [*_closed(chunks)]


def _closed(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """Join chunks with the following ones until no block in them is open."""
    first, last = 0, len(chunks)
    while first < last:
        chunk, end = chunks[first], first + 1
        while end < last and not chunk.is_closed:
            end = min(2 * end - first, last)
            chunk = _chunk("".join(part.text for part in chunks[first:end]))
        yield chunk
        first = end


@lru_cache(maxsize=8192)
def _chunk(text: str) -> Chunk:
    *terminated, rest = text.split("\n")
    lines = (*(f"{line}\n" for line in terminated), rest)
    return Chunk(text, lines if rest else lines[:-1])


def joined_outline(chunks: Iterable[Chunk]) -> Outline | None:
    """Return scan() of the joined chunks, or None if it is uncertain."""
    headings: list[Heading] = []
    items: list[int] = []
    fences: list[Block] = []
    comments: list[Block] = []
    above = 0
    for chunk in chunks:
        outline = chunk.outline
        if outline is None:
            return None
        headings += [_heading(line + above, level) for line, level in outline.headings]
        items += [line + above for line in outline.items]
        fences += [block.moved(above) for block in outline.fences]
        comments += [block.moved(above) for block in outline.comments]
        above += len(chunk.lines)
    return Outline(tuple(headings), tuple(items), tuple(fences), tuple(comments))
