"""The options about the issue: each overrides the setting of its name, unless it is empty."""

from __future__ import annotations

import argparse

from learnings.core.settings.issue import ISSUE_KEYS

_LISTS = ("labels", "assignees")


def add_issue_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting of the issue; lists are given as `a,b`."""
    group = parser.add_argument_group("issue (default: as configured)")
    for name, key in ISSUE_KEYS.items():
        metavar = "A,B" if name in _LISTS else "TEXT"
        group.add_argument(f"--{name}", metavar=metavar, help=key.doc)


def issue_overrides(args: argparse.Namespace) -> dict[str, object]:
    """Return the settings of add_issue_options() that were given, by key."""
    texts = {name: getattr(args, name) for name in ISSUE_KEYS}
    return {name: _value(name, text) for name, text in texts.items() if text and text.strip()}


def _value(name: str, text: str) -> object:
    if name not in _LISTS:
        return text.strip()
    return [part.strip() for part in text.split(",") if part.strip()]
