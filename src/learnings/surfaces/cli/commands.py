"""The commands of `learnings`: their names, the options that each declares, and the exit codes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from learnings.core.errors import LearningsError, MissingConfigured, MissingFile

if TYPE_CHECKING:
    import argparse

    from learnings.agents.file_facts import Commands


COMMANDS = {
    "ages": "age of every entry in git-active days",
    "apply": "a plan, carried out: what leaves the file is archived first",
    "archive": "entries, moved to the archive of their file or brought back",
    "baseline": "today's findings, recorded so that only new ones fail",
    "batch": "the entries that the next consolidation should take, with text",
    "check": "what is wrong in the memory files, each finding with its line",
    "ci": "what a CI job does: check, judge, summarise, keep the issue",
    "completion": "what bash, zsh or fish needs to complete commands and options",
    "config": "the files found, how they are read, and the settings in effect",
    "diff": "a change of the memory, entry by entry",
    "doctor": "missing parts of the set-up, with the commands that add them",
    "due": "whether consolidation is due, with the reasons",
    "explain": "what a rule finds, why that matters and how to fix it",
    "fix": "what needs no decision, fixed in the memory files",
    "fleet": "memories of many repositories in one table, most overdue first",
    "groups": "entries that overlap, with the words and lines they share",
    "index": "headings of a file with their lines, as a table of contents",
    "init": "configuration, hooks and .gitignore of a repository, set up",
    "lsp": "findings, ages and fixes in an editor, as a language server",
    "memory": "observations, distilled to entries with a confidence",
    "merge-driver": "a memory file, merged by entry when git merges branches",
    "notify": "an issue or a task, kept open as long as consolidation is due",
    "plan": "what to merge, drop and keep, proposed as a file to edit",
    "precheck": "entries that are covered, superseded, contradicted or redundant",
    "report": "a page that shows how the memory is, or what a plan has done",
    "resolve": "earlier decisions about entries, ended",
    "route": "the target files that should receive the entries",
    "rules": "all rules, each with its severity and what it finds",
    "schema": "JSON Schema of a document that a command prints",
    "split": "a full target file, divided by topic into new files",
    "tiers": "raw files of work units, compacted to themes under an index",
    "verify": "proof that a change of the memory lost no entry, or what it lost",
}
"""Each command is a module of its name in this folder, `-` as `_`; only the one called for is
imported.
"""

GENERAL_OPTIONS = ("--help", "--version")
"""The options of `learnings` without a command."""


def command_table() -> Commands:
    """Return the commands with their options, with which agent files are compared."""
    from learnings.agents.file_facts import Commands  # noqa: PLC0415  (few commands need it)

    return Commands(tuple(COMMANDS), options_of)


def add_flag(parser: argparse.ArgumentParser, name: str, doc: str) -> None:
    """Declare an option without a value."""
    parser.add_argument(name, action="store_true", help=doc)


class Argument(NamedTuple):
    """An option or a positional argument, which has no names; help is None if it is hidden."""

    names: tuple[str, ...]
    choices: tuple[str, ...]
    has_value: bool
    help: str | None


class _ArgumentRecorder:
    """Stands in for a parser and records the arguments that a command declares."""

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
        import argparse  # noqa: PLC0415  (git works while it is loaded)

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
    """Return the options of a command, each with its choices if it has some."""
    return {name: argument.choices for argument in arguments_of(command) for name in argument.names}


CLEAN, FINDINGS, WRONG, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130
"""Nothing found; findings or changes; usage, configuration or history; a defect; interrupted."""

MISSING_FILE_IS_ONE = ("ages",)
"""Commands that exit with 1 for a missing or unreadable file, as their contract says."""


def code_of(error: LearningsError, command: str | None) -> int:
    """Return the exit code that a problem has in a command."""
    is_named = isinstance(error, MissingFile) and not isinstance(error, MissingConfigured)
    return FINDINGS if is_named and command in MISSING_FILE_IS_ONE else WRONG
