"""A YAML text as values and nodes, and where a line can be inserted behind a list in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import yaml

# Characters, and levels of nesting: far above real configurations, which have some 20,000 and 6.
# The parser is pure Python; 5,000 open brackets take it half a minute.
_LARGEST, _DEEPEST = 100_000, 32
# The terminator of a line, or the end of the text.
_LINE_END = re.compile(r"\r\n?|\n|\Z")


class Unreadable(Exception):
    """The text is not YAML that can be edited; str() says why, for the middle of a sentence."""


class Parsed(NamedTuple):
    """The values in a document, as a safe loader reads them, and its root; None if it is empty."""

    data: Any
    root: yaml.Node | None


def parse(text: str) -> Parsed:
    """Parse a text of one document. Raises Unreadable."""
    if len(text) > _LARGEST:
        raise Unreadable("it is too large")
    try:
        _check(yaml.parse(text, Loader=yaml.SafeLoader))
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        return Parsed(loader.construct_document(root) if root else None, root)
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f" in line {mark.line + 1}" if mark is not None else ""
        reason = f": {problem}" if problem else ""
        raise Unreadable(f"it is not valid YAML{line}{reason}") from None
    except ValueError:  # such as the date 2026-13-45
        raise Unreadable("a value in it cannot be read") from None


def _check(events: Iterable[yaml.Event]) -> None:
    """Raise Unreadable for a document that takes too long to read or to compare."""
    depth = documents = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > _DEEPEST:
            raise Unreadable("it is nested too deeply")
        if documents > 1:
            raise Unreadable("it holds several documents")
        if isinstance(event, yaml.AliasEvent):  # aliases of aliases multiply
            raise Unreadable("it has aliases")


def block_list(text: str, root: yaml.Node | None, name: str) -> yaml.SequenceNode | None:
    """Return the list under a key of a mapping; None unless both are block style, keys unique."""
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return None
    names = [str(key.value) for key, _ in root.value]
    values = [value for key, value in root.value if key.value == name]
    if len(names) != len(set(names)) or len(values) != 1 or not is_block_list(text, values[0]):
        return None
    sequence: yaml.SequenceNode = values[0]
    return sequence


def is_block_list(text: str, node: yaml.Node) -> bool:
    """Return True for a list whose first character is its first dash, not a bracket or anchor."""
    return isinstance(node, yaml.SequenceNode) and text[node.start_mark.index] == "-"


def end_of(text: str, node: yaml.Node) -> int:
    """Return the offset behind the last character of a node, without what follows it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style:
        last = node.value[-1]
        node = last[1] if isinstance(node, yaml.MappingNode) else last
    start, end = node.start_mark.index, node.end_mark.index
    is_block = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    # The marks of a block scalar include the blank lines behind it, which only `|+` and `>+` keep.
    if is_block and "+" not in text[start : _line_end(text, start)]:
        return start + len(text[start:end].rstrip())
    return end


def line_after(text: str, sequence: yaml.SequenceNode) -> int:
    """Return the offset of the line behind a block list and the comments indented as it is.

    A comment at the margin can be about what comes next, so that it stays below.
    """
    offset = end_of(text, sequence)
    if text[offset - 1] not in "\r\n":
        offset = _line_end(text, offset)
    position = offset
    while position < len(text):
        end = _line_end(text, position)
        line = text[position:end]
        comment = line.lstrip()
        if comment and not comment.startswith("#"):
            break
        if comment:
            if len(line) - len(comment) < max(sequence.start_mark.column, 1):
                break
            offset = end
        position = end
    return offset


def _line_end(text: str, offset: int) -> int:
    """Return the offset behind the terminator of the line that `offset` is in."""
    match = _LINE_END.search(text, offset)
    return match.end() if match else len(text)
