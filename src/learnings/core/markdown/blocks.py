"""A file as Markdown: its lines, its front matter, its blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from learnings.core.markdown.chunks import outline_of_version
from learnings.core.markdown.front_matter import front_matter_of, without_bom
from learnings.core.markdown.outline import Block, Heading, Item, Outline
from learnings.core.markdown.parser import outline_of
from learnings.core.text import decode, split_lines

_LARGEST_REMEMBERED = 100_000  # bytes


class Blocks(NamedTuple):
    """Lines keep their terminators; front_matter is the number of lines of YAML at the top."""

    lines: tuple[str, ...]
    front_matter: int
    outline: Outline


def blocks_of(data: bytes) -> Blocks:
    """Return the blocks of a file; there is no input that it refuses.

    A BOM and a YAML front matter are cut off before the Markdown is parsed. What was asked about
    lately is not parsed again.
    """
    return _recent(data) if len(data) <= _LARGEST_REMEMBERED else _parsed(data, outline_of)


def blocks_of_version(data: bytes) -> Blocks:
    """Return the same for one of many versions of a file, which is read faster then."""
    return _parsed(data, outline_of_version)


# Most files of a repository are looked at twice: by themselves and for the memory index.
@lru_cache(maxsize=256)
def _recent(data: bytes) -> Blocks:
    return _parsed(data, outline_of)


def _parsed(data: bytes, outlined: Callable[[Sequence[str]], Outline]) -> Blocks:
    lines = tuple(split_lines(decode(data)))
    front = front_matter_of(lines)
    return Blocks(lines, front, _shifted(outlined(without_bom(lines[front:])), front))


def _shifted(outline: Outline, by: int) -> Outline:
    if not by:
        return outline
    return Outline(
        headings=tuple(Heading(h.line + by, h.level) for h in outline.headings),
        items=tuple(Item(i.line + by) for i in outline.items),
        fences=tuple(Block(b.first + by, b.last + by, b.closed) for b in outline.fences),
        comments=tuple(Block(b.first + by, b.last + by, b.closed) for b in outline.comments),
    )
