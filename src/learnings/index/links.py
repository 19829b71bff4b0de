"""An index of links: rows that lead to files, as `- [Title](file.md) — what it says`.

Coding agents keep one in `MEMORY.md`, beside a file for each memory, and load it when they start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern

# A link to a Markdown file that is no URL; group 1 is the title, 2 the path without `#…`.
_LINK = lazy_pattern(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?(?![a-z][a-z0-9+.-]*:)([^()<>\s#]+\.mdx?)(?:#[^()\s]*)?>?\)"
)
# Other ways to name a file: `[[name]]`, `` `name.md` ``.
_NAME = lazy_pattern(r"\[\[([^\[\]|#]+)|`([^`\s]+\.mdx?)`")
# What stands between a link and the words about it.
_BEFORE_HOOK = " \t:–—-·|"
# So many links make an index of a file that holds other items as well: fewer may well stand in a
# memory that only refers to some details. Chosen: two indexes at hand have 1 of 1 and 21 of 65.
_SURELY = 5


class LinkRow(NamedTuple):
    """A link in an index: its line (1-based), title, path as written, and the words behind it.

    hook is empty where another link follows, or nothing does.
    """

    line: int
    title: str
    path: str
    hook: str


def link_rows(lines: Sequence[str], outline: Outline) -> Iterator[LinkRow]:
    """Give the links of a file to others in its items and tables, code and comments left out."""
    hidden = outline.hidden_lines()
    for number, line in enumerate(lines, start=1):
        if number in hidden or "](" not in line or line.startswith("#"):
            continue
        links = list(_LINK.finditer(line))
        for link in links:
            hook = line[link.end() :].strip(_BEFORE_HOOK + "\r\n") if len(links) == 1 else ""
            yield LinkRow(number, link[1].strip(), link[2], hook)


def names_in(lines: Sequence[str]) -> frozenset[str]:
    """Return the names of files that a text has other than in links, without their ending."""
    found = (match for line in lines for match in _NAME.finditer(line))
    return frozenset((match[1] or match[2]).strip().removesuffix(".md") for match in found)


def is_link_index(lines: Sequence[str], outline: Outline) -> bool:
    """Return True if a file is an index of others: most of its items are links, or many are."""
    rows = {row.line for row in link_rows(lines, outline)}
    if not rows:
        return False
    items = {item.line for item in outline.items}
    tables = {n for n, line in enumerate(lines, start=1) if line.startswith("|")}
    in_rows = len(rows & (items | tables))
    return in_rows >= _SURELY or (in_rows > 0 and 2 * in_rows >= len(items))
