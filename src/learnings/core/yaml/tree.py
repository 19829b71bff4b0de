"""The values in a YAML text, each with the characters that it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MERGE = "<<"
"""The key whose value is a mapping, or a list of them, with values that are not set here."""


class Place(NamedTuple):
    """Where a value stands: text[start:end], its line, 1-based, the characters before it there."""

    start: int
    end: int
    line: int
    indent: int


class Node:
    """A value at its place, anchor and tag included: see Place.

    size counts the values in it, with every alias written out. A block mapping or list ends where
    its last value does.
    """

    __slots__ = ("anchor", "end", "indent", "line", "size", "start", "tag")

    def __init__(self, place: Place, anchor: str | None = None, tag: str | None = None) -> None:
        self.start, self.end, self.line, self.indent = place
        self.anchor, self.tag = anchor, tag
        self.size = 1


class Scalar(Node):
    """A text, number, date or nothing; style is "" for a plain one, else ', ", | or >."""

    __slots__ = ("style", "text")

    text: str
    style: str


class Sequence(Node):
    """A list; is_flow: it stands in brackets."""

    __slots__ = ("is_flow", "items")

    items: list[Node]
    is_flow: bool


class Mapping(Node):
    """Keys with their values; is_flow: it stands in braces.

    duplicate is the second one of two keys that are the same, None where there is none.
    """

    __slots__ = ("duplicate", "is_flow", "pairs")

    pairs: list[tuple[Node, Node]]
    is_flow: bool
    duplicate: Scalar | None

    def own(self, name: str) -> Node | None:
        """Return the value of a key as it is written here, an alias as such; None for no key."""
        return next((value for key, value in self.pairs if _is_key(key, name)), None)

    def get(self, name: str) -> Node | None:
        """Return the value of a key, with aliases followed, from a merged mapping if it has one."""
        value = self.own(name)
        if value is not None:
            return followed(value)
        return next((value for m in self.merged() if (value := m.get(name)) is not None), None)

    def merged(self) -> Iterator[Mapping]:
        """Give the mappings that are merged into this one."""
        value = self.own(MERGE)
        value = followed(value) if value is not None else None
        for node in value.items if isinstance(value, Sequence) else [value]:
            mapping = followed(node) if node is not None else None
            if isinstance(mapping, Mapping):
                yield mapping

    def names(self) -> dict[str, Node]:
        """Return the keys that are texts, each with the node it is written as; own ones only."""
        return {key.text: key for key, _ in self.pairs if isinstance(key, Scalar)}


class Alias(Node):
    """A reference to a value that is written elsewhere."""

    __slots__ = ("target",)

    target: Node


def followed(node: Node) -> Node:
    """Return the value that a node stands for."""
    return node.target if isinstance(node, Alias) else node


def _is_key(key: Node, name: str) -> bool:
    return isinstance(key, Scalar) and key.text == name
