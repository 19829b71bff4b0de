"""The types of settings: numbers, switches, names, paths and lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

# Far more names or globs than a list needs; each is compared with many files. 1,000 globs and 1,000
# target files took 4 s.
MOST_ITEMS = 1_000
# Far more than the lines of a file or the days of a history.
LARGEST_NUMBER = 1_000_000_000


class ValueType(NamedTuple):
    """The type of a setting; `read(value, folder)` raises TypeError or ValueError."""

    wants: str
    schema: Mapping[str, object]
    read: Callable[[Any, str], object]
    names: tuple[str, ...] = ()


class TooManyItems(ValueError):
    """A list is longer than MOST_ITEMS; the argument is its length."""


class ItemError(ValueError):
    """An item of a list has a wrong value; the arguments are its 0-based index and the item."""


def path_inside(path: str, folder: str = "") -> str:
    """Return the path of a file from the root. Raises ValueError unless it is inside."""
    drive = path[1:2] == ":" and path[0].isascii() and path[0].isalpha()
    if not path or drive or path[0] == "/" or path[-1] == "/" or "\\" in path or "\0" in path:
        raise ValueError(path)
    parts = [part for part in folder.split("/") if part]
    for part in path.split("/"):
        if part == ".." and (not parts or any(wildcard in parts[-1] for wildcard in "*?[")):
            raise ValueError(path)
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if not parts or path.rsplit("/", 1)[-1] in (".", ".."):
        raise ValueError(path)
    return "/".join(parts)


def valid_if(is_valid: Callable[[Any], bool]) -> Callable[[Any, str], Any]:
    """Return the reader of values that a predicate accepts, which stay as they are."""

    def read(value: object, _folder: str) -> object:
        if not is_valid(value):
            raise ValueError
        return value

    return read


def whole(low: int, high: int = LARGEST_NUMBER) -> ValueType:
    span = f"from {low} to {high}" if high < LARGEST_NUMBER else f"of at least {low}"
    schema = {"type": "integer", "minimum": low, "maximum": high}
    read = valid_if(lambda value: type(value) is int and low <= value <= high)
    return ValueType(f"a whole number {span}", schema, read)


def _or_word(word: str, meaning: str | None, kind: ValueType) -> ValueType:
    def read(value: object, folder: str) -> object:
        return meaning if value == word else kind.read(value, folder)

    schema = {"anyOf": [{"const": word}, dict(kind.schema)]}
    return ValueType(f'"{word}" or {kind.wants}', schema, read)


or_auto = partial(_or_word, "auto", None)
or_off = partial(_or_word, "off", "off")


def choice(*names: str) -> ValueType:
    schema = {"type": "string", "enum": list(names)}
    return ValueType("one of " + ", ".join(names), schema, valid_if(names.__contains__), names)


def list_of(kind: ValueType, wants: str) -> ValueType:
    """Return the type of lists of `kind`; raises ItemError for the first refused item."""

    def read(value: object, folder: str) -> tuple[object, ...]:
        if not isinstance(value, list | tuple):
            raise TypeError
        if len(value) > MOST_ITEMS:
            raise TooManyItems(len(value))
        items: list[object] = []
        for index, item in enumerate(value):
            try:
                items.append(kind.read(item, folder))
            except (TypeError, ValueError):
                raise ItemError(index, item) from None
        return tuple(items)

    schema = {"type": "array", "maxItems": MOST_ITEMS, "items": dict(kind.schema)}
    return ValueType(f"a list of {wants}", schema, read, kind.names)


def one_or_list(kind: ValueType, wants: str) -> ValueType:
    """Return the type of one value or a list of `kind`, read as a tuple without duplicates."""
    several = list_of(kind, wants)

    def read(value: object, folder: str) -> object:
        items = several.read(value if isinstance(value, list | tuple) else (value,), folder)
        return tuple(dict.fromkeys(items))  # type: ignore[call-overload]

    schema = {"anyOf": [dict(kind.schema), dict(several.schema)]}
    return ValueType(f"{kind.wants}, or {several.wants}", schema, read)


_read_text = valid_if(lambda value: isinstance(value, str) and value.strip() != "")


def _read_path(value: object, folder: str) -> str:
    return path_inside(_read_text(value, ""), folder)


def _read_folder(value: object, folder: str) -> str:
    text = _read_text(value, "")
    return _read_path(text.rstrip("/") if text.strip("/") else text, folder)


def _read_glob(value: object, folder: str) -> str:
    literal = "".join(f"[{character}]" if character in "*?[" else character for character in folder)
    return _read_path(value, literal)


def _read_exclusion(value: object, folder: str) -> str:
    text = _read_text(value, "")
    return _read_glob(text.rstrip("/") if text.strip("/") else text, folder)


# A relative path to a file: no slash or drive at the start, no slash at the end, no backslash, not
# blank.
_PATH_SCHEMA = {"type": "string", "pattern": r"^(?!/|[A-Za-z]:|\s*$)[^\\]*[^/\\]$"}
# Any text with a non-blank character.
_TEXT_SCHEMA = {"type": "string", "pattern": r"\S"}
SHARE = ValueType(
    "a number between 0 and 1",
    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    valid_if(lambda value: isinstance(value, float) and 0 < value < 1),
)
SWITCH = ValueType(
    "true or false", {"type": "boolean"}, valid_if(lambda value: isinstance(value, bool))
)
PATH = ValueType("a path to a file inside the repository, written with /", _PATH_SCHEMA, _read_path)
# The same, but allow a slash at the end, as people write folders.
_FOLDER_SCHEMA = {"type": "string", "pattern": r"^(?!/|[A-Za-z]:|\s*$)[^\\]*$"}
FOLDER = ValueType(
    "a path to a folder inside the repository, written with /", _FOLDER_SCHEMA, _read_folder
)
PATHS = one_or_list(PATH, "them")
GLOBS = list_of(
    ValueType("", _PATH_SCHEMA, _read_glob),
    "paths or globs of files inside the repository, written with /",
)
EXCLUSIONS = list_of(
    ValueType("", _FOLDER_SCHEMA, _read_exclusion),
    "paths or globs of files or folders inside the repository, written with /",
)
TEXTS = list_of(ValueType("", _TEXT_SCHEMA, _read_text), "non-empty strings")
PATTERNS = list_of(ValueType("", _TEXT_SCHEMA, _read_text), "non-empty patterns")
