"""Mappings appended to a list as text, as ruamel.yaml writes them but 100 times as fast.

A run that adds thousands of entries would spend most of its time in ruamel.yaml. It writes the
first entry, and the others follow in the same form. Items in another form than the entries of a
store are left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import number_text
from learnings.core.yaml.editing import AddItem, PlainText, YamlEdit, YamlPath, YamlValue
from learnings.core.yaml.nodes import YamlList, YamlMapping
from learnings.core.yaml.parsing import parse

# Words, separated by signs without a meaning in YAML: no colon, comma, bracket or quote.
_SAFE = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+-]+)*")
# Texts that a YAML 1.1 or 1.2 reader takes for a truth value, null, or a number.
_SPECIAL = lazy_pattern(r"(?i)y|n|yes|no|on|off|true|false|null|inf|nan")
DATE = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST_WORDS = 3
"""Maximum words per item of a one-line list: tags and roles have one or two, rules more."""
# Characters of a list that stays on one line; chosen so that an entry fits 100 columns.
_WIDEST = 72
# Text in which only a backslash and a quote need escapes between quotes.
_PRINTABLE = lazy_pattern(r"[ -~\xa1-\u1fff\u2070-\ud7ff]*")


def is_plain(text: str) -> bool:
    """Return True if no reader mistakes the unquoted text for anything else."""
    return _SAFE.fullmatch(text) is not None and not _SPECIAL.fullmatch(text)


def is_on_one_line(values: Sequence[YamlValue]) -> bool:
    """Return True for a list like tags or roles; sentences and mappings get a line each."""
    are_short = all(isinstance(v, str) and v.count(" ") < _MOST_WORDS for v in values)
    return are_short and sum(len(v) + 2 for v in values) <= _WIDEST


class ListForm(NamedTuple):
    """The indents of the items of a nested list, and of their dashes."""

    indent: int
    offset: int


def without_repeated(edits: Sequence[YamlEdit]) -> tuple[list[YamlEdit], list[AddItem]]:
    """Return the edits, and separately those that add another item to the list of one of them.

    The second part is empty if several lists get more items, or an item has another form.
    """
    paths: set[YamlPath] = set()
    first: list[YamlEdit] = []
    others: list[AddItem] = []
    for edit in edits:
        if isinstance(edit, AddItem) and edit.path in paths:
            others.append(edit)
        else:
            first.append(edit)
            paths.update([edit.path] if isinstance(edit, AddItem) else [])
    is_simple = len({edit.path for edit in others}) == 1 and all(
        isinstance(edit.value, Mapping) and all(map(_is_simple, edit.value.values()))
        for edit in others
    )
    return (first, others) if is_simple else ([*edits], [])


def _is_simple(value: YamlValue) -> bool:
    if isinstance(value, list | tuple):
        return all(isinstance(item, str) and _is_simple(item) for item in value)
    if isinstance(value, str):
        return _PRINTABLE.fullmatch(value) is not None
    return value is None or isinstance(value, int | Decimal)


def with_items(text: str, edits: Sequence[AddItem], form: ListForm, newline: str) -> str | None:
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


def _lines(item: Mapping[str, YamlValue], dash: str, column: int, form: ListForm) -> Iterator[str]:
    lead, inner = dash, " " * (column + form.offset) + "-" + " " * (form.indent - form.offset - 1)
    for key, value in item.items():
        if not isinstance(value, list | tuple):
            yield f"{lead}{key}: {_scalar(value)}".rstrip(" ")
        elif is_on_one_line(value):
            yield f"{lead}{key}: [{', '.join(map(_scalar, value))}]"
        else:
            yield f"{lead}{key}:"
            yield from (f"{inner}{_scalar(element)}" for element in value)
        lead = " " * column


def _scalar(value: YamlValue) -> str:
    if isinstance(value, str):
        is_date = isinstance(value, PlainText) and DATE.fullmatch(value)
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return value if is_date or is_plain(value) else f'"{escaped}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return number_text(value)
    return "" if value is None else str(value)
