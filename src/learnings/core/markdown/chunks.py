"""The outline of one of many versions of a file, from the chunks it shares with the others.

A heading at the beginning of a line is at document level, unless a fence or an HTML block is open
there. So what stands between two such headings has the same outline in every version, and a
version is scanned only where it is new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from learnings.core.markdown.outline import Block, Heading, Item, Outline
from learnings.core.markdown.scanner import scan, single_lines
from learnings.core.patterns import lazy_pattern

# An ATX heading in the first column, a blank after its `#`.
_HEADING = lazy_pattern(r"#{1,6}[ \t]")
# The beginning of HTML that is not a comment. A comment says in the outline where it ends; other
# HTML may go on below the next heading.
_OTHER_HTML = lazy_pattern(r" {0,3}<(?!!--)")

# Versions share most line numbers as well; equal tuples need not be made again.
_heading = lru_cache(maxsize=4096)(Heading)
_item = lru_cache(maxsize=4096)(Item)


def scan_chunks(lines: Sequence[str]) -> Outline | None:
    """Return what scan() returns, faster where other versions were read before.

    The chunks are cut from the lines as the parser takes them: a carriage return that stands before
    a `<` is a blank for it, and HTML may begin there.
    """
    headings: list[Heading] = []
    items: list[Item] = []
    fences: list[Block] = []
    comments: list[Block] = []
    for above, outline in _chunks(single_lines(lines)):
        if outline is None:
            return None
        headings += [_heading(heading.line + above, heading.level) for heading in outline.headings]
        items += [_item(item.line + above) for item in outline.items]
        if outline.fences or outline.comments:
            fences += [block.moved(above) for block in outline.fences]
            comments += [block.moved(above) for block in outline.comments]
    return Outline(tuple(headings), tuple(items), tuple(fences), tuple(comments))


def _chunks(lines: Sequence[str]) -> Iterator[tuple[int, Outline | None]]:
    """Give (number of lines above it, outline) for each chunk that depends on no other one.

    Each begins with a heading, but for the first. The last one begins where a heading may be
    inside of something: everything from there on is one chunk. The outline is None where the
    scanner is not certain.
    """
    first = 0
    for start in (n for n, line in enumerate(lines) if line[0] == "#" and _HEADING.match(line)):
        outline, is_closed = _scanned(tuple(lines[first:start]))
        if not is_closed:
            break
        yield first, outline
        first = start
    yield first, _scanned(tuple(lines[first:]))[0]


@lru_cache(maxsize=8192)
def _scanned(chunk: tuple[str, ...]) -> tuple[Outline | None, bool]:
    """Return the outline of a chunk, and True if nothing in it can go on below it."""
    outline = scan(chunk)
    if outline is None or any(_OTHER_HTML.match(line) for line in chunk):
        return outline, False
    return outline, all(block.closed for block in outline.hiding_blocks)
