"""Messages about wrong usage, and help texts."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence

from learnings.core.patterns import lazy_pattern
from learnings.core.text import quoted_if_empty, suggestion
from learnings.surfaces.cli.commands import COMMANDS, GENERAL_OPTIONS, PURPOSES

_MOST_LISTED = 32
"""Most values that a message lists: there are some 25 schemas and more than 40 rules."""
_ALMOST_CERTAIN = 0.8
"""Minimum similarity of a suggestion if all values could be listed: `check` is not `precheck`."""
_LONGEST_SHOWN = 60


def explained(message: str, actions: Iterable[argparse.Action], program: str) -> str:
    """Return the message for an argparse error, with the valid values or a hint."""
    start = "the following arguments are required: "
    missing = [a for a in actions if message == f"{start}{a.metavar}"]
    if not missing:
        return f"{message}; see `{program} --help`"
    choices = [str(choice) for choice in missing[0].choices or ()]
    listed = f", one of {', '.join(choices)}" if 0 < len(choices) <= _MOST_LISTED else ""
    return f"{program} needs {missing[0].metavar}{listed}; see `{program} --help`"


def unknown_arguments(words: Sequence[str], program: str, options: Sequence[str]) -> str:
    """Return the message for arguments that a program does not take beside its options."""
    otherwise = f"see `{program} --help`"
    option = words[0].partition("=")[0]
    options = options if " " in program else GENERAL_OPTIONS
    is_option = option.startswith("--")
    advice = suggestion(option, options, otherwise=otherwise) if is_option else otherwise
    shown = " ".join(quoted_if_empty(word) for word in words if word != "--")
    return f"unrecognized arguments: {shown}; {advice}"


def wrong_choice(action: argparse.Action, value: object) -> str:
    name = action.option_strings[-1] if action.option_strings else str(action.metavar)
    choices = [str(choice) for choice in action.choices or ()]
    if len(choices) <= _MOST_LISTED:
        listed = f"it takes one of {', '.join(choices)}"
        advice = suggestion(str(value), choices, otherwise=listed, cutoff=_ALMOST_CERTAIN)
    else:
        advice = suggestion(str(value), choices, otherwise="`learnings rules` lists all")
    refusal = "unknown rule" if action.metavar == "RULE" else f"{name} takes no"
    return f"{refusal} {str(value)[:_LONGEST_SHOWN]!r}; {advice}"


def describe_settings(actions: Iterable[argparse.Action]) -> None:
    """Give options for settings their help; a run that prints none loads no table of settings."""
    from learnings.core.settings.keys import FILE_KEYS  # noqa: PLC0415  (for help texts only)

    for action in actions:
        key = FILE_KEYS.get(action.dest.replace("_", "-"))
        if key is not None and action.help is None:
            action.help = key.doc


# Spaces that align text: at the start of a line or between two columns.
_COLUMNS = lazy_pattern(r"^ |\S  ", re.MULTILINE)


def filled(text: str | None) -> str:
    """Return text with its paragraphs wrapped to the terminal; columns stay unchanged."""
    from shutil import get_terminal_size  # noqa: PLC0415  (loads all kinds of compression)
    from textwrap import fill  # noqa: PLC0415  (for help texts only)

    width = get_terminal_size().columns - 2  # as argparse does
    paragraphs = (text or "").strip().split("\n\n")
    return "\n\n".join(p if _COLUMNS.search(p) else fill(p, width) for p in paragraphs)


def epilog() -> str:
    """Return the commands by purpose, for the end of the help."""
    width = max(map(len, COMMANDS))
    groups = (
        (purpose, [f"  {name:<{width}}  {says}" for name, says in rows.items()])
        for purpose, rows in PURPOSES.items()
    )
    listed = "\n\n".join("\n".join((f"{purpose}:", *rows)) for purpose, rows in groups)
    return (
        f"{listed}\n\nRun `learnings COMMAND --help` for details of a command. Run "
        "`learnings` without a command for a read-only summary of this repository and "
        "the next step."
    )
