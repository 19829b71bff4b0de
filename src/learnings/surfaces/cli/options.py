"""Tables of arguments, options that several commands share, and the values made from them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from learnings.core.roles import Role
from learnings.core.settings.setting_values import FileSettings
from learnings.surfaces.cli.formats import FORMATS, default_of

if TYPE_CHECKING:
    from learnings.workspace.memory_file import HistoryOptions

_FIELDS = FileSettings._fields
THRESHOLDS = tuple(name.replace("_", "-") for name in _FIELDS[_FIELDS.index("size_trigger") : -1])
"""Settings of a file that have an option of the same name: all behind the first trigger."""
_SHARED = {
    "files": "files=FILE...  learnings files",
    "history": """
        --as-of DATE     report as of the end of DATE (YYYY-MM-DD)
        --at REV         read text and history of this commit instead of the working tree
        --allow-shallow  accept a shallow clone; every age is then marked as a lower bound
    """,
    "now": "--now TIME  local time of the run, such as 2026-03-11T14:05:00 (default: now)",
    "quiet": "--quiet  print no notes to standard error",
    "selection": """
        --targets GLOB...  target files, one quoted pattern relative to the working directory;
                           repeatable (default: as configured)
        --all              take every entry, not only the batch
    """,
}
_NUMBERS = {"...": "*", "+": "+", "?": "?"}


def declare(parser: argparse.ArgumentParser, table: str) -> None:
    """Declare the arguments of a table.

    A row names an argument and its value, and behind two spaces says what it does:

        files=FILE...      positional, of any number; FILE+ is at least one, FILE? at most one
        action=scan|merge  positional, one of these words
        --room LINES:int   an option with a number; LINES... may be repeated
        --from rev=REV     an option whose value has another name here
        --stage            a flag, which is hidden if nothing is said about it
        | --staged         options of which only one is allowed
        +format diff       arguments that commands share
    """
    either: argparse.ArgumentParser | argparse._MutuallyExclusiveGroup | None = None
    for row in _rows(table):
        words, _, doc = row.partition("  ")
        first, *others = words.split()
        if first == "|":
            either = either or parser.add_mutually_exclusive_group()
            _add(either.add_argument, others, doc.strip())
        elif first[1:] in _SHARED:
            declare(parser, _SHARED[first[1:]])
        elif first in _GROUPS:
            _GROUPS[first](parser, *others)
        else:
            _add(parser.add_argument, [first, *others], doc.strip())


def _rows(table: str) -> list[str]:
    """Return the rows of a table; a line that is indented more than the first one continues it."""
    rows: list[str] = []
    lines = [line for line in table.split("\n") if line.strip()]
    indent = len(lines[0]) - len(lines[0].lstrip()) + 1 if lines else 0
    for line in lines:
        if line[:indent].isspace():
            rows[-1] += f" {line.strip()}"
        else:
            rows.append(line.strip())
    return rows


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
    default = default_of(result)
    shown = f"default: {default}" + (f", on a terminal {on_terminal}" if on_terminal else "")
    parser.add_argument(
        "--format", choices=FORMATS[result], default=None if on_terminal else default, help=shown
    )
    parser.add_argument(
        "--json", action="store_const", dest="format", const="json", help="short for --format=json"
    )


def _add_role(parser: argparse.ArgumentParser, verb: str) -> None:
    roles = "|".join(role.value for role in Role)
    declare(parser, f"--role {roles}...  {verb} only files of this role; repeatable")


def _add_thresholds(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("thresholds (default: as configured)")
    for name in THRESHOLDS:
        group.add_argument(f"--{name}", type=int, metavar="N")  # described when help is printed


_LIST_OPTIONS = ("labels", "assignees")


def _add_issue(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting of the issue; lists are given as `a,b`."""
    from learnings.core.settings.feature_tables import ISSUE_KEYS  # noqa: PLC0415  (few commands have them)

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
    "+role": _add_role,
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
    from learnings.core.settings.feature_tables import ISSUE_KEYS  # noqa: PLC0415  (as above)

    texts = {name: getattr(args, name) for name in ISSUE_KEYS}
    return {
        name: list(filter(None, map(str.strip, text.split(","))))
        if name in _LIST_OPTIONS
        else text.strip()
        for name, text in texts.items()
        if text and text.strip()
    }
