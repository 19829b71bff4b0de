"""Proof that a changed YAML text holds what it held, but for the changes.

It is read back by another reader than the one that wrote it, so that a value which the two take for
different things is not written.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from learnings.core.text import number_text
from learnings.core.yaml.editing import AddItem, Edit, EditRefused
from learnings.core.yaml.emitting import Value
from learnings.core.yaml.parsing import BadYaml, parse
from learnings.core.yaml.tree import Mapping, Node, Scalar, followed
from learnings.core.yaml.tree import Sequence as ListNode


def prove(before: str, edits: Sequence[Edit], after: str) -> None:
    """Raise EditRefused unless a text with edits holds what the edits say and nothing else."""
    expected = _expected(plain(parse(before)), edits)
    try:
        actual = plain(parse(after))
    except BadYaml as error:
        raise EditRefused(error.line, f"would be no YAML when it is changed: it {error}") from None
    if actual != expected:
        raise EditRefused(1, "is written in a form that cannot be changed without a risk")


def _expected(root: Any, edits: Sequence[Edit]) -> object:  # noqa: ANN401  (texts, lists, dicts)
    for edit in edits:
        if isinstance(edit, AddItem):
            root = _with_item(root, edit)
        else:
            root = {} if root is None else root
            _at(root, edit.path)[edit.key] = _plain_value(edit.value)
    return root


def _with_item(root: Any, edit: AddItem) -> object:  # noqa: ANN401
    value = _plain_value(edit.value)
    if not edit.path:
        return [*(root or []), value]
    root = {} if root is None else root
    *way, name = edit.path
    parent = _at(root, tuple(way))
    items = parent.get(name)
    parent[name] = [*(items if isinstance(items, list) else ()), value]
    return root


def _at(value: Any, path: Sequence[str | int]) -> Any:  # noqa: ANN401
    for step in path:
        value = value[step]
    return value


def _plain_value(value: Value) -> object:
    if isinstance(value, MappingType):
        return {str(name): _plain_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_value(inner) for inner in value]
    if isinstance(value, bool) or value is None:
        return {None: "", True: "true", False: "false"}[value]
    return number_text(value) if isinstance(value, Decimal) else str(value).rstrip("\n")


def plain(node: Node | None) -> object:
    """Return a value without its place: texts, lists and dicts.

    Line ends behind a text are left out: the last line of a file may get one.
    """
    node = None if node is None else followed(node)
    if isinstance(node, Mapping):
        return {_name(key): plain(value) for key, value in node.pairs}
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return node.text.rstrip("\n") if isinstance(node, Scalar) else None


def _name(key: Node) -> str:
    return key.text if isinstance(key, Scalar) else repr(plain(key))
