"""Changes to a YAML text that keep its comments, order and quotes, and the proof of that.

The writer is ruamel.yaml's round trip, as close to the form of the file as that comes: a text that
was wrapped without a sign of it stands on one line afterwards.

The proof reads the result back with another reader than the one that wrote it, so that a value
which the two take for different things is not written.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from collections.abc import Mapping as MappingType
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, newline_of, number_text
from learnings.core.yaml.nodes import (
    YamlAlias,
    YamlMapping,
    YamlNode,
    YamlScalar,
    followed,
    is_nothing,
)
from learnings.core.yaml.nodes import (
    YamlList as ListNode,
)
from learnings.core.yaml.parsing import WRONG_TAG, BadYaml, parse

if TYPE_CHECKING:
    from ruamel.yaml import YAML
    from ruamel.yaml.representer import RoundTripRepresenter


YamlValue = Any
"""A text, Plain, number, truth value, None, or a list or mapping of those."""

# Words, with signs between them that mean nothing in YAML: no colon, comma, bracket or quote.
_SAFE_TEXT = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+-]+)*")
# What a reader of YAML 1.1 or 1.2 takes for a truth value, nothing, or a number.
_SPECIAL_TEXT = lazy_pattern(r"(?i)y|n|yes|no|on|off|true|false|null|inf|nan")
_DATE = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST_WORDS = 3
"""Words of an item in a list on one line: tags and roles have one or two, rules are sentences."""
# Characters of a list that stays on one line; chosen, so that an entry fits a screen of 100.
_WIDEST = 72


class PlainText(str):
    """An ISO date, or an id: a text that is written without quotes."""

    __slots__ = ()


def emitted(value: YamlValue) -> Any:  # noqa: ANN401  (classes of a package that is loaded lazily)
    """Return a value for ruamel.yaml: texts in quotes where a reader could mistake them."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq  # noqa: PLC0415  (to write a store)
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString  # noqa: PLC0415  (as above)

    if isinstance(value, Mapping):
        return CommentedMap((name, emitted(inner)) for name, inner in value.items())
    if isinstance(value, list | tuple):
        items = CommentedSeq(emitted(item) for item in value)
        if _fits_on_a_line(value):
            items.fa.set_flow_style()
        return items
    if isinstance(value, PlainText) and _DATE.fullmatch(value):
        return date.fromisoformat(value)
    if isinstance(value, Decimal):
        return Decimal(
            number_text(value)
        )  # of its own: of one that is used twice it makes an alias
    if isinstance(value, str):
        is_plain = _SAFE_TEXT.fullmatch(value) and not _SPECIAL_TEXT.fullmatch(value)
        return str(value) if is_plain else DoubleQuotedScalarString(value)
    return value


def represent_decimals(representer: RoundTripRepresenter) -> None:
    """Have decimal numbers written exactly, as number_text() gives them."""
    tag = "tag:yaml.org,2002:float"
    representer.add_representer(
        Decimal, lambda r, number: r.represent_scalar(tag, number_text(number))
    )


def _fits_on_a_line(items: list[YamlValue] | tuple[YamlValue, ...]) -> bool:
    """Return True for a list of tags or roles; sentences and mappings get a line each."""
    if any(not isinstance(item, str) or item.count(" ") >= _MOST_WORDS for item in items):
        return not items
    return sum(len(item) + 2 for item in items) <= _WIDEST


# Columns: no text is wrapped that was not.
_WIDTH = 10**6
# How far a list is indented, and its dash in that, where no list of the file shows it.
_INDENT, _OFFSET = 4, 2

# What ruamel.yaml raises, beside errors of its own, for forms of YAML that it does not write.
_FAILURES = (*WRONG_TAG, TypeError, AssertionError, NotImplementedError)

YamlPath = tuple[str | int, ...]
"""Keys, and the indexes of items from 0, on the way from the root to a value."""


class SetValue(NamedTuple):
    """A key of the mapping at a path gets a value, whether it has one or not."""

    path: YamlPath
    key: str
    value: YamlValue


class AddItem(NamedTuple):
    """The list at a path gets an item at its end; a key that is missing or empty gets the list."""

    path: YamlPath
    value: YamlValue


YamlEdit = SetValue | AddItem


