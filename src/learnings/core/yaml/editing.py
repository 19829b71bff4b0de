"""Changes of a YAML text that keep its comments, its order, its quotes and what nobody asked about.

The writer is ruamel.yaml's round trip, as close to the form of the file as that comes: a text that
was wrapped without a sign of it stands on one line afterwards.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from learnings.core.errors import WRONG_TAG
from learnings.core.text import BOM, newline_of
from learnings.core.yaml.emitting import Value, emitted, represent_decimals
from learnings.core.yaml.parsing import parse
from learnings.core.yaml.scalars import is_nothing
from learnings.core.yaml.tree import Alias, Mapping, Node
from learnings.core.yaml.tree import Sequence as ListNode

if TYPE_CHECKING:
    from ruamel.yaml import YAML

# Columns: no text is wrapped that was not.
_WIDTH = 10**6
# How far a list is indented, and its dash in that, where no list of the file shows it.
_INDENT, _OFFSET = 4, 2

# What ruamel.yaml raises, beside errors of its own, for forms of YAML that it does not write.
_FAILURES = (*WRONG_TAG, TypeError, AssertionError, NotImplementedError)

Path = tuple[str | int, ...]
"""Keys, and the indexes of items from 0, on the way from the root to a value."""


class SetValue(NamedTuple):
    """A key of the mapping at a path gets a value, whether it has one or not."""

    path: Path
    key: str
    value: Value


class AddItem(NamedTuple):
    """The list at a path gets an item at its end; a key that is missing or empty gets the list."""

    path: Path
    value: Value


Edit = SetValue | AddItem


class EditRefused(Exception):
    """A text in which a change would touch something else; str() says why, line is 1-based."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with changes. Raises BadYaml for one that is not YAML, EditRefused."""
    tree = parse(text)
    for edit in edits:
        _require_own(tree, edit)
    body = text.removeprefix(BOM)
    after = _rewritten(body, _writer(text, tree), edits, is_empty=tree is None)
    if tree is None:  # comments perhaps, which ruamel.yaml drops where there is no value
        after = body + ("" if not body or body.endswith("\n") else "\n") + after
    if body and not body.endswith(("\n", "\r")):
        after = after.removesuffix("\n")
    newline = newline_of(text)
    mark = BOM if text.startswith(BOM) else ""
    return mark + (after if newline == "\n" else after.replace("\n", newline))


def _rewritten(text: str, writer: YAML, edits: Sequence[Edit], *, is_empty: bool) -> str:
    """Return what ruamel.yaml makes of a text; raises EditRefused where it does not take it."""
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415  (to write a store)

    try:
        root = None if is_empty else writer.load(text)
        for edit in edits:
            root = _with(root, edit)
        return _dumped(writer, root)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context).partition("\n")[0]
        raise EditRefused(mark.line + 1 if mark else 1, f"cannot be written: {problem}") from None
    except (YAMLError, *_FAILURES) as error:
        raise EditRefused(1, f"cannot be written: {type(error).__name__}") from None


def _writer(text: str, tree: Node | None) -> YAML:
    """Return a reader and writer that keeps to the form of a text."""
    from ruamel.yaml import YAML  # noqa: PLC0415  (where a store is written)

    from learnings.core.yaml.verbatim import keep_plain_scalars  # noqa: PLC0415  (as above)

    writer = YAML()
    writer.preserve_quotes = True
    keep_plain_scalars(writer)
    represent_decimals(writer.representer)
    writer.width = _WIDTH
    writer.explicit_start = text.startswith("---")
    indent, offset = _list_form(text, tree)
    writer.indent(mapping=2, sequence=indent, offset=offset)
    return writer


def _list_form(text: str, tree: Node | None) -> tuple[int, int]:
    """Return how far the first list of lines is indented below its key, and its dash."""
    for key, value in tree.pairs if isinstance(tree, Mapping) else ():
        if isinstance(value, ListNode) and not value.is_flow and value.items:
            item = value.items[0]
            line = text.rfind("\n", 0, item.start) + 1
            dash = text.rfind("-", line, item.start)
            if dash >= 0:  # else it stands alone on a line above
                return item.indent - key.indent, dash - line - key.indent
    return _INDENT, _OFFSET


def _dumped(writer: YAML, root: object) -> str:
    stream = io.StringIO()
    writer.dump(root, stream)
    return stream.getvalue()


def _with(root: Any, edit: Edit) -> Any:  # noqa: ANN401  (what ruamel.yaml makes of a text)
    from learnings.core.yaml.verbatim import is_null  # noqa: PLC0415  (where a store is written)

    if root is None:
        root = emitted([] if isinstance(edit, AddItem) and not edit.path else {})
    if isinstance(edit, SetValue):
        _set(_at(root, edit.path), edit.key, emitted(edit.value))
        return root
    if not edit.path:
        root.append(emitted(edit.value))
        return root
    *way, name = edit.path
    parent = _at(root, tuple(way))
    if is_null(parent.get(name)):
        _set(parent, str(name), emitted([edit.value]))
    else:
        parent[name].append(emitted(edit.value))
    return root


def _set(mapping: Any, name: str, value: object) -> None:  # noqa: ANN401
    """Set a key; a list that only grows keeps its form.

    A new key goes before the last one, to whose end the comments below the mapping belong.
    """
    old = mapping.get(name)
    if isinstance(old, list) and isinstance(value, list) and value[: len(old)] == old:
        old.extend(value[len(old) :])
    elif name in mapping or len(mapping) < 2:
        mapping[name] = value
    else:
        mapping.insert(len(mapping) - 1, name, value)


def _at(value: Any, path: Path) -> Any:  # noqa: ANN401
    for step in path:
        value = value[step]
    return value


def _require_own(root: Node | None, edit: Edit) -> None:
    """Raise EditRefused where a change would be one in two places, or has no place."""
    node = root
    way = (*edit.path, edit.key) if isinstance(edit, SetValue) else edit.path
    for step in way:
        inner: Node | None = None
        if isinstance(node, Mapping) and isinstance(step, str):
            inner = node.own(step)
        elif isinstance(node, ListNode) and isinstance(step, int):
            inner = node.items[step]
        elif node is not None and not is_nothing(node):
            raise EditRefused(node.line, "holds something else than what is changed there")
        if inner is not None and (isinstance(inner, Alias) or inner.anchor):
            raise EditRefused(inner.line, "is written by way of an alias; write it out")
        node = inner
    if node is None or is_nothing(node):
        return
    expects_list = isinstance(edit, AddItem) or isinstance(edit.value, list | tuple)
    if isinstance(node, Mapping) or isinstance(node, ListNode) is not expects_list:
        raise EditRefused(node.line, "is no list" if expects_list else "is not a single value")
