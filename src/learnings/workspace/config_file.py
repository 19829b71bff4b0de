"""The configuration file in use, the nearest one upwards, with the line of each key."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import BadSettings
from learnings.core.file_names import OWN_FILE
from learnings.core.patterns import lazy_pattern
from learnings.core.settings.setting_values import KeyPath, SettingsSource
from learnings.core.text import printable
from learnings.workspace.disk import is_link

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


SHARED_FILE = "pyproject.toml"
SECTION = ("tool", "learnings")
# Bytes; no real configuration is longer, and tomllib takes minutes for some long files.
LARGEST_CONFIG = 1_000_000


CONFIG_FILES = (OWN_FILE, SHARED_FILE)
"""Names of configuration files; the later one counts only if the first does not exist."""


def find_config(start: Path, root: Path) -> ConfigFile | None:
    """Return the nearest configuration between `start` and `root`. Raises BadSettings.

    In each folder learnings.toml wins over pyproject.toml, which counts only with a
    `tool.learnings`.
    """
    for folder in (start, *start.parents):
        for path in (folder / name for name in CONFIG_FILES):
            data = _content(path, root)
            name = path.relative_to(root).as_posix()
            config = None if data is None else read_config(path, name, data)
            if config is not None:
                return config
        if folder == root:
            break
    return None


def _content(path: Path, root: Path) -> bytes | None:
    """Return the bytes of a regular file; None if there is no file, or a folder.

    pyproject.toml, which may contain anything, is cut to one byte more than the limit.
    """
    name = path.relative_to(root).as_posix()
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return None
        if not stat.S_ISREG(status.st_mode):
            raise BadSettings(f"{name}: is not a regular file; replace it with one")
        if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
            raise BadSettings(
                f"{name}: leads out of the repository; replace the link with the file"
            )
        if path.name == OWN_FILE and status.st_size > LARGEST_CONFIG:
            raise BadSettings(_too_large(name))
        with path.open("rb") as file:
            return file.read(LARGEST_CONFIG + 1)
    except FileNotFoundError:
        if is_link(path):
            raise BadSettings(f"{name}: is a broken link; correct or remove it") from None
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise BadSettings(f"{name}: cannot be read ({reason}); make it readable") from None


def _too_large(name: str) -> str:
    return f"{name}: has more than {LARGEST_CONFIG} bytes; shorten it"


class ConfigFile(NamedTuple):
    """A configuration file: its place, and the table with the settings."""

    path: Path
    table: Mapping[str, object]
    source: SettingsSource


def read_config(path: Path, name: str, data: bytes) -> ConfigFile | None:
    """Return the configuration in the content of a file, or None if it has none.

    name is its path from the root. Raises BadSettings.
    """
    section = SECTION if path.name == SHARED_FILE else ()
    if section and SECTION[-1].encode() not in data:
        return None
    if len(data) > LARGEST_CONFIG:
        raise BadSettings(_too_large(name))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadSettings(f"{name}:{line}: is not UTF-8; save the file as UTF-8") from None
    table: object = _parse(text, name)
    for key in section:
        table = table.get(key) if isinstance(table, dict) else None
    if table is None:
        return None

    @cache
    def lines() -> dict[KeyPath, int]:
        return key_lines(text)

    folder = name.rpartition("/")[0]
    source = SettingsSource(name, folder, lambda keys: lines().get((*section, *keys)))
    if not isinstance(table, dict):
        header = ".".join(section)
        raise BadSettings(
            f"{source.location(())}: {header} must be a table; write [{header}] above the keys"
        )
    return ConfigFile(path, table, source)


def _parse(text: str, name: str) -> dict[str, object]:
    # Hooks start all day long, mostly without a configuration.
    import tomllib  # noqa: PLC0415  (where something is)

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadSettings(f"{name}: is nested too deeply; flatten it") from None
    except ValueError as error:
        reason = str(error)
    # The end of a tomllib message: ` (at line 3, column 5)` or ` (at end of document)`.
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", reason)
    if match is None:  # not a syntax error: a number too long for Python, a date like 2026-13-01
        raise BadSettings(f"{name}: is not valid TOML (invalid date or number); correct it")
    problem = printable(reason[: match.start()])
    line = match[1] or text.rstrip("\n").count("\n") + 1
    position = f"at column {match[2]}" if match[2] else "at the end"
    raise BadSettings(f"{name}:{line}: is not valid TOML ({problem} {position}); correct this line")
