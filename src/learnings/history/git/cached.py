"""Checks for values that come from the cache: each returns the value, or raises TypeError.

A value of another type than was stored would be found out far from here, or never: as a list of
characters where a list of texts is expected, or as a number that text is compared with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from learnings.core.patterns import lazy_pattern

_Value = TypeVar("_Value")
# The name of a commit or another object, of either kind of hash. Git takes a name as an argument,
# where text that begins with `-` would be an option.
_OBJECT_ID = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def text(value: Any) -> str:  # noqa: ANN401  (any JSON, as in all of these)
    """Return a text."""
    return _of_type(value, str)


def whole_number(value: Any) -> int:  # noqa: ANN401
    """Return a number without a fraction; neither True nor False is one."""
    return _of_type(value, int)


def truth(value: Any) -> bool:  # noqa: ANN401
    """Return True or False."""
    return _of_type(value, bool)


def object_id(value: Any) -> str:  # noqa: ANN401
    """Return the id of a git object: 40 or 64 hexadecimal digits."""
    if not _OBJECT_ID.fullmatch(text(value)):
        raise TypeError("not the id of a git object")
    return text(value)


def optional(check: Callable[[Any], _Value]) -> Callable[[Any], _Value | None]:
    """Return the check that allows None as well."""
    return lambda value: None if value is None else check(value)


def list_of(check: Callable[[Any], _Value], value: Any) -> tuple[_Value, ...]:  # noqa: ANN401
    """Return a list of any length, each item checked."""
    return tuple(map(check, _of_type(value, list)))


def mapping_of(check: Callable[[Any], _Value], value: Any) -> dict[str, _Value]:  # noqa: ANN401
    """Return an object with any names, each value checked."""
    return {name: check(item) for name, item in _of_type(value, dict).items()}


def row(value: Any, *checks: Callable[[Any], Any]) -> list[Any]:  # noqa: ANN401
    """Return a list with one item for each check, in this order."""
    items = _of_type(value, list)
    if len(items) != len(checks):
        raise TypeError(f"{len(items)} items where {len(checks)} were stored")
    return [check(item) for check, item in zip(checks, items, strict=True)]


def _of_type(value: Any, kind: type[_Value]) -> _Value:  # noqa: ANN401
    if type(value) is not kind:
        raise TypeError(f"{type(value).__name__} where {kind.__name__} was stored")
    return value
