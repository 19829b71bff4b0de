"""The outline of a document from markdown-it-py; the only importer of that parser."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from learnings.core.markdown.outline import Block, Heading, Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import as_single_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token


# A line of blanks only.
_BLANK = lazy_pattern(r"[ \t\r\n]*$")
# The beginning of a line up to the last `>` among its quote and list markers.
_QUOTES = lazy_pattern(r"[ \t>*+\-0-9.)]*>")
# Lines that the parser may read to find the ends of quotes: about two seconds.
_MOST_QUOTE_WORK = 1_000_000


def parse(lines: Sequence[str]) -> Outline:
    """Return the outline by the "commonmark" preset of markdown-it-py, blocks only.

    The preset drops everything after 20 levels of nesting, so recursion is never deep.
    """
    headings: list[Heading] = []
    items: list[int] = []
    fences: list[Block] = []
    comments: list[Block] = []
    for token in _tokens(lines):
        first, last = _span(token)
        if token.type == "list_item_open" and token.level == 1:  # the list itself is level 0
            items.append(first)
        elif _is_top(token, "heading_open") and token.markup.startswith("#"):
            headings.append(Heading(first, len(token.markup)))
        elif _is_top(token, "fence"):
            # Every content line ends with a newline; the opening and closing lines are not content.
            closed = token.content.count("\n") == last - first - 1
            fences.append(Block(first, last, closed))
        elif _is_top(token, "html_block") and token.content.lstrip(" ").startswith("<!--"):
            comments.append(Block(first, last, closed="-->" in token.content))
    return Outline(tuple(headings), tuple(items), tuple(fences), tuple(comments))


def setext_headings(lines: Sequence[str]) -> tuple[tuple[Block, int], ...]:
    return tuple(
        (Block(*_span(token), closed=True), int(token.tag[1:]))
        for token in _tokens(lines)
        if _is_top(token, "heading_open") and not token.markup.startswith("#")
    )


def code_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the lines of code blocks, fenced or indented, and of HTML, at any depth."""
    kinds = ("fence", "code_block", "html_block")
    blocks = (_span(token) for token in _tokens(lines) if token.type in kinds)
    return frozenset(number for first, last in blocks for number in range(first, last + 1))


def takes_too_long(lines: Sequence[str]) -> bool:
    """Return True if interrupted quotes, which take quadratic time, may take over two seconds."""
    work = length = depth = 0
    for line in lines:
        if _BLANK.match(line):
            work += length * depth
            length = depth = 0
        else:
            length += 1
            quotes = _QUOTES.match(line)
            depth += quotes[0].count(">") if quotes else 0
    return work + length * depth > _MOST_QUOTE_WORK


def _tokens(lines: Sequence[str]) -> list[Token]:
    parser = _parser()
    tokens: list[Token] = []
    parser.block.parse("".join(map(as_single_line, lines)), parser, {}, tokens)
    return tokens


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 (40 ms, most runs never need it)

    return MarkdownIt("commonmark")


def _is_top(token: Token, kind: str) -> bool:
    return token.level == 0 and token.type == kind


def _span(token: Token) -> tuple[int, int]:
    begin, end = token.map or (0, 0)
    return begin + 1, end
