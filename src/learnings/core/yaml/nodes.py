"""The values of a YAML text with their places, read by YAML 1.2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern

MERGE = "<<"
"""The key whose value is a mapping, or a list of mappings, with defaults for this one."""


class YamlPlace(NamedTuple):
    """The slice text[start:end] of a value, its line (1-based) and its column (0-based)."""

    start: int
    end: int
    line: int
    indent: int


class YamlNode:
    """A value with its place; size counts its values with every alias expanded."""

    def __init__(self, place: YamlPlace, anchor: str | None = None, tag: str | None = None) -> None:
        self.start, self.end, self.line, self.indent = place
        self.anchor, self.tag = anchor, tag
        self.size = 1


class YamlScalar(YamlNode):
    """A scalar; style is its quote, `|`, `>` or empty for a plain one."""

    text: str
    style: str


class YamlList(YamlNode):
    """A list, in brackets if is_flow."""

    items: list[YamlNode]
    is_flow: bool


class YamlMapping(YamlNode):
    """A mapping, in braces if is_flow; duplicate is the second of two equal keys."""

    pairs: list[tuple[YamlNode, YamlNode]]
    is_flow: bool
    duplicate: YamlScalar | None

    def own(self, name: str) -> YamlNode | None:
        """Return the value written for a key without following an alias, or None."""
        for key, value in self.pairs:
            if isinstance(key, YamlScalar) and key.text == name:
                return value
        return None

    def get(self, name: str) -> YamlNode | None:
        """Return the value of a key, following aliases and merges, or None."""
        value = self.own(name)
        if value is not None:
            return followed(value)
        return next((value for m in self.merged() if (value := m.get(name)) is not None), None)

    def merged(self) -> Iterator[YamlMapping]:
        value = self.own(MERGE)
        value = followed(value) if value is not None else None
        for node in value.items if isinstance(value, YamlList) else [value]:
            mapping = followed(node) if node is not None else None
            if isinstance(mapping, YamlMapping):
                yield mapping

    def names(self) -> dict[str, YamlNode]:
        return {key.text: key for key, _ in self.pairs if isinstance(key, YamlScalar)}


class YamlAlias(YamlNode):
    target: YamlNode


def followed(node: YamlNode) -> YamlNode:
    return node.target if isinstance(node, YamlAlias) else node


_TAG_PREFIX = "tag:yaml.org,2002:"
TAGS = tuple(
    f"{_TAG_PREFIX}{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map")
)
"""The allowed tags; any other tag asks a reader to do something with the value."""

_NULL = lazy_pattern(r"~|null|Null|NULL|")
_BOOLEAN = lazy_pattern(r"true|True|TRUE|false|False|FALSE")
_WHOLE = lazy_pattern(r"[-+]?[0-9]+")
# A decimal number, also as 5e-1, with digits before or after the point.
_NUMBER = lazy_pattern(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 30  # characters, including an exponent; chosen: twice the digits of a double


def is_nothing(node: YamlNode | None) -> bool:
    node = None if node is None else followed(node)
    return node is None or _matches(node, _NULL, "null")


def _scalar_of(node: YamlNode | None) -> YamlScalar | None:
    value = None if node is None else followed(node)
    return value if isinstance(value, YamlScalar) else None


def text_of(node: YamlNode | None) -> str | None:
    """Return the text of a scalar that is not null, or None."""
    scalar = _scalar_of(node)
    return None if scalar is None or is_nothing(scalar) else scalar.text


def boolean_of(node: YamlNode | None) -> bool | None:
    scalar = _scalar_of(node)
    if scalar is None or not _matches(scalar, _BOOLEAN, "bool"):
        return None
    return scalar.text.lower() == "true"


def number_of(node: YamlNode | None) -> Decimal | None:
    """Return a number exactly as written, or None for anything else (also quoted ones)."""
    node = _scalar_of(node)
    if node is None or len(node.text) > _LONGEST_NUMBER:
        return None
    if not (_matches(node, _NUMBER, "float") or _matches(node, _WHOLE, "int")):
        return None
    # A large exponent would make a number that exhausts the memory when expanded.
    exponent = node.text.lower().partition("e")[2]
    return Decimal(node.text) if len(exponent) < len("-100") else None


def whole_of(node: YamlNode | None) -> int | None:
    scalar, number = _scalar_of(node), number_of(node)
    if scalar is None or number is None or not _WHOLE.fullmatch(scalar.text):
        return None
    return int(number)


def wrong_tag(node: YamlNode) -> str | None:
    if node.tag is None or node.tag == "!":
        return None
    if node.tag not in TAGS:
        return node.tag
    fits = {"int": whole_of, "float": number_of, "bool": boolean_of}.get(
        node.tag[len(_TAG_PREFIX) :]
    )
    return node.tag if fits is not None and fits(node) is None else None


def _matches(node: YamlNode, pattern: re.Pattern[str], tag: str) -> bool:
    """Return True for a plain scalar, or one with this tag, that a pattern matches."""
    if not isinstance(node, YamlScalar) or not pattern.fullmatch(node.text):
        return False
    return node.tag == f"{_TAG_PREFIX}{tag}" or (node.tag is None and not node.style)
