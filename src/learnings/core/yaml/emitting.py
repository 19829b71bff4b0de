"""Values as ruamel.yaml writes them, so that every reader of YAML takes them for the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from learnings.core.patterns import lazy_pattern
from learnings.core.text import number_text

if TYPE_CHECKING:
    from ruamel.yaml.representer import RoundTripRepresenter

Value = Any
"""A text, Plain, number, truth value, None, or a list or mapping of those."""

# Words, with signs between them that mean nothing in YAML: no colon, comma, bracket or quote.
_SAFE = lazy_pattern(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+-]+)*")
# What a reader of YAML 1.1 or 1.2 takes for a truth value, nothing, or a number.
_SPECIAL = lazy_pattern(r"(?i)y|n|yes|no|on|off|true|false|null|inf|nan")
_DATE = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST_WORDS = 3
"""Words of an item in a list on one line: tags and roles have one or two, rules are sentences."""
# Characters of a list that stays on one line; chosen, so that an entry fits a screen of 100.
_WIDEST = 72


class Plain(str):
    """An ISO date, or an id: a text that is written without quotes."""

    __slots__ = ()


def emitted(value: Value) -> Any:  # noqa: ANN401  (classes of a package that is loaded lazily)
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
    if isinstance(value, Plain) and _DATE.fullmatch(value):
        return date.fromisoformat(value)
    if isinstance(value, Decimal):
        return Decimal(
            number_text(value)
        )  # of its own: of one that is used twice it makes an alias
    if isinstance(value, str):
        is_plain = _SAFE.fullmatch(value) and not _SPECIAL.fullmatch(value)
        return str(value) if is_plain else DoubleQuotedScalarString(value)
    return value


def represent_decimals(representer: RoundTripRepresenter) -> None:
    """Have decimal numbers written exactly, as number_text() gives them."""
    tag = "tag:yaml.org,2002:float"
    representer.add_representer(
        Decimal, lambda r, number: r.represent_scalar(tag, number_text(number))
    )


def _fits_on_a_line(items: list[Value] | tuple[Value, ...]) -> bool:
    """Return True for a list of tags or roles; sentences and mappings get a line each."""
    if any(not isinstance(item, str) or item.count(" ") >= _MOST_WORDS for item in items):
        return not items
    return sum(len(item) + 2 for item in items) <= _WIDEST
