"""Proof that a changed YAML text holds what it held, but for the changes.

It is read back by ruamel.yaml, a reader that has no line in common with ours and keeps to YAML 1.2
as ours keeps to YAML 1.1: a value that the two take for different things is not written.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from collections.abc import Sequence
from typing import Any

from learnings.core.yaml.editing import AddItem, Edit, EditRefused, plain
from learnings.core.yaml.emitting import Value, flow
from learnings.core.yaml.parsing import BadYaml, parse


def prove(before: str, edits: Sequence[Edit], after: str, *, twice: bool = True) -> None:
    """Raise EditRefused unless a text with edits holds what the edits say and nothing else.

    twice: another reader looks at it as well, which for two hundred entries takes 0.4 s.
    """
    expected = _expected(plain(parse(before)), edits)
    try:
        actual = plain(parse(after))
    except BadYaml as error:
        raise EditRefused(error.line, f"would be no YAML when it is changed: it {error}") from None
    if actual != expected or (twice and _read_again(after) != expected):
        raise EditRefused(1, "is written in a form that cannot be changed without a risk")


def _expected(root: Any, edits: Sequence[Edit]) -> object:  # noqa: ANN401  (texts, lists, pairs)
    for edit in edits:
        if isinstance(edit, AddItem):
            root = _with_item(root, edit)
            continue
        root = {"pairs": []} if root is None else root
        _set(_at(root, edit.path), edit.key, _plain_value(edit.value))
    return root


def _with_item(root: Any, edit: AddItem) -> object:  # noqa: ANN401
    value = _plain_value(edit.value)
    if not edit.path:
        return [*(root or []), value]
    root = {"pairs": []} if root is None else root
    *way, name = edit.path
    parent = _at(root, tuple(way))
    items = next((held for key, held in parent["pairs"] if key == name), None)
    _set(parent, str(name), [*(items if isinstance(items, list) else ()), value])
    return root


def _at(value: Any, path: Sequence[str | int]) -> Any:  # noqa: ANN401
    for step in path:
        pairs = value if isinstance(step, int) else dict(value["pairs"])
        value = pairs[step]
    return value


def _set(mapping: Any, name: str, value: object) -> None:  # noqa: ANN401
    pairs = mapping["pairs"]
    index = next((i for i, (key, _) in enumerate(pairs) if key == name), len(pairs))
    pairs[index : index + 1] = [(name, value)]


def _plain_value(value: Value) -> object:
    if isinstance(value, MappingType):
        return {"pairs": [(str(name), _plain_value(inner)) for name, inner in value.items()]}
    if isinstance(value, list | tuple):
        return [_plain_value(inner) for inner in value]
    return str(value).rstrip("\n") if isinstance(value, str) else flow(value)


def _read_again(text: str) -> object:
    from ruamel.yaml import YAML  # noqa: PLC0415  (where a store is written)
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415  (as above)

    try:
        return _plain_node(YAML(typ="safe", pure=True).compose(text))
    except YAMLError:
        return None


def _plain_node(node: Any) -> object:  # noqa: ANN401  (a class of a package loaded lazily)
    if node is None:
        return None
    if node.id == "mapping":
        return {"pairs": [(_plain_node(key), _plain_node(value)) for key, value in node.value]}
    if node.id == "sequence":
        return [_plain_node(item) for item in node.value]
    return str(node.value).rstrip("\n")
