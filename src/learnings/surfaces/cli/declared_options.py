"""The options that the commands declare, with which the check of agent files compares texts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any, Self


class _OptionRecorder:
    """Stands in for a parser and keeps the options that a command declares with it."""

    def __init__(self) -> None:
        self.options: dict[str, tuple[str, ...]] = {}

    def add_argument(self, *names: str, choices: Iterable[object] = (), **_: object) -> None:
        values = tuple(map(str, choices))
        self.options |= {name: values for name in names if name.startswith("-")}

    def add_argument_group(self, *_: object, **__: object) -> Self:
        return self


@cache
def options_of(command: str) -> dict[str, tuple[str, ...]]:
    """Return the options of a command, each with the values it takes, where those are few."""
    recorder: Any = _OptionRecorder()
    recorder.add_argument("-h", "--help")
    import_module(f"learnings.surfaces.cli.{command}").add_arguments(recorder)
    options: dict[str, tuple[str, ...]] = recorder.options
    return options