class EditRefused(Exception):
    """A text in which a change would touch something else; str() says why, line is 1-based."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def edited_yaml(text: str, edits: Sequence[YamlEdit]) -> str:
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


def _rewritten(text: str, writer: YAML, edits: Sequence[YamlEdit], *, is_empty: bool) -> str:
    """Return what ruamel.yaml makes of a text; raises EditRefused where it does not take it."""
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415  (to write a store)

    try:
        root = None if is_empty else writer.load(text)
        for edit in edits:
            root = _with_edits(root, edit)
        return _dumped(writer, root)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context).partition("\n")[0]
        raise EditRefused(mark.line + 1 if mark else 1, f"cannot be written: {problem}") from None
    except (YAMLError, *_FAILURES) as error:
        raise EditRefused(1, f"cannot be written: {type(error).__name__}") from None


def _writer(text: str, tree: YamlNode | None) -> YAML:
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


def _list_form(text: str, tree: YamlNode | None) -> tuple[int, int]:
    """Return how far the first list of lines is indented below its key, and its dash."""
    for key, value in tree.pairs if isinstance(tree, YamlMapping) else ():
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


def _with_edits(root: Any, edit: YamlEdit) -> Any:  # noqa: ANN401  (what ruamel.yaml makes of a text)
    from learnings.core.yaml.verbatim import is_null  # noqa: PLC0415  (where a store is written)

    if root is None:
        root = emitted([] if isinstance(edit, AddItem) and not edit.path else {})
    if isinstance(edit, SetValue):
        _set(_node_at(root, edit.path), edit.key, emitted(edit.value))
        return root
    if not edit.path:
        root.append(emitted(edit.value))
        return root
    *way, name = edit.path
    parent = _node_at(root, tuple(way))
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


def _node_at(value: Any, path: YamlPath) -> Any:  # noqa: ANN401
    for step in path:
        value = value[step]
    return value


def _require_own(root: YamlNode | None, edit: YamlEdit) -> None:
    """Raise EditRefused where a change would be one in two places, or has no place."""
    node = root
    way = (*edit.path, edit.key) if isinstance(edit, SetValue) else edit.path
    for step in way:
        inner: YamlNode | None = None
        if isinstance(node, YamlMapping) and isinstance(step, str):
            inner = node.own(step)
        elif isinstance(node, ListNode) and isinstance(step, int):
            inner = node.items[step]
        elif node is not None and not is_nothing(node):
            raise EditRefused(node.line, "holds something else than what is changed there")
        if inner is not None and (isinstance(inner, YamlAlias) or inner.anchor):
            raise EditRefused(inner.line, "is written by way of an alias; write it out")
        node = inner
    if node is None or is_nothing(node):
        return
    expects_list = isinstance(edit, AddItem) or isinstance(edit.value, list | tuple)
    if isinstance(node, YamlMapping) or isinstance(node, ListNode) is not expects_list:
        raise EditRefused(node.line, "is no list" if expects_list else "is not a single value")


def prove(before: str, edits: Sequence[YamlEdit], after: str) -> None:
    """Raise EditRefused unless a text with edits holds what the edits say and nothing else."""
    expected = _expected_value(plain(parse(before)), edits)
    try:
        actual = plain(parse(after))
    except BadYaml as error:
        raise EditRefused(error.line, f"would be no YAML when it is changed: it {error}") from None
    if actual != expected:
        raise EditRefused(1, "is written in a form that cannot be changed without a risk")


def _expected_value(root: Any, edits: Sequence[YamlEdit]) -> object:  # noqa: ANN401  (texts, lists, dicts)
    for edit in edits:
        if isinstance(edit, AddItem):
            root = _with_item(root, edit)
        else:
            root = {} if root is None else root
            _value_at(root, edit.path)[edit.key] = _plain_value(edit.value)
    return root


def _with_item(root: Any, edit: AddItem) -> object:  # noqa: ANN401
    value = _plain_value(edit.value)
    if not edit.path:
        return [*(root or []), value]
    root = {} if root is None else root
    *way, name = edit.path
    parent = _value_at(root, tuple(way))
    items = parent.get(name)
    parent[name] = [*(items if isinstance(items, list) else ()), value]
    return root


def _value_at(value: Any, path: Sequence[str | int]) -> Any:  # noqa: ANN401
    for step in path:
        value = value[step]
    return value


def _plain_value(value: YamlValue) -> object:
    if isinstance(value, MappingType):
        return {str(name): _plain_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_value(inner) for inner in value]
    if isinstance(value, bool) or value is None:
        return {None: "", True: "true", False: "false"}[value]
    return number_text(value) if isinstance(value, Decimal) else str(value).rstrip("\n")


def plain(node: YamlNode | None) -> object:
    """Return a value without its place: texts, lists and dicts.

    Line ends behind a text are left out: the last line of a file may get one.
    """
    node = None if node is None else followed(node)
    if isinstance(node, YamlMapping):
        return {_key_name(key): plain(value) for key, value in node.pairs}
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return node.text.rstrip("\n") if isinstance(node, YamlScalar) else None


def _key_name(key: YamlNode) -> str:
    return key.text if isinstance(key, YamlScalar) else repr(plain(key))
