"""Edits of a YAML text by ruamel.yaml, which keeps comments, order, quotes and plain values.

The only module that imports ruamel.yaml; import it only to change a store.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, ScalarString

from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, newline_of, number_text
from learnings.core.yaml import editing
from learnings.core.yaml.nodes import YamlList, YamlMapping, YamlNode
from learnings.core.yaml.parsing import WRONG_TAG, parse

# Columns: wrap no text.
_WIDTH = 10**6
# Indents of a list and its dash if no list of the file shows them.
_INDENT, _OFFSET = 4, 2
# Exceptions of ruamel.yaml, besides its own, for forms of YAML that it cannot write.
_FAILURES = (*WRONG_TAG, TypeError, AssertionError, NotImplementedError)
_PREFIX = "tag:yaml.org,2002:"
_NULL, _FLOAT = f"{_PREFIX}null", f"{_PREFIX}float"
# Words, separated by signs without a meaning in YAML: no colon, comma, bracket or quote.
_SAFE = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+-]+)*")
# Texts that a YAML 1.1 or 1.2 reader takes for a truth value, null, or a number.
_SPECIAL = lazy_pattern(r"(?i)y|n|yes|no|on|off|true|false|null|inf|nan")
_DATE = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST_WORDS = 3
"""Maximum words per item of a one-line list: tags and roles have one or two, rules more."""
# Characters of a list that stays on one line; chosen so that an entry fits 100 columns.
_WIDEST = 72
# Text in which only a backslash and a quote need escapes between quotes.
_PRINTABLE = lazy_pattern(r"[ -~\xa1-\u1fff\u2070-\ud7ff]*")


def edited_yaml(text: str, edits: Sequence[editing.YamlEdit]) -> str:
    """Return a text with edits. Raises BadYaml for bad YAML, and EditRefused."""
    tree = parse(text)
    for edit in edits:
        editing.require_own(tree, edit)
    first, others = without_repeated(edits)
    form = _list_form(text, tree)
    after = _written(text, tree, first, form)
    if not others:
        return after
    more = _with_items(after, others, form, newline_of(text))
    return _written(text, tree, edits, form) if more is None else more


def _written(
    text: str, tree: YamlNode | None, edits: Sequence[editing.YamlEdit], form: _ListForm
) -> str:
    body = text.removeprefix(BOM)
    writer = YAML()
    writer.Constructor, writer.Representer = _Constructor, _Representer
    writer.preserve_quotes = True
    writer.width = _WIDTH
    writer.explicit_start = text.startswith("---")
    writer.indent(mapping=2, sequence=form.indent, offset=form.offset)
    stream = io.StringIO()
    try:
        root = None if tree is None else writer.load(body)
        for edit in edits:
            root = _with(root, edit)
        writer.dump(root, stream)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context).partition("\n")[0]
        raise editing.EditRefused(
            mark.line + 1 if mark else 1, f"cannot be written: {problem}"
        ) from None
    except (YAMLError, *_FAILURES) as error:
        raise editing.EditRefused(1, f"cannot be written: {type(error).__name__}") from None
    after = stream.getvalue()
    if tree is None:  # perhaps comments, which ruamel.yaml drops if there is no value
        after = body + ("" if not body or body.endswith("\n") else "\n") + after
    if body and not body.endswith(("\n", "\r")):
        after = after.removesuffix("\n")
    newline = newline_of(text)
    mark = BOM if text.startswith(BOM) else ""
    return mark + (after if newline == "\n" else after.replace("\n", newline))


class _Verbatim(ScalarString):
    """A plain scalar, as written: ruamel.yaml would reformat numbers, dates and nulls."""

    __slots__ = ("tag",)

    tag: str


class _Constructor(RoundTripConstructor):
    """Constructs a _Verbatim for numbers, dates, truth values and nulls."""


class _Representer(RoundTripRepresenter):
    """Writes a _Verbatim as it is, and decimals as number_text() formats them."""


def _construct(_constructor: RoundTripConstructor, node: Any) -> _Verbatim:  # noqa: ANN401
    scalar: _Verbatim = _Verbatim(node.value, anchor=node.anchor)
    scalar.tag = str(node.tag)
    return scalar


for _kind in ("int", "float", "bool", "null", "timestamp"):
    _Constructor.add_constructor(f"{_PREFIX}{_kind}", _construct)
_Representer.add_representer(
    _Verbatim,
    lambda r, v: r.represent_scalar(v.tag, str(v), anchor=v.yaml_anchor(any=True)),
)
_Representer.add_representer(Decimal, lambda r, n: r.represent_scalar(_FLOAT, number_text(n)))


def _list_form(text: str, tree: YamlNode | None) -> _ListForm:
    for key, value in tree.pairs if isinstance(tree, YamlMapping) else ():
        if isinstance(value, YamlList) and not value.is_flow and value.items:
            item = value.items[0]
            line = text.rfind("\n", 0, item.start) + 1
            dash = text.rfind("-", line, item.start)
            if dash >= 0:  # else it is alone on a line above
                return _ListForm(item.indent - key.indent, dash - line - key.indent)
    return _ListForm(_INDENT, _OFFSET)


def _with(root: Any, edit: editing.YamlEdit) -> Any:  # noqa: ANN401  (what ruamel.yaml makes of a text)
    if root is None:
        root = _emitted([] if isinstance(edit, editing.AddItem) and not edit.path else {})
    if isinstance(edit, editing.SetValue):
        _set(_at(root, edit.path), edit.key, _emitted(edit.value))
    elif not edit.path:
        root.append(_emitted(edit.value))
    else:
        *way, name = edit.path
        parent = _at(root, tuple(way))
        items = parent.get(name)
        if items is None or (isinstance(items, _Verbatim) and items.tag == _NULL):
            _set(parent, str(name), _emitted([edit.value]))
        else:
            items.append(_emitted(edit.value))
    return root


def _set(mapping: Any, name: str, value: object) -> None:  # noqa: ANN401
    """Set a key; a new one goes before the last, which owns the comments at the mapping's end."""
    old = mapping.get(name)
    if isinstance(old, list) and isinstance(value, list) and value[: len(old)] == old:
        old.extend(value[len(old) :])
    elif name in mapping or len(mapping) < 2:
        mapping[name] = value
    else:
        mapping.insert(len(mapping) - 1, name, value)


