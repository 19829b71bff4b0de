"""A YAML text as values and nodes, as far as it can be read without harm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import yaml

from learnings.core.errors import WRONG_TAG

# Characters, and levels of nesting: far above real configurations, which have some 20,000 and 6.
# The parser is pure Python; 5,000 open brackets take it half a minute.
_LARGEST, _DEEPEST = 100_000, 32
# Stands for the size of a node while that is counted.
_OPEN = -1


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
        if root is None:
            return Parsed(None, None)
        if _size(root, {}) > _LARGEST:
            raise Unreadable("its aliases multiply")
        return Parsed(loader.construct_document(root), root)
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f" in line {mark.line + 1}" if mark is not None else ""
        reason = f": {problem}" if problem else ""
        raise Unreadable(f"it is not valid YAML{line}{reason}") from None
    except WRONG_TAG:  # such as the date 2026-13-45
        raise Unreadable("a value in it cannot be read") from None


def _check(events: Iterable[yaml.Event]) -> None:
    """Raise Unreadable for a document that takes too long to read."""
    depth = documents = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > _DEEPEST:
            raise Unreadable("it is nested too deeply")
        if documents > 1:
            raise Unreadable("it holds several documents")


def _size(node: yaml.Node, sizes: dict[int, int]) -> int:
    """Return the number of nodes with every alias written out: aliases of aliases multiply.

    Raises Unreadable for an alias that stands for what it is part of.
    """
    key = id(node)
    if key not in sizes:
        sizes[key] = _OPEN
        sizes[key] = 1 + sum(_size(child, sizes) for child in _children(node))
    if sizes[key] == _OPEN:
        raise Unreadable("an alias in it stands for what it is part of")
    return sizes[key]


def _children(node: yaml.Node) -> Iterable[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []
