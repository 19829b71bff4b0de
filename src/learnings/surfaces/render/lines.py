"""Decorators for renderers that yield lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import ParamSpec

from learnings.core.text import printable

_P = ParamSpec("_P")


def joined_lines(render: Callable[_P, Iterator[str]]) -> Callable[_P, str]:
    """Make a function that yields lines return them as one text."""

    @wraps(render)
    def text(*args: _P.args, **kwargs: _P.kwargs) -> str:
        return "".join(f"{line}\n" for line in render(*args, **kwargs))

    return text


def joined_printable_lines(render: Callable[_P, Iterator[str]]) -> Callable[_P, str]:
    """Do the same, and write out the control characters of each line."""

    @wraps(render)
    def text(*args: _P.args, **kwargs: _P.kwargs) -> str:
        return "".join(f"{printable(line)}\n" for line in render(*args, **kwargs))

    return text
