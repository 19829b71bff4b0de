"""A YAML text as values and nodes, and where an item can be added to one of its lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import yaml

from learnings.core.errors import WRONG_TAG
from learnings.core.patterns import lazy_pattern

# Characters, and levels of nesting: far above real configurations, which have some 20,000 and 6.
# The parser is pure Python; 5,000 open brackets take it half a minute.
_LARGEST, _DEEPEST = 100_000, 32
# Stands for the size of a node while that is counted.
_OPEN = -1


class UneditableYaml(Exception):
    """The text is not YAML that can be edited; str() says why, for the middle of a sentence."""


class ParsedYaml(NamedTuple):
    """The values in a document, as a safe loader reads them, and its root; None if it is empty."""

    data: Any
    root: yaml.Node | None


def parse_yaml(text: str) -> ParsedYaml:
    """Parse a text of one document. Raises Unreadable."""
    if len(text) > _LARGEST:
        raise UneditableYaml("it is too large")
    try:
        _refuse_costly(yaml.parse(text, Loader=yaml.SafeLoader))
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            return ParsedYaml(None, None)
        if _size(root, {}) > _LARGEST:
            raise UneditableYaml("its aliases multiply")
        return ParsedYaml(loader.construct_document(root), root)
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f" in line {mark.line + 1}" if mark is not None else ""
        reason = f": {problem}" if problem else ""
        raise UneditableYaml(f"it is not valid YAML{line}{reason}") from None
    except WRONG_TAG:  # such as the date 2026-13-45
        raise UneditableYaml("a value in it cannot be read") from None


def _refuse_costly(events: Iterable[yaml.Event]) -> None:
    """Raise Unreadable for a document that takes too long to read."""
    depth = documents = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > _DEEPEST:
            raise UneditableYaml("it is nested too deeply")
        if documents > 1:
            raise UneditableYaml("it holds several documents")


def _size(node: yaml.Node, sizes: dict[int, int]) -> int:
    """Return the number of nodes with every alias written out: aliases of aliases multiply.

    Raises Unreadable for an alias that stands for what it is part of.
    """
    key = id(node)
    if key not in sizes:
        sizes[key] = _OPEN
        sizes[key] = 1 + sum(_size(child, sizes) for child in _children(node))
    if sizes[key] == _OPEN:
        raise UneditableYaml("an alias in it stands for what it is part of")
    return sizes[key]


def _children(node: yaml.Node) -> Iterable[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


# The terminator of a line, or the end of the text.
_LINE_END = lazy_pattern(r"\r\n?|\n|\Z")


def list_under(root: yaml.Node | None, name: str) -> yaml.SequenceNode | None:
    """Return the list under a key of a mapping in block style; None unless its keys are unique."""
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return None
    names = [str(key.value) for key, _ in root.value]
    values = [value for key, value in root.value if key.value == name]
    if len(names) != len(set(names)) or len(values) != 1:
        return None
    return values[0] if isinstance(values[0], yaml.SequenceNode) else None


def is_block_list(text: str, node: yaml.Node) -> bool:
    """Return True for a list whose first character is its first dash, not a bracket or anchor."""
    return isinstance(node, yaml.SequenceNode) and text[node.start_mark.index] == "-"


def is_flow_list(text: str, node: yaml.Node) -> bool:
    """Return True for a list in brackets, without an anchor."""
    return isinstance(node, yaml.SequenceNode) and text[node.start_mark.index] == "["


def end_of(text: str, node: yaml.Node) -> int:
    """Return the offset behind the last character of a node, without what follows it.

    Asks the events: the node of an alias is that of its anchor, which is elsewhere.
    """
    first, last = node.start_mark.index, node.end_mark.index
    offset = first
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        start, end = _offset(event.start_mark), _offset(event.end_mark)
        is_leaf = isinstance(event, yaml.ScalarEvent | yaml.AliasEvent)
        is_flow_end = isinstance(event, yaml.CollectionEndEvent) and end > start
        if first <= start and end <= max(last, first) and (is_leaf or is_flow_end):
            offset = _scalar_end(text, event, start, end) if is_leaf else end
    return offset


def _offset(mark: Any) -> int:  # noqa: ANN401  (one of two classes, which YAML does not export)
    return int(mark.index)


def _scalar_end(text: str, event: yaml.Event, start: int, end: int) -> int:
    is_block = isinstance(event, yaml.ScalarEvent) and event.style in ("|", ">")
    # The marks of a block scalar include the blank lines behind it, which only `|+` and `>+` keep.
    if is_block and "+" not in text[start : line_end(text, start)]:
        return start + len(text[start:end].rstrip())
    return end


def line_after(text: str, sequence: yaml.SequenceNode) -> int:
    """Return the offset of the line behind a block list and the comments indented as it is.

    A comment at the margin can be about what comes next, so that it stays below.
    """
    offset = end_of(text, sequence)
    if text[offset - 1] not in "\r\n":
        offset = line_end(text, offset)
    position = offset
    while position < len(text):
        end = line_end(text, position)
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


def with_flow_item(text: str, sequence: yaml.SequenceNode, item: str, *, newline: str) -> str:
    """Return the text with an item at the end of a list in brackets that is not empty.

    Below the last one where the bracket closes on a line of its own, so that comments stay where
    they are; else beside it.
    """
    last = sequence.value[-1]
    end = end_of(text, last)
    if sequence.end_mark.line == last.end_mark.line:
        return f"{text[:end]}, {item}{text[end:]}"
    rest = text[end : line_end(text, end)]
    has_comma = rest.lstrip().startswith(",")
    indent = " " * last.start_mark.column
    first, second = ("", ",") if has_comma else (",", "")
    below = text[end + len(rest) :]
    return f"{text[:end]}{first}{rest}{indent}{item}{second}{newline}{below}"


def line_end(text: str, offset: int) -> int:
    """Return the offset behind the terminator of the line that `offset` is in."""
    match = _LINE_END.search(text, offset)
    return match.end() if match else len(text)
