"""The line of each key in a TOML text, which the parser of the standard library does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from learnings.core.settings.schema import KeyPath

_LEXEMES = r"""
      \#[^\n]*
    | \"{3} (?: [^\\] | \\. )*? \"{3,5}
    | '{3} .*? '{3,5}
    | " (?: [^"\\\n] | \\. )* "
    | ' [^'\n]* '
    | [^\s\[\]{},=.\#"']+
    | [\n\[\]{},=.]
"""


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line, from 1, on which each key, table and array element of a TOML text first stands.

    The text has to be valid TOML. `a.b = 1` and `[a.b]` count for `a` too; the elements of an
    array have their index from 0 in the path, as in `("file", 0, "path")`.
    """
    reader = _KeyReader(text)
    reader.read()
    return reader.lines


class _KeyReader:
    """Walks over the tokens of a TOML text that a real parser has accepted already."""

    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._tokens = list(_tokens(text))
        self._at = 0
        self._elements: dict[KeyPath, int] = {}

    def read(self) -> None:
        table: KeyPath = ()
        while self._skip_blank():
            if self._next() == "[":
                table = self._header()
            else:
                self._value(self._key(table, "="))

    def _next(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _skip_blank(self) -> bool:
        while self._next() == "\n":
            self._at += 1
        return self._next() != ""

    def _header(self) -> KeyPath:
        is_array = self._tokens[self._at + 1][0] == "["
        self._at += 1 + is_array
        path = self._key((), "]", is_array=is_array)
        self._at += is_array
        return path

    def _key(self, path: KeyPath, end: str, *, is_array: bool = False) -> KeyPath:
        """The path of a dotted key below `path`; reads up to and with the token `end`."""
        while True:
            token, line = self._tokens[self._at]
            after = self._tokens[self._at + 1][0]
            path = (*path, _unquoted(token))
            self.lines.setdefault(path, line)
            if after == end and is_array:
                self._elements[path] = self._elements.get(path, -1) + 1
            if path in self._elements:
                path = (*path, self._elements[path])
                self.lines.setdefault(path, line)
            self._at += 2
            if after == end:
                return path

    def _value(self, path: KeyPath) -> None:
        """Read the value of the key at `path`, to the end of its line; inline tables have keys."""
        around: list[tuple[KeyPath, int | None]] = []
        while (sign := self._next()) and (around or sign != "\n"):
            line = self._tokens[self._at][1]
            self._at += 1
            if sign in ("[", "{"):
                self.lines.setdefault(path, line)
                around.append((path, 0 if sign == "[" else None))
                path = (*path, 0) if sign == "[" else self._inline_key(path)
            elif sign == "," and around:
                path, index = around.pop()
                around.append((path, None if index is None else index + 1))
                path = self._inline_key(path) if index is None else (*path, index + 1)
            elif sign in ("]", "}"):
                path = around.pop()[0]
            elif sign != "\n":
                self.lines.setdefault(path, line)

    def _inline_key(self, table: KeyPath) -> KeyPath:
        self._skip_blank()
        return table if self._next() == "}" else self._key(table, "=")


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line = 1
    for found in re.finditer(_LEXEMES, text, re.VERBOSE | re.DOTALL):
        token = found[0]
        if not token.startswith("#"):
            yield token, line
        line += token.count("\n")


def _unquoted(key: str) -> str:
    if key[0] not in "\"'":
        return key
    if "\\" not in key:
        return key[1:-1]
    import tomllib  # noqa: PLC0415

    unquoted: str = tomllib.loads(f"key = {key}")["key"]
    return unquoted
