"""Command lines: tables of arguments, options that commands share, and the parser.

The parser is argparse with our messages, help texts and order of words.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

import learnings
from learnings.core.errors import UsageProblem
from learnings.core.roles import Role
from learnings.core.settings.setting_values import FileSettings
from learnings.surfaces.cli import commands

if TYPE_CHECKING:
    from types import ModuleType

    from learnings.agents.file_facts import Commands
    from learnings.workspace.memory_file import HistoryOptions

_FIELDS = FileSettings._fields
THRESHOLDS = tuple(name.replace("_", "-") for name in _FIELDS[_FIELDS.index("size_trigger") : -1])
"""Settings of a file that have an option of the same name: all behind the first trigger."""
_SHARED = {
    "+files": "files=FILE...  learnings files",
    "+history": """
--as-of DATE     report as of the end of DATE (YYYY-MM-DD)
--at REV         read text and history of this commit instead of the working tree
--allow-shallow  accept a shallow clone; every age is then marked as a lower bound
""",
    "+now": "--now TIME  local time of the run, such as 2026-03-11T14:05:00 (default: now)",
    "+quiet": "--quiet  print no notes to standard error",
    "+selection": """
--targets GLOB...  target files, one quoted pattern relative to the working directory;
                   repeatable (default: as configured)
--all              take every entry, not only the batch
""",
}
_NUMBERS = {"...": "*", "+": "+", "?": "?"}
ROLES = "|".join(role.value for role in Role)


def declare(parser: argparse.ArgumentParser, table: str) -> None:
    """Declare the arguments of a table.

    A row names an argument and its value, and behind two spaces says what it does; an indented line
    continues it:

        files=FILE...      positional, of any number; FILE+ is at least one, FILE? at most one
        action=scan|merge  positional, one of these words
        --room LINES:int   an option with a number; LINES... may be repeated
        --from rev=REV     an option whose value has another name here
        --stage            a flag, which is hidden if nothing is said about it
        | --staged         options of which only one is allowed
        +format diff       arguments that commands share
    """
    either: argparse.ArgumentParser | argparse._MutuallyExclusiveGroup | None = None
    for row in filter(None, table.replace("\n ", " ").split("\n")):
        words, _, doc = row.partition("  ")
        first, *others = words.split()
        if first in _SHARED:
            declare(parser, _SHARED[first])
        elif first in _GROUPS:
            _GROUPS[first](parser, *others)
        elif first == "|":
            either = either or parser.add_mutually_exclusive_group()
            _add(either.add_argument, others, " ".join(doc.split()))
        else:
            _add(parser.add_argument, [first, *others], " ".join(doc.split()))


def _add(add: Callable[..., object], words: list[str], doc: str) -> None:
    names = [word for word in words if word.startswith("-")]
    dest, _, value = "".join(words[len(names) :]).rpartition("=")
    if not value:
        add(*names, action="store_true", help=doc or argparse.SUPPRESS)
        return
    end = next((end for end in _NUMBERS if value.endswith(end)), "")
    shown, _, kind = value.removesuffix(end).rpartition(":")
    more: dict[str, object] = {"metavar": shown or kind, "help": doc}
    if "|" in kind:
        choices = kind.split("|")
        shown = shown or dest.upper()
        more = {"metavar": shown or None, "choices": choices, "help": doc or ", ".join(choices)}
    elif kind == "int":
        more["type"] = int
    if not names:
        more |= {"default": []} if end == "..." else {}  # else it is required beside an action
        add(dest, nargs=_NUMBERS.get(end), **more)
    elif end:
        add(*names, action="append", default=[], **more)
    else:
        add(*names, dest=dest or None, **more)


def _add_format(parser: argparse.ArgumentParser, result: str, on_terminal: str = "") -> None:
    """Add --format with the formats of a result; without one, None stands for on_terminal."""
    formats = commands.FORMATS[result]
    default = next(iter(formats))
    shown = f"default: {default}" + (f", on a terminal {on_terminal}" if on_terminal else "")
    parser.add_argument(
        "--format", choices=formats, default=None if on_terminal else default, help=shown
    )
    parser.add_argument(
        "--json", action="store_const", dest="format", const="json", help="short for --format=json"
    )


def _add_thresholds(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("thresholds (default: as configured)")
    for name in THRESHOLDS:
        group.add_argument(f"--{name}", type=int, metavar="N")  # described when help is printed


_LIST_OPTIONS = ("labels", "assignees")


def _add_issue(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting of the issue; lists are given as `a,b`."""
    from learnings.core.settings.keys import ISSUE_KEYS  # noqa: PLC0415  (few commands have them)

    group = parser.add_argument_group("issue (default: as configured)")
    for name, key in ISSUE_KEYS.items():
        metavar = "A,B" if name in _LIST_OPTIONS else "TEXT"
        group.add_argument(f"--{name}", metavar=metavar, help=key.doc)


