"""Values as YAML text that every reader takes for the same: YAML 1.1, YAML 1.2 and JSON-like."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

Value = Any
"""A text, Plain, number, truth value, None, or a list or mapping of those."""

# Words, with signs between them that mean nothing in YAML: no colon, comma, bracket or quote.
_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+-]+)*")
# What a reader of YAML 1.1 or 1.2 takes for a truth value, nothing, or a number.
_SPECIAL = re.compile(r"y|n|yes|no|on|off|true|false|null|inf|nan|\.inf|\.nan", re.IGNORECASE)
_ESCAPED = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
# Line and paragraph separators, which break a line for YAML 1.1.
_SEPARATORS = re.compile("[\u2028\u2029]")
# Characters of a list that stays on one line; chosen, so that an entry fits a screen of 100.
_WIDEST = 72
_MOST_WORDS = 3
"""Words of an item in a list on one line: tags and roles have one or two, rules are sentences."""


class Plain(str):
    """A text that is written as it is: a date, an id."""

    __slots__ = ()


def number_text(number: Decimal) -> str:
    """Return a number with two decimal places, or as many as it needs: 0.60, 0.125."""
    places = -int(number.normalize().as_tuple().exponent)
    return f"{number:.{max(places, 2)}f}"


def flow(value: Value) -> str:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Value) -> str:
    if isinstance(value, bool) or value is None:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Decimal):
        return number_text(value)
    return str(value) if isinstance(value, int | Plain) else _text(value)


def block_mapping(fields: Mapping[str, Value], indent: int) -> list[str]:
    """Return the lines of a mapping, without terminators, each with so many blanks before it."""
    lines = []
    for name, value in fields.items():
        start = f"{' ' * indent}{flow(name)}:"
        if _is_long(value):
            lines += [start, *(f"{' ' * (indent + 2)}- {flow(item)}" for item in value)]
        else:
            lines.append(f"{start} {flow(value)}")
    return lines


def block_item(value: Value, indent: int, inner: int) -> list[str]:
    """Return the lines of a list item: the dash at `indent`, what follows it at `inner`."""
    if not isinstance(value, Mapping):
        return [f"{' ' * indent}-{' ' * (inner - indent - 1)}{flow(value)}"]
    first, *rest = block_mapping(value, inner)
    return [f"{' ' * indent}-{first[indent + 1 :]}", *rest]


def _is_long(value: Value) -> bool:
    """Return True for a list of sentences, which get a line each."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        return False
    sentences = any(isinstance(item, str) and item.count(" ") >= _MOST_WORDS for item in value)
    return sentences or len(flow(value)) > _WIDEST or isinstance(value[0], Mapping)


def _text(text: str) -> str:
    if _SAFE.fullmatch(text) and not _SPECIAL.fullmatch(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(_escape, _SEPARATORS.sub(_escape, quoted))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
