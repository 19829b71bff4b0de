"""What a scalar means: a text, a number, true or false, nothing; as YAML 1.2 has it."""

from __future__ import annotations

import re
from decimal import Decimal

from learnings.core.patterns import lazy_pattern
from learnings.core.yaml.tree import Node, Scalar, followed

_PREFIX = "tag:yaml.org,2002:"
TAGS = tuple(f"{_PREFIX}{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map"))
"""The tags that values may have; any other one asks a reader to do something with the value."""

_NULL = lazy_pattern(r"~|null|Null|NULL|")
_BOOLEAN = lazy_pattern(r"true|True|TRUE|false|False|FALSE")
_WHOLE = lazy_pattern(r"[-+]?[0-9]+")
# A number in decimals, also as 5e-1: digits before or behind the point.
_NUMBER = lazy_pattern(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 30  # characters, an exponent included; chosen: twice what a double has


def is_nothing(node: Node | None) -> bool:
    """Return True for a value that is not there, or is null."""
    node = None if node is None else followed(node)
    return node is None or _matches(node, _NULL, "null")


def text_of(node: Node | None) -> str | None:
    """Return a value as text: any scalar but null, as it is written; None for everything else."""
    node = None if node is None else followed(node)
    if not isinstance(node, Scalar) or is_nothing(node):
        return None
    return node.text


def boolean_of(node: Node | None) -> bool | None:
    """Return true or false, None for everything else."""
    node = None if node is None else followed(node)
    if not isinstance(node, Scalar) or not _matches(node, _BOOLEAN, "bool"):
        return None
    return node.text.lower() == "true"


def number_of(node: Node | None) -> Decimal | None:
    """Return a number exactly as it is written, None for everything else and a quoted one."""
    node = None if node is None else followed(node)
    if not isinstance(node, Scalar) or len(node.text) > _LONGEST_NUMBER:
        return None
    if not (_matches(node, _NUMBER, "float") or _matches(node, _WHOLE, "int")):
        return None
    # An exponent of many digits would make a number that fills the memory when it is written out.
    exponent = node.text.lower().partition("e")[2]
    return Decimal(node.text) if len(exponent) < len("-100") else None


def whole_of(node: Node | None) -> int | None:
    """Return a whole number, None for everything else."""
    node = None if node is None else followed(node)
    number = number_of(node)
    if number is None or not isinstance(node, Scalar) or not _WHOLE.fullmatch(node.text):
        return None
    return int(number)


def wrong_tag(node: Node) -> str | None:
    """Return the tag of a value if it is none of those that values may have, or does not fit."""
    if node.tag is None or node.tag == "!":
        return None
    if node.tag not in TAGS:
        return node.tag
    fits = {"int": whole_of, "float": number_of, "bool": boolean_of}.get(node.tag[len(_PREFIX) :])
    return node.tag if fits is not None and fits(node) is None else None


def _matches(node: Node, pattern: re.Pattern[str], tag: str) -> bool:
    """Return True for a plain scalar that a pattern matches, or one with a tag that says so."""
    if not isinstance(node, Scalar) or not pattern.fullmatch(node.text):
        return False
    return node.tag == f"{_PREFIX}{tag}" or (node.tag is None and not node.style)