def _add_numbers(parser: argparse.ArgumentParser) -> None:
    from learnings.confidence.documents.settings_text import NUMBERS  # noqa: PLC0415  (of `memory` alone)

    group = parser.add_argument_group("numbers (default: as in settings.yml)")
    for key, number in NUMBERS.items():
        group.add_argument(f"--{key.replace('_', '-')}", metavar="N", help=number.doc)


_GROUPS: dict[str, Callable[..., None]] = {
    "+format": _add_format,
    "+issue": _add_issue,
    "+numbers": _add_numbers,
    "+thresholds": _add_thresholds,
}


def history_options(args: argparse.Namespace) -> HistoryOptions:
    """Return the values of +history and, if declared, of +thresholds."""
    from learnings.workspace.memory_file import HistoryOptions  # noqa: PLC0415  (hooks without files need none)

    values = {name: getattr(args, name.replace("-", "_"), None) for name in THRESHOLDS}
    return HistoryOptions(
        as_of=args.as_of,
        at=args.at,
        allow_shallow=args.allow_shallow,
        thresholds={name: value for name, value in values.items() if value is not None},
    )


def issue_overrides(args: argparse.Namespace) -> dict[str, object]:
    """Return the values of +issue that are given."""
    from learnings.core.settings.keys import ISSUE_KEYS  # noqa: PLC0415  (as above)

    texts = {name: getattr(args, name) for name in ISSUE_KEYS}
    return {
        name: list(filter(None, map(str.strip, text.split(","))))
        if name in _LIST_OPTIONS
        else text.strip()
        for name, text in texts.items()
        if text and text.strip()
    }


class Parser(argparse.ArgumentParser):
    """A parser that takes files and options in any order, and raises UsageProblem."""

    def parse_known_args(self, words: Any, namespace: Any = None) -> Any:  # type: ignore[override]  # noqa: ANN401
        options: list[str] = []
        files: list[str] = []  # argparse collects them in one list if they follow the options
        rest = iter(words)
        for word in rest:
            if word == "--":
                files += rest
            elif word == "-" or not word.startswith("-"):
                files.append(word)
            else:
                action = self._option_string_actions.get(word)
                options += [word, *islice(rest, int(bool(action and action.nargs != 0)))]
        ordered = [*options, "--", *files] if files else options
        args, unknown = super().parse_known_args(ordered, namespace)
        if unknown:
            from learnings.surfaces.cli.usage import unknown_arguments  # noqa: PLC0415  (seldom needed)

            raise UsageProblem(
                unknown_arguments(unknown, self.prog, [*self._option_string_actions])
            )
        return args, unknown

    def format_help(self) -> str:
        from learnings.surfaces.cli.usage import describe_settings, filled  # noqa: PLC0415  (as above)

        describe_settings(self._actions)
        self.description, self.epilog = filled(self.description), filled(self.epilog)
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        from learnings.surfaces.cli.usage import explained  # noqa: PLC0415  (as above)

        raise UsageProblem(explained(message, self._actions, self.prog))

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401
        (file or sys.stderr).write(message)  # argparse ignores a failing stream

    def _get_values(self, action: argparse.Action, words: list[str]) -> Any:  # noqa: ANN401
        if not action.option_strings or words != ["--"]:
            return super()._get_values(action, words)
        # Before Python 3.13 argparse drops `--` here and gives a list: `--as-of=--`.
        value = self._get_value(action, "--")
        self._check_value(action, value)
        return value

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            from learnings.surfaces.cli.usage import wrong_choice  # noqa: PLC0415  (as above)

            raise UsageProblem(wrong_choice(action, value))


def parser_for(*, prog: str, description: str | None = None, epilog: str | None = None) -> Parser:
    """Return a parser without options but --help.

    argparse makes a formatter for each declared option. Without a width that loads shutil and its
    compression modules to ask for the width of the terminal, which only a help text needs.
    """
    return Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=80),
        allow_abbrev=False,
    )


def add_general_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `learnings` itself, before any command."""
    fetch = "never fetch what a partial clone lacks; fail instead (all commands)"
    parser.add_argument(commands.OFFLINE, action="store_true", help=fetch)
    version = f"learnings {learnings.__version__}"
    parser.add_argument("-V", "--version", action="version", version=version)


def command_with(parser: argparse.ArgumentParser, name: str) -> ModuleType:
    """Declare the arguments of a command, and return its module."""
    command = import_module(f"learnings.surfaces.cli.{name.replace('-', '_')}")
    declare(parser, command.ARGUMENTS)
    return command


@cache
def options_of(command: str) -> dict[str, tuple[str, ...]]:
    """Return the options of a command with their choices."""
    parser = parser_for(prog=command)
    command_with(parser, command)
    return {
        name: tuple(map(str, action.choices or ()))
        for action in parser._actions  # noqa: SLF001  (argparse has no other list of them)
        for name in action.option_strings
    }


def command_table() -> Commands:
    """Return the commands and options that agent files are checked against."""
    from learnings.agents.file_facts import Commands  # noqa: PLC0415  (few commands need it)

    return Commands(tuple(commands.COMMANDS), options_of)
