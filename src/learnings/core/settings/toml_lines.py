"""The lines of keys in a TOML text, which tomllib does not report."""

from __future__ import annotations

import re
from collections.abc import Iterator

from learnings.core.patterns import lazy_pattern
from learnings.core.settings.setting_values import KeyPath

# A comment; a string of each of the four kinds, multi-line ones first; a bare key, number or date;
# a sign.
_LEXEME = lazy_pattern(
    r"""
      \#[^\n]*
    | \"{3} (?: [^\\] | \\. )*? \"{3,5}
    | '{3} .*? '{3,5}
    | " (?: [^"\\\n] | \\. )* "
    | ' [^'\n]* '
    | [^\s\[\]{},=.\#"']+
    | [\n\[\]{},=.]
    """,
    re.VERBOSE | re.DOTALL,
)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the lines of the keys, tables and array elements, such as `("file", 0, "path")`."""
    return _KeyReader(text).read()


class _KeyReader:
    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._tokens = list(_tokens(text))
        self._position = 0
        self._elements: dict[KeyPath, int] = {}

    def read(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._skip_blank():
            if self._next() == "[":
                is_array = self._tokens[self._position + 1][0] == "["
                self._position += 1 + is_array
                table = self._key((), "]", is_array=is_array)
                self._position += is_array
            else:
                self._value(self._key(table, "="))
        return self.lines

    def _next(self) -> str:
        return self._tokens[self._position][0] if self._position < len(self._tokens) else ""

    def _skip_blank(self) -> bool:
        while self._next() == "\n":
            self._position += 1
        return self._next() != ""

    def _key(self, path: KeyPath, end: str, *, is_array: bool = False) -> KeyPath:
        """Read a dotted key below `path`, up to the token `end`; return its path."""
        while True:
            token, line = self._tokens[self._position]
            after = self._tokens[self._position + 1][0]
            path = (*path, _unquoted(token))
            self.lines.setdefault(path, line)
            if after == end and is_array:
                self._elements[path] = self._elements.get(path, -1) + 1
            if path in self._elements:
                path = (*path, self._elements[path])
                self.lines.setdefault(path, line)
            self._position += 2
            if after == end:
                return path

    def _value(self, path: KeyPath) -> None:
        # The open arrays and inline tables: the path of each, and the index of the current element,
        # None in an inline table.
        enclosing: list[tuple[KeyPath, int | None]] = []
        while (symbol := self._next()) and (enclosing or symbol != "\n"):
            line = self._tokens[self._position][1]
            self._position += 1
            if symbol in ("[", "{"):
                self.lines.setdefault(path, line)
                enclosing.append((path, 0 if symbol == "[" else None))
                path = (*path, 0) if symbol == "[" else self._inline_key(path)
            elif symbol == "," and enclosing:
                path, index = enclosing.pop()
                enclosing.append((path, None if index is None else index + 1))
                path = self._inline_key(path) if index is None else (*path, index + 1)
            elif symbol in ("]", "}"):
                path = enclosing.pop()[0]
            elif symbol != "\n":
                self.lines.setdefault(path, line)

    def _inline_key(self, table: KeyPath) -> KeyPath:
        self._skip_blank()
        return table if self._next() == "}" else self._key(table, "=")


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line = 1
    for match in _LEXEME.finditer(text):
        token = match[0]
        if not token.startswith("#"):
            yield token, line
        line += token.count("\n")


def _unquoted(key: str) -> str:
    if key[0] not in "\"'":
        return key
    if "\\" not in key:
        return key[1:-1]
    import tomllib  # noqa: PLC0415  (few keys are written so)

    unquoted: str = tomllib.loads(f"key = {key}")["key"]
    return unquoted
