"""Workflow commands: log lines that GitHub Actions turns into annotations.

A runner looks for commands in every line of a log, including standard error: `::name::` at the
start of a line, after white space, and the older `##[name]` anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable, printable_lines

_IN_DATA = str.maketrans({"%": "%25", "\n": "%0A"})
_IN_PROPERTY = _IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})
_OLD_FORM = "##["
# The start of a line with a command; for the runner, a carriage return also ends a line.
_FIRST = lazy_pattern(r"(^|[\r\n])([^\S\r\n]*):(?=:)")


def workflow_command(name: str, message: str, **properties: object) -> str:
    """Return a command as a line, properties in the given order; no text inside can end it."""
    values = {key: printable(str(value)) for key, value in properties.items()}
    pairs = ",".join(f"{key}={value.translate(_IN_PROPERTY)}" for key, value in values.items())
    gap = " " if pairs else ""
    data = printable_lines(message).translate(_IN_DATA)
    return without_old_form(f"::{name}{gap}{pairs}::{data}\n")


MOST_ANNOTATIONS = 10  # of one level per step; GitHub silently drops the rest


def limited(level: str, commands: Sequence[str]) -> str:
    """Return the commands of a level that GitHub shows, and a line that counts the rest."""
    rest = len(commands) - MOST_ANNOTATIONS
    more = f"and {counted(rest, f'more {level}')}, beyond what GitHub shows\n" if rest > 0 else ""
    return "".join((*commands[:MOST_ANNOTATIONS], more))


def without_old_form(text: str) -> str:
    r"""Return text without commands of the older form: `##[` becomes `##\x5b`."""
    return text.replace(_OLD_FORM, r"##\x5b")


def without_commands(text: str) -> str:
    r"""Return text without commands of either form: `::` at a line's start becomes `\x3a:`."""
    return _FIRST.sub(r"\1\2\\x3a", without_old_form(text))


def may_hold_commands(text: str) -> bool:
    """Return True if a runner could find a command in a text, however it splits lines."""
    return "::" in text or _OLD_FORM in text


def stopped(text: str) -> str:
    """Return text between two lines that stop the runner, with an unguessable token."""
    import secrets  # noqa: PLC0415  (slow, and seldom needed)

    token = secrets.token_hex(16)
    end = "" if text.endswith("\n") else "\n"
    return f"::stop-commands::{token}\n{text}{end}::{token}::\n"
