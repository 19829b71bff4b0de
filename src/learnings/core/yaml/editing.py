"""Edits of a YAML text, and the proof, by another parser, that nothing else changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from learnings.core.text import number_text
from learnings.core.yaml import nodes
from learnings.core.yaml.parsing import BadYaml, parse

YamlPath = tuple[str | int, ...]
"""Keys, and 0-based indexes of items, on the way from the root to a value."""
YamlValue = Any  # a text, PlainText, number, truth value, None, or a list or mapping of these


class PlainText(str):
    """An ISO date or an id: text written without quotes."""

    __slots__ = ()


class SetValue(NamedTuple):
    path: YamlPath
    key: str
    value: YamlValue


class AddItem(NamedTuple):
    """Append to the list at a path; a missing or empty key gets the list."""

    path: YamlPath
    value: YamlValue


YamlEdit = SetValue | AddItem


class EditRefused(Exception):
    """An edit would change something else; str() says why, line is 1-based."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def require_own(root: nodes.YamlNode | None, edit: YamlEdit) -> None:
    """Raise EditRefused if an edit would change two places, or has no place."""
    node = root
    way = (*edit.path, edit.key) if isinstance(edit, SetValue) else edit.path
    for step in way:
        inner: nodes.YamlNode | None = None
        if isinstance(node, nodes.YamlMapping) and isinstance(step, str):
            inner = node.own(step)
        elif isinstance(node, nodes.YamlList) and isinstance(step, int):
            inner = node.items[step]
        elif node is not None and not nodes.is_nothing(node):
            raise EditRefused(node.line, "does not have the value to be changed")
        if inner is not None and (isinstance(inner, nodes.YamlAlias) or inner.anchor):
            raise EditRefused(inner.line, "uses an alias; write out the value")
        node = inner
    if node is None or nodes.is_nothing(node):
        return
    expects_list = isinstance(edit, AddItem) or isinstance(edit.value, list | tuple)
    if isinstance(node, nodes.YamlMapping) or isinstance(node, nodes.YamlList) is not expects_list:
        raise EditRefused(node.line, "is not a list" if expects_list else "is not a single value")


def prove(before: str, edits: Sequence[YamlEdit], after: str) -> None:
    """Raise EditRefused unless the new text has the edits and no other change."""
    expected: Any = plain(parse(before))
    for edit in edits:
        expected = _with(expected, edit)
    try:
        actual = plain(parse(after))
    except BadYaml as error:
        raise EditRefused(
            error.line, f"would not be valid YAML after the change: it {error}"
        ) from None
    if actual != expected:
        raise EditRefused(1, "is written in a form that cannot be changed safely")


def _with(root: Any, edit: YamlEdit) -> object:  # noqa: ANN401  (texts, lists, dicts)
    value = _plain_value(edit.value)
    if isinstance(edit, AddItem) and not edit.path:
        return [*(root or []), value]
    root = {} if root is None else root
    *way, name = (*edit.path, edit.key) if isinstance(edit, SetValue) else edit.path
    parent = root
    for step in way:
        parent = parent[step]
    if isinstance(edit, AddItem):
        items = parent.get(name)
        value = [*(items if isinstance(items, list) else ()), value]
    parent[name] = value
    return root


def _plain_value(value: YamlValue) -> object:
    if isinstance(value, Mapping):
        return {str(name): _plain_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_value(inner) for inner in value]
    if isinstance(value, bool) or value is None:
        return {None: "", True: "true", False: "false"}[value]
    return number_text(value) if isinstance(value, Decimal) else str(value).rstrip("\n")


def plain(node: nodes.YamlNode | None) -> object:
    node = None if node is None else nodes.followed(node)
    if isinstance(node, nodes.YamlMapping):
        return {
            key.text if isinstance(key, nodes.YamlScalar) else repr(plain(key)): plain(value)
            for key, value in node.pairs
        }
    if isinstance(node, nodes.YamlList):
        return [plain(item) for item in node.items]
    return node.text.rstrip("\n") if isinstance(node, nodes.YamlScalar) else None
