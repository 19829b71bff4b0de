"""Lists in a YAML text: where they are, and where an item can be added to one."""

from __future__ import annotations

from typing import Any

import yaml

from learnings.core.patterns import lazy_pattern

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
        start, end = _index(event.start_mark), _index(event.end_mark)
        is_leaf = isinstance(event, yaml.ScalarEvent | yaml.AliasEvent)
        is_flow_end = isinstance(event, yaml.CollectionEndEvent) and end > start
        if first <= start and end <= max(last, first) and (is_leaf or is_flow_end):
            offset = _scalar_end(text, event, start, end) if is_leaf else end
    return offset


def _index(mark: Any) -> int:  # noqa: ANN401  (one of two classes, which YAML does not export)
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
