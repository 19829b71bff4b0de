"""Workflow commands: the lines by which a log of GitHub Actions gets its annotations."""

from __future__ import annotations

_IN_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_DATA, ":": "%3A", ",": "%2C"}


def command(name: str, message: str, **properties: object) -> str:
    """Return a command as a line, with its newline; properties in the order given.

    Nothing in the message or in a property can end it early or begin another command.
    """
    pairs = ",".join(f"{key}={_escaped(value, _IN_PROPERTY)}" for key, value in properties.items())
    gap = " " if pairs else ""
    return f"::{name}{gap}{pairs}::{_escaped(message, _IN_DATA)}\n"


def _escaped(value: object, codes: dict[str, str]) -> str:
    return "".join(codes.get(character, character) for character in str(value))
