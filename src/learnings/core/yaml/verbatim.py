"""Plain scalars that ruamel.yaml writes as they are.

By itself it gives numbers, dates and nulls a form of its own, and stops at a date of no calendar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruamel.yaml.constructor import RoundTripConstructor
from ruamel.yaml.scalarstring import ScalarString

if TYPE_CHECKING:
    from ruamel.yaml import YAML

_PREFIX = "tag:yaml.org,2002:"
_NULL = f"{_PREFIX}null"
_KINDS = ("int", "float", "bool", "null", "timestamp")


class Verbatim(ScalarString):
    """The text of a plain scalar that is not one for YAML; tag says what it is."""

    __slots__ = ("tag",)

    tag: str


class _Constructor(RoundTripConstructor):
    """Constructs a Verbatim where others construct a number, a date, a truth value, nothing."""


def _construct(_constructor: Any, node: Any) -> Verbatim:  # noqa: ANN401  (of ruamel.yaml)
    scalar: Verbatim = Verbatim(node.value, anchor=node.anchor)
    scalar.tag = str(node.tag)
    return scalar


for _kind in _KINDS:
    _Constructor.add_constructor(f"{_PREFIX}{_kind}", _construct)


def keep_plain_scalars(writer: YAML) -> None:
    """Have a reader and writer keep plain scalars as they are written."""
    writer.Constructor = _Constructor

    def represent(representer: Any, scalar: Verbatim) -> Any:  # noqa: ANN401  (as above)
        anchor = scalar.yaml_anchor(any=True)
        return representer.represent_scalar(scalar.tag, str(scalar), anchor=anchor)

    writer.representer.add_representer(Verbatim, represent)


def is_null(value: object) -> bool:
    """Return True for nothing, also as it is read here."""
    return value is None or (isinstance(value, Verbatim) and value.tag == _NULL)
