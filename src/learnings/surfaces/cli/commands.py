"""The commands of `learnings`, and the options that each of them declares."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from learnings.core.agents.model import Commands

COMMANDS = {
    "ages": "age of every entry in git-active days",
    "baseline": "today's findings, recorded so that only new ones fail",
    "batch": "the entries that the next consolidation should take, with their text",
    "check": "structure of the memory files, with --history also their past",
    "ci": "what a CI job does: check, judge, summarise, keep the consolidation issue",
    "config": "effective settings, where each came from, and the files found",
    "due": "whether consolidation is due, with the reasons",
    "explain": "what a rule finds, why that matters and how to mend it",
    "fix": "what needs no decision, mended in the memory files",
    "groups": "entries that overlap, as proposals to merge, with the words and lines they share",
    "index": "headings of a file with their lines, as a table of contents",
    "init": "configuration, hooks and .gitignore of a repository, set up",
    "notify": "an issue or a task, kept open as long as consolidation is due",
    "precheck": "entries that are superseded, contradicted or redundant, with the evidence",
    "route": "the target files that should receive the entries, with the reasons",
    "rules": "all rules, each with its severity and what it finds",
    "schema": "JSON Schema of a document that a command prints",
}
"""Each command is a module of its name in this folder; only the one called for is imported."""


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


def command_table() -> Commands:
    """Return the commands as the check of agent files wants to know them."""
    from learnings.core.agents.model import Commands  # noqa: PLC0415  (few commands need it)

    return Commands(tuple(COMMANDS), options_of)
