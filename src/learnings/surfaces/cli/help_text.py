"""The help of `learnings` itself, and how the help of all commands is laid out."""

from __future__ import annotations

import re
from shutil import get_terminal_size
from textwrap import fill

import learnings
from learnings.core.patterns import lazy_pattern
from learnings.surfaces.cli.commands import COMMANDS

# Blanks that line something up: at the start of a line or between two of its columns.
_COLUMNS = lazy_pattern(r"^ |\S  ", re.MULTILINE)


def filled(text: str | None) -> str:
    """Return text with its paragraphs fitted to the terminal; lines in columns stay as they are."""
    width = get_terminal_size().columns - 2  # as argparse does with all else
    paragraphs = (text or "").strip().split("\n\n")
    return "\n\n".join(p if _COLUMNS.search(p) else fill(p, width) for p in paragraphs)


def epilog() -> str:
    """Return what the help of `learnings` says below the options: the commands."""
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
    return (
        f"commands:\n{listed}\n\nlearnings COMMAND --help says more about each. Without a command: "
        "how the memory of this repository is, and what to do next."
    )


def version() -> str:
    """Return what --version prints."""
    return f"learnings {learnings.__version__}"
