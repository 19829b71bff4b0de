"""Sentences about wrong usage: what a command does not take, and what was probably meant."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from learnings.core.text import quoted_if_empty, suggestion
from learnings.surfaces.cli.commands import COMMANDS, GENERAL_OPTIONS
from learnings.surfaces.cli.declared_options import options_of

_MOST_LISTED = 24
"""Values that a sentence names: the schemas are some twenty, the rules more than forty."""
_ALMOST_CERTAIN = 0.8
"""Likeness of a suggestion where all values could be listed: `check` is not the schema precheck."""
_LONGEST_SHOWN = 60


def explained(message: str, actions: Iterable[argparse.Action], program: str) -> str:
    """Return the sentence on an error that argparse has found, with what would be right."""
    start = "the following arguments are required: "
    missing = [a for a in actions if message == f"{start}{a.metavar}"]
    if not missing:
        return f"{message}; see `{program} --help`"
    choices = [str(choice) for choice in missing[0].choices or ()]
    listed = f", one of {', '.join(choices)}" if 0 < len(choices) <= _MOST_LISTED else ""
    return f"{program} needs {missing[0].metavar}{listed}; see `{program} --help`"


def unknown_arguments(words: Sequence[str], program: str) -> str:
    """Return the sentence on arguments that a program, `learnings [COMMAND]`, does not take."""
    otherwise = f"see `{program} --help`"
    option = words[0].partition("=")[0]
    is_option = option.startswith("--")
    advice = (
        suggestion(option, _options_of(program), otherwise=otherwise) if is_option else otherwise
    )
    shown = " ".join(quoted_if_empty(word) for word in words if word != "--")
    return f"unrecognized arguments: {shown}; {advice}"


def wrong_choice(action: argparse.Action, value: object) -> str:
    """Return the sentence on a value that is none of the choices of an option or argument."""
    name = action.option_strings[-1] if action.option_strings else str(action.metavar)
    choices = [str(choice) for choice in action.choices or ()]
    if len(choices) <= _MOST_LISTED:
        listed = f"it takes one of {', '.join(choices)}"
        advice = suggestion(str(value), choices, otherwise=listed, cutoff=_ALMOST_CERTAIN)
    else:
        advice = suggestion(str(value), choices, otherwise="`learnings rules` lists all")
    refusal = "there is no rule" if action.metavar == "RULE" else f"{name} takes no"
    return f"{refusal} {str(value)[:_LONGEST_SHOWN]!r}; {advice}"


def _options_of(program: str) -> Sequence[str]:
    command = program.partition(" ")[2]
    return [*options_of(command)] if command in COMMANDS else GENERAL_OPTIONS
