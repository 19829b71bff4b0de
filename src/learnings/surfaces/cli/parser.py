"""The parser of command lines: argparse with our messages, help texts and order of words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NoReturn

import learnings
from learnings.core.errors import UsageProblem
from learnings.surfaces.cli import commands


class Parser(argparse.ArgumentParser):
    """A parser that takes files and options in any order, and raises UsageProblem."""

    def parse_known_args(self, words: Any, namespace: Any = None) -> Any:  # type: ignore[override]  # noqa: ANN401
        args, unknown = super().parse_known_args(
            _options_first(words, self._option_string_actions), namespace
        )
        if unknown:
            from learnings.surfaces.cli.usage import unknown_arguments  # noqa: PLC0415  (seldom needed)

            raise UsageProblem(unknown_arguments(unknown, self.prog))
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
    """Return a parser without options but --help."""
    return Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=commands.ANY_WIDTH),
        allow_abbrev=False,
    )


def add_general_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `learnings` without a command."""
    fetch = "never fetch what a partial clone lacks; fail instead (all commands)"
    parser.add_argument(commands.OFFLINE, action="store_true", help=fetch)
    version = f"learnings {learnings.__version__}"
    parser.add_argument("-V", "--version", action="version", version=version)


def _options_first(words: Sequence[str], actions: Mapping[str, argparse.Action]) -> list[str]:
    """Return the words in an order in which argparse collects all files in one list."""
    options: list[str] = []
    files: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            files += rest
        elif word == "-" or not word.startswith("-"):
            files.append(word)
        else:
            has_value = word in actions and actions[word].nargs != 0
            options += [word, *islice(rest, int(has_value))]
    return [*options, "--", *files] if files else options
