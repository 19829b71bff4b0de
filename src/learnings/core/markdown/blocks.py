"""A file as Markdown: its lines, front matter and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from learnings.core.markdown.outline import Outline, guess, scan
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, decode, split_lines

# Bytes. Larger files are rare, and 256 of them would exhaust the memory.
_LARGEST_REMEMBERED = 100_000

# A key of a YAML mapping at the beginning of a line, plain or quoted.
_YAML_KEY = lazy_pattern(r"[^\s:#'\"-][^:]*:(?:\s|$)|(['\"])[^:]*\1:(?:\s|$)")
# A line of YAML: indented, a list item, a comment (but not a heading `## …`), or a key.
_YAML_LINE = lazy_pattern(r"\s|- |#(?!#)|[^\s:#-][^:]*:(?:\s|$)")


class Blocks(NamedTuple):
    lines: tuple[str, ...]
    front_matter: int
    outline: Outline


def blocks_of(data: bytes) -> Blocks:
    """Return the blocks of any file."""
    return _read(data) if len(data) > _LARGEST_REMEMBERED else _recent(data)


def _read(data: bytes) -> Blocks:
    lines = tuple(split_lines(decode(data)))
    front_matter = front_matter_end(lines)
    body = lines[front_matter:]
    if body and body[0].startswith(BOM):
        body = (body[0][1:] or "\n", *body[1:])
    return Blocks(lines, front_matter, outline_of(("\n",) * front_matter + body))


# Most files of a repository are read twice: for themselves and for the memory index.
_recent = lru_cache(maxsize=1024)(_read)


def outline_of(lines: Sequence[str]) -> Outline:
    """Return the outline from the scanner, from the parser if that is uncertain, or a guess.

    The guess, used if parsing would take too long, may be wrong directly below a quote, item or
    link definition.
    """
    outline = scan(lines)
    if outline is not None:
        return outline
    from learnings.core.markdown.parser import parse, takes_too_long  # noqa: PLC0415  (few files need it)

    return guess(lines) if takes_too_long(lines) else parse(lines)


def front_matter_end(lines: Sequence[str], *, certain: bool = False) -> int:
    """Return the last line of the front matter, 0 without one; it must look like YAML."""
    if not opens_front_matter(lines):
        return 0
    keys = 0
    for number, line in enumerate(lines[1:], start=2):
        content = chomp(line)
        mark = content.rstrip()
        if mark == "---" or (mark == "..." and not certain):
            return number if certain or keys or number == 2 else 0
        if not certain and mark and not _YAML_LINE.match(content):
            return 0
        keys += _YAML_KEY.match(content) is not None
    return 0


def opens_front_matter(lines: Sequence[str]) -> bool:
    return bool(lines) and chomp(lines[0]).removeprefix(BOM).rstrip() == "---"
