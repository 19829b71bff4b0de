"""Options that several commands share, and the values made from them."""

from __future__ import annotations

import argparse

from learnings.core.settings.setting_values import FileSettings
from learnings.surfaces.cli.commands import add_flag
from learnings.workspace.memory_file import HistoryOptions

_FIELDS = FileSettings._fields
THRESHOLDS = tuple(name.replace("_", "-") for name in _FIELDS[_FIELDS.index("size_trigger") : -1])
"""Settings of a file that have an option of the same name: all behind the first trigger."""


def add_quiet_option(
    parser: argparse.ArgumentParser, *, doc: str = "print no notes to standard error"
) -> None:
    add_flag(parser, "--quiet", doc)


def add_history_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--as-of", metavar="DATE", help="report as of the end of DATE (YYYY-MM-DD)")
    parser.add_argument(
        "--at",
        metavar="REV",
        help="read text and history of this commit instead of the working tree",
    )
    add_flag(
        parser,
        "--allow-shallow",
        "accept a shallow clone; every age is then marked as a lower bound",
    )


def add_now_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--now",
        metavar="TIME",
        help="local time of the run, such as 2026-03-11T14:05:00 (default: now)",
    )


def add_threshold_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("thresholds (default: as configured)")
    for name in THRESHOLDS:
        group.add_argument(f"--{name}", type=int, metavar="N")  # described when help is printed


def history_options(args: argparse.Namespace) -> HistoryOptions:
    """Return the values of add_history_options() and, if declared, add_threshold_options()."""
    values = {name: getattr(args, name.replace("-", "_"), None) for name in THRESHOLDS}
    return HistoryOptions(
        as_of=args.as_of,
        at=args.at,
        allow_shallow=args.allow_shallow,
        thresholds={name: value for name, value in values.items() if value is not None},
    )


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--targets",
        action="append",
        default=[],
        metavar="GLOB",
        help="target files, one quoted pattern relative to the working directory; "
        "repeatable (default: as configured)",
    )
    add_flag(parser, "--all", "take every entry, not only the batch")


_LIST_OPTIONS = ("labels", "assignees")


def add_issue_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting of the issue; lists are given as `a,b`."""
    from learnings.core.settings.feature_tables import ISSUE_KEYS  # noqa: PLC0415  (few commands have them)

    group = parser.add_argument_group("issue (default: as configured)")
    for name, key in ISSUE_KEYS.items():
        metavar = "A,B" if name in _LIST_OPTIONS else "TEXT"
        group.add_argument(f"--{name}", metavar=metavar, help=key.doc)


def issue_overrides(args: argparse.Namespace) -> dict[str, object]:
    from learnings.core.settings.feature_tables import ISSUE_KEYS  # noqa: PLC0415  (as above)

    texts = {name: getattr(args, name) for name in ISSUE_KEYS}
    return {
        name: list(filter(None, map(str.strip, text.split(","))))
        if name in _LIST_OPTIONS
        else text.strip()
        for name, text in texts.items()
        if text and text.strip()
    }
