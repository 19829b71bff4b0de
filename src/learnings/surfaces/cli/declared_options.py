"""The arguments that the commands declare, for completion and for the check of agent files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Self


class Argument(NamedTuple):
    """An option, or a positional argument, which has no names.

    choices are the values it takes, where those are few. help is None for one that is hidden.
    """

    names: tuple[str, ...]
    choices: tuple[str, ...]
    has_value: bool
    help: str | None


class _ArgumentRecorder:
    """Stands in for a parser and keeps the arguments that a command declares with it."""

    def __init__(self) -> None:
        self.arguments: list[Argument] = []

    def add_argument(
        self,
        *names: str,
        choices: Iterable[object] = (),
        action: str = "store",
        help: str = "",  # noqa: A002  (as argparse calls it)
        **_: object,
    ) -> None:
        options = tuple(name for name in names if name.startswith("-"))
        has_value = action in ("store", "append", "extend")
        shown = None if help == argparse.SUPPRESS else help
        self.arguments.append(Argument(options, tuple(map(str, choices)), has_value, shown))

    def add_argument_group(self, *_: object, **__: object) -> Self:
        return self

    def add_mutually_exclusive_group(self, **_: object) -> Self:
        return self


@cache
def arguments_of(command: str) -> tuple[Argument, ...]:
    """Return the arguments of a command in the order in which it declares them."""
    recorder: Any = _ArgumentRecorder()
    recorder.add_argument("-h", "--help", action="help", help="say more about the command")
    import_module(f"learnings.surfaces.cli.{command.replace('-', '_')}").add_arguments(recorder)
    return tuple(recorder.arguments)


@cache
def options_of(command: str) -> dict[str, tuple[str, ...]]:
    """Return the options of a command, each with the values it takes, where those are few."""
    return {name: argument.choices for argument in arguments_of(command) for name in argument.names}
