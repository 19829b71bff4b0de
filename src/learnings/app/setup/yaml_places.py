"""Where lines can be put into a YAML text so that each comment stays with what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from learnings.app.setup.edit import line_end, line_start
from learnings.app.setup.yaml_layout import Node


def behind(text: str, node: Node, column: int) -> int:
    """The offset of the line at which something can follow an item of a block in `column`.

    Comments that are indented further belong to the item, those as far as the block to the block;
    at column 0 these may be about what comes next, so that they count only where nothing does.
    """
    at = node.end
    if at and text[at - 1] not in "\r\n":
        at = line_end(text, at)
    found, next_line = at, at
    is_last = all(not line.strip() or line.startswith("#") for line in _lines(text[at:]))
    while next_line < len(text):
        end = line_end(text, next_line)
        line = text[next_line:end]
        indent = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith("#"):
            break
        if line.strip():
            if indent < column or (indent == column == 0 and not is_last):
                break
            found = end
        next_line = end
    return found


def _lines(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = line_end(text, at)
        yield text[at:end]
        at = end


def before(text: str, node: Node) -> int:
    """The offset of the line at which something can precede the first key of a document.

    Comments right above the key stay with it, unless they begin the document.
    """
    key = at = line_start(text, node.start)
    while at:
        above = line_start(text, at - 1 if text[at - 2 : at] != "\r\n" else at - 2)
        line = text[above:at].strip()
        if not line.startswith("#"):
            return key if line.startswith(("---", "%")) else at
        at = above
    return key


def is_spaced(text: str, sequence: Node) -> bool:
    """Whether blank lines stand between the items of a block sequence."""
    gaps = [text[one.end : other.start] for one, other in pairwise(sequence.children)]
    return bool(gaps) and all(
        any(not line.strip() for line in list(_lines(gap))[1:-1]) for gap in gaps
    )
