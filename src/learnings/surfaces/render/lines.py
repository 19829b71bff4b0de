"""Join lines to text, and decorators for renderers that yield lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import ParamSpec

from learnings.core.text import printable

_P = ParamSpec("_P")


def text_of(lines: Iterable[str]) -> str:
    """Return lines as one text, each with its newline."""
    return "".join(f"{line}\n" for line in lines)


def text_of_blocks(blocks: Iterable[Iterable[str]]) -> str:
    """Return blocks of lines as one text, with a blank line between blocks."""
    return "\n".join(map(text_of, blocks))


def joined_lines(render: Callable[_P, Iterator[str]]) -> Callable[_P, str]:
    """Make a function that yields lines return them as one text."""

    @wraps(render)
    def text(*args: _P.args, **kwargs: _P.kwargs) -> str:
        return text_of(render(*args, **kwargs))

    return text


def joined_printable_lines(render: Callable[_P, Iterator[str]]) -> Callable[_P, str]:
    """Do the same, and escape the control characters of each line."""

    @wraps(render)
    def text(*args: _P.args, **kwargs: _P.kwargs) -> str:
        return text_of(map(printable, render(*args, **kwargs)))

    return text
