"""Workflow commands: the lines by which a log of GitHub Actions gets its annotations."""

from __future__ import annotations

_IN_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_DATA, ":": "%3A", ",": "%2C"}


def command(name: str, message: str, **properties: object) -> str:
    """Return a command as a line, with its newline; properties in the order given.

    Nothing in the message or in a property can end it early or begin another command.
    """
    written = ",".join(
        f"{key}={_escaped(value, _IN_PROPERTY)}" for key, value in properties.items()
    )
    gap = " " if written else ""
    return f"::{name}{gap}{written}::{_escaped(message, _IN_DATA)}\n"


def _escaped(value: object, signs: dict[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in str(value))