def _at(value: Any, path: editing.YamlPath) -> Any:  # noqa: ANN401
    for step in path:
        value = value[step]
    return value


def _emitted(value: editing.YamlValue) -> Any:  # noqa: ANN401
    """Return a value for ruamel.yaml, quoting text that a reader could mistake."""
    if isinstance(value, Mapping):
        return CommentedMap((name, _emitted(inner)) for name, inner in value.items())
    if isinstance(value, list | tuple):
        items = CommentedSeq(_emitted(item) for item in value)
        if _is_on_one_line(value):
            items.fa.set_flow_style()
        return items
    if isinstance(value, editing.PlainText) and _DATE.fullmatch(value):
        return date.fromisoformat(value)
    if isinstance(value, Decimal):
        return Decimal(number_text(value))  # a copy: a value that occurs twice becomes an alias
    if isinstance(value, str):
        return str(value) if _is_plain(value) else DoubleQuotedScalarString(value)
    return value


# Mappings appended to a list as text, as ruamel.yaml writes them but 100 times as fast.
#
# A run that adds thousands of entries would spend most of its time in ruamel.yaml. It writes the
# first entry, and the others follow in the same form. Items in another form than the entries of a
# store are left to it.


def _is_plain(text: str) -> bool:
    """Return True if no reader mistakes the unquoted text for anything else."""
    return _SAFE.fullmatch(text) is not None and not _SPECIAL.fullmatch(text)


def _is_on_one_line(values: Sequence[editing.YamlValue]) -> bool:
    """Return True for a list like tags or roles; sentences and mappings get a line each."""
    are_short = all(isinstance(v, str) and v.count(" ") < _MOST_WORDS for v in values)
    return are_short and sum(len(v) + 2 for v in values) <= _WIDEST


class _ListForm(NamedTuple):
    """The indents of the items of a nested list, and of their dashes."""

    indent: int
    offset: int


def without_repeated(
    edits: Sequence[editing.YamlEdit],
) -> tuple[list[editing.YamlEdit], list[editing.AddItem]]:
    """Return the edits, and separately those that add another item to the list of one of them.

    The second part is empty if several lists get more items, or an item has another form.
    """
    paths: set[editing.YamlPath] = set()
    first: list[editing.YamlEdit] = []
    others: list[editing.AddItem] = []
    for edit in edits:
        if isinstance(edit, editing.AddItem) and edit.path in paths:
            others.append(edit)
        else:
            first.append(edit)
            paths.update([edit.path] if isinstance(edit, editing.AddItem) else [])
    is_simple = len({edit.path for edit in others}) == 1 and all(
        isinstance(edit.value, Mapping) and all(map(_is_simple, edit.value.values()))
        for edit in others
    )
    return (first, others) if is_simple else ([*edits], [])


def _is_simple(value: editing.YamlValue) -> bool:
    if isinstance(value, list | tuple):
        return all(isinstance(item, str) and _is_simple(item) for item in value)
    if isinstance(value, str):
        return _PRINTABLE.fullmatch(value) is not None
    return value is None or isinstance(value, int | Decimal)


def _with_items(
    text: str, edits: Sequence[editing.AddItem], form: _ListForm, newline: str
) -> str | None:
    """Return a text with more items after the last one of a list; None if it is in brackets."""
    node = parse(text)
    for step in edits[0].path:
        node = node.own(step) if isinstance(node, YamlMapping) and isinstance(step, str) else None
    last = node.items[-1] if isinstance(node, YamlList) and not node.is_flow else None
    if not isinstance(last, YamlMapping) or last.is_flow:
        return None
    dash = text[text.rfind("\n", 0, last.start) + 1 : last.start]
    lines = [line for edit in edits for line in _lines(edit.value, dash, last.indent, form)]
    end = text.find("\n", last.end) + 1
    head, tail = (text[:end], text[end:]) if end else (f"{text}{newline}", "")
    items = "".join(f"{line}{newline}" for line in lines)
    return f"{head}{items if end else items.removesuffix(newline)}{tail}"


def _lines(
    item: Mapping[str, editing.YamlValue], dash: str, column: int, form: _ListForm
) -> Iterator[str]:
    lead, inner = dash, " " * (column + form.offset) + "-" + " " * (form.indent - form.offset - 1)
    for key, value in item.items():
        if not isinstance(value, list | tuple):
            yield f"{lead}{key}: {_scalar(value)}".rstrip(" ")
        elif _is_on_one_line(value):
            yield f"{lead}{key}: [{', '.join(map(_scalar, value))}]"
        else:
            yield f"{lead}{key}:"
            yield from (f"{inner}{_scalar(element)}" for element in value)
        lead = " " * column


def _scalar(value: editing.YamlValue) -> str:
    if isinstance(value, str):
        is_date = isinstance(value, editing.PlainText) and _DATE.fullmatch(value)
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return value if is_date or _is_plain(value) else f'"{escaped}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return number_text(value)
    return "" if value is None else str(value)
