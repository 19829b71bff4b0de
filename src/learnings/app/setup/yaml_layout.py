"""Where things stand in a YAML text, so that it can be edited without being written anew.

Writing YAML anew, even with a library made for round trips, moves comments, indentation and quotes
of what nobody asked to change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from learnings.app.setup.edit import line_end

if TYPE_CHECKING:
    from collections.abc import Iterable

    import yaml

_LARGEST = 100_000  # nodes, with each alias counted as what it stands for


class Unreadable(Exception):
    """The text is no YAML that can be edited; str() says why, for the middle of a sentence."""


@dataclass(slots=True)
class Node:
    """A value in the text, from offset `start` to `end`, its first character in `column`, from 0.

    A mapping has its keys and values alternately as `children`. A block collection ends where its
    last child does: what follows are comments, which are nobody's.
    """

    kind: Literal["scalar", "mapping", "sequence", "alias"]
    start: int
    end: int
    column: int
    value: str = ""
    is_flow: bool = False
    children: list[Node] = field(default_factory=list)

    def entry(self, name: str) -> tuple[Node, Node] | None:
        """The key of a mapping and its value, by the text of the key."""
        if self.kind == "mapping":
            for key, value in zip(self.children[::2], self.children[1::2], strict=True):
                if key.kind == "scalar" and key.value == name:
                    return key, value
        return None

    def has_keys_twice(self) -> bool:
        """Whether a mapping has a key twice, of which YAML readers keep one or the other."""
        names = [key.value for key in self.children[::2] if key.kind == "scalar"]
        return self.kind == "mapping" and len(names) != len(set(names))


def load(text: str) -> Any:  # noqa: ANN401  (whatever the document holds)
    """The values in a YAML text of one document, as pre-commit reads them.

    Raises Unreadable.
    """
    import yaml  # noqa: PLC0415  (for this command only)

    layout_of(text)
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise Unreadable(_explained(error)) from None
    except (RecursionError, ValueError):  # a date that is none, an alias within itself
        raise Unreadable("a value in it cannot be read") from None


def layout_of(text: str) -> Node | None:
    """The layout of the only document in a YAML text, None where there is none.

    Raises Unreadable for what is no YAML, for several documents, and for aliases that multiply.
    """
    import yaml  # noqa: PLC0415

    try:
        events = list(yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise Unreadable(_explained(error)) from None
    documents = sum(isinstance(event, yaml.DocumentStartEvent) for event in events)
    if documents > 1:
        raise Unreadable("it holds several documents")
    if _expanded(events) > _LARGEST:
        raise Unreadable("it is too large, or its aliases multiply")
    return _tree(events, text)


def _explained(error: yaml.YAMLError) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    place = f" in line {mark.line + 1}" if mark is not None else ""
    return f"it is no valid YAML{place}" + (f": {problem}" if problem else "")


def _tree(events: Iterable[yaml.Event], text: str) -> Node | None:
    import yaml  # noqa: PLC0415

    open_nodes: list[Node] = []
    root: Node | None = None
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            _close(open_nodes.pop(), event)
        elif isinstance(event, yaml.NodeEvent):
            node = _node(event, text)
            if open_nodes:
                open_nodes[-1].children.append(node)
            root = root or node
            if isinstance(event, yaml.CollectionStartEvent):
                open_nodes.append(node)
    return root


def _close(node: Node, event: yaml.Event) -> None:
    if node.is_flow:
        node.end = _span(event)[1]
    else:  # a block has at least one
        node.end = node.children[-1].end


def _node(event: yaml.NodeEvent, text: str) -> Node:
    import yaml  # noqa: PLC0415

    start, end, column = _span(event)
    match event:
        case yaml.ScalarEvent():
            if event.style in ("|", ">") and "+" not in text[start : line_end(text, start)]:
                end = start + len(text[start:end].rstrip())  # its marks include blank lines
            return Node("scalar", start, end, column, event.value)
        case yaml.MappingStartEvent():
            return Node("mapping", start, end, column, is_flow=bool(event.flow_style))
        case yaml.SequenceStartEvent():
            return Node("sequence", start, end, column, is_flow=bool(event.flow_style))
        case _:
            return Node("alias", start, end, column)


def _span(event: yaml.Event) -> tuple[int, int, int]:
    start, end = event.start_mark, event.end_mark
    assert start is not None
    assert end is not None
    return start.index, end.index, start.column


def _expanded(events: Iterable[yaml.Event]) -> int:
    """The number of nodes in a document, with each alias counted as what it stands for."""
    import yaml  # noqa: PLC0415

    sizes: dict[str, int] = {}
    around: list[tuple[str | None, int]] = []
    total = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            total += sizes.get(event.anchor or "", 1)
        elif isinstance(event, yaml.NodeEvent):
            total += 1
            if isinstance(event, yaml.CollectionStartEvent):
                around.append((event.anchor, total - 1))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = around.pop()
            if anchor is not None:
                sizes[anchor] = total - before
    return total
