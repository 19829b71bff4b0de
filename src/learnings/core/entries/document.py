"""A memory file as values: spans that joined again are the file, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import compress, count, islice
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries import dialects
from learnings.core.entries.detection import configured
from learnings.core.entries.dialects import Dialect
from learnings.core.entries.layout import ENTRY, LineSpan, lay_out
from learnings.core.entries.titles import (
    FirstLine,
    heading_text,
    identity_key,
    own_words,
    read_heading,
    read_item,
)
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.outline import Outline
from learnings.core.text import encode

if TYPE_CHECKING:
    from learnings.core.settings.setting_values import FileSettings

# No memory is that long, and reading it takes seconds. (docs/troubleshooting.md names both.)
LARGEST_FILE = 4_000_000
"""Bytes of the largest file that is read."""
# Some 4 MB at 20 bytes a line. The slowest lines known, headings without a title, take `check`
# 18 µs each: 4 seconds.
MOST_LINES = 200_000
"""Lines of the longest file that is read."""
_SUPERSEDED = "~~Superseded"


class Entry(NamedTuple):
    """An entry: its first line (heading or list item) and the body under it.

    level is that of the heading, 0 for a list item. stamp is the text of the time stamp or id,
    stated the date the entry gives (ISO text, see titles.FirstLine). first and last are lines,
    1-based. identity is the key that makes two entries the same one; a second entry with the same
    key has ` #2` at its end. lines keep their terminators. path is that of the entry where it is a
    file of its own (see memory_folder), POSIX from the root.
    """

    title: str
    stamp: str | None
    stated: str | None
    level: int
    first: int
    last: int
    identity: str
    lines: tuple[str, ...]
    path: str = ""

    @property
    def text(self) -> str:
        """The source of the entry with its terminators."""
        return "".join(self.lines)

    @property
    def body(self) -> str:
        """The source below the first line."""
        return "".join(self.lines[1:])

    @property
    def key(self) -> str:
        """The identity without the number that a second entry gets; a title may end in one."""
        if self.path:
            return self.identity
        if self.level:
            return identity_key(self.stamp, self.title)
        first_line = read_item(self.lines[0])
        return identity_key(first_line.stamp, first_line.key_title)

    @property
    def superseded(self) -> bool:
        """True if a line of the body starts with `~~Superseded`."""
        return any(line.startswith(_SUPERSEDED) for line in self.lines[1:])

    @property
    def name(self) -> str:
        """The title as reports show it: where it is but a tag, the first line of the summary."""
        if not self.stamp or not self.level or len(own_words(self.title)) > 1:
            return self.title
        is_title = (
            line[:1] == "#" and heading_text(line).casefold() == "summary" for line in self.lines
        )
        below = islice(self.lines, next(compress(count(1), is_title), len(self.lines)), None)
        return next((line.strip() for line in below if line.strip()), self.title)

    @property
    def place(self) -> str:
        """Where it stands in its memory: its line, or its own file."""
        return self.path or f"line {self.first}"

    @property
    def position(self) -> tuple[str, int]:
        """Where it stands among the entries of its memory, which it tells apart."""
        return self.path, self.first

    @property
    def heading(self) -> str:
        """The name with its time stamp or id, as reports show it."""
        return f"[{self.stamp}] {self.name}" if self.stamp else self.title


# The versions of a file have most of their entries in common; 16,384 are all of a long history.
_entry = lru_cache(maxsize=16384)(Entry)


class Document:
    """A memory file, parsed totally and losslessly.

    lines keep their terminators. front_matter is the number of lines of YAML at the top (0 for
    none). preamble_end is the last line of what introduces the file; lines between it and the
    first span that is not preamble belong to nothing. All line numbers are 1-based in the file.
    """

    def __init__(
        self,
        *,
        lines: tuple[str, ...],
        outline: Outline,
        front_matter: int,
        dialect: Dialect,
        preamble_end: int,
        spans: tuple[LineSpan, ...],
        entries: tuple[Entry, ...],
    ) -> None:
        self.lines = lines
        self.outline = outline
        self.front_matter = front_matter
        self.dialect = dialect
        self.preamble_end = preamble_end
        self.spans = spans
        self.entries = entries

    @property
    def text(self) -> str:
        """The whole source."""
        return "".join(self.lines)

    @property
    def is_one_line_for_git(self) -> bool:
        r"""True if the lines end at "\r" alone, which git does not take for the end of a line."""
        return bool(self.lines) and self.lines[0].endswith("\r")

    def to_bytes(self) -> bytes:
        """Return the file, byte for byte, from its spans."""
        parts = (self.lines[span.first - 1 : span.last] for span in self.spans)
        return encode("".join(line for part in parts for line in part))

    @cached_property
    def memory_lines(self) -> int:
        """The number of lines that count: those of the entries where a log stands beside them."""
        if self.dialect.name != dialects.SECTIONS:
            return len(self.lines)
        return sum(len(entry.lines) for entry in self.entries)

    @cached_property
    def hidden_lines(self) -> frozenset[int]:
        """The numbers of the lines in the front matter, in fenced code and in comments."""
        return frozenset(self.outline.hidden_lines(self.front_matter))

    @cached_property
    def by_identity(self) -> dict[str, Entry]:
        """The entries by identity."""
        return {entry.identity: entry for entry in self.entries}

    @cached_property
    def by_first_line(self) -> dict[int, Entry]:
        """The entries by the number of their first line."""
        return {entry.first: entry for entry in self.entries}

    def read_as(self, dialect: Dialect) -> Document:
        """Return the same file read in another dialect, its preamble found anew."""
        if (dialect.name, dialect.level) == (self.dialect.name, self.dialect.level):
            return self
        return _assemble(self.lines, self.outline, self.front_matter, dialect, None)


class ReadOptions(NamedTuple):
    """How a memory file is to be read.

    dialect is `auto` or the name of one. entry_level is the level of entry headings, None where
    the dialect decides it. preamble_lines is the number of lines at the top in which nothing is an
    entry, None for the preamble that the file shows.
    """

    dialect: str = "auto"
    entry_level: int | None = None
    preamble_lines: int | None = None

    @classmethod
    def of(cls, settings: FileSettings) -> ReadOptions:
        """Return what the settings of a learnings file say about its reading."""
        return cls(settings.dialect, settings.entry_level, settings.preamble_lines)


AUTO = ReadOptions()


def excess(size: int, lines: int = 0) -> str | None:
    """Return what is too much of a file with so many bytes and lines, for the middle of a sentence.

    None where it is not larger than any memory file.
    """
    if size > LARGEST_FILE:
        return f"has more than {LARGEST_FILE // 1_000_000} MB, which no memory file has"
    if lines > MOST_LINES:
        return f"has more than {MOST_LINES:,} lines, which no memory file has"
    return None


def excess_of(data: bytes) -> str | None:
    """Return excess() for the content of a file."""
    return excess(len(data), data.count(_separator(data)))


def within_limits(data: bytes) -> bytes:
    """Return what is read of an older version, which nobody can split: lines up to the limits."""
    if excess_of(data) is None:
        return data
    separator = _separator(data)
    *lines, _ = data[:LARGEST_FILE].split(separator, MOST_LINES)
    return b"".join(line + separator for line in lines)


def _separator(data: bytes) -> bytes:
    return b"\n" if b"\n" in data else b"\r"


def read(data: bytes, options: ReadOptions = AUTO, *, version: bool = False) -> Document:
    """Read a memory file; there is no input that it refuses.

    version says that it is one of many versions of a file, which is read faster then. A BOM and a
    YAML front matter are cut off before the Markdown is parsed.
    """
    lines, front_matter, outline = blocks_of(data, version=version)
    dialect = configured(options.dialect, options.entry_level, lines, outline)
    return _assemble(lines, outline, front_matter, dialect, options.preamble_lines)


def read_older(data: bytes, options: ReadOptions) -> Document:
    """Read an older version of a file: in the dialect of that version.

    Configured options speak of the file as it is now, so a version that holds no entry by them is
    read in the dialect it shows by itself.
    """
    older = read(data, options, version=True)
    if older.entries or (options.dialect == "auto" and options.entry_level is None):
        return older
    return read(data, ReadOptions(preamble_lines=options.preamble_lines), version=True)


def _assemble(
    lines: tuple[str, ...],
    outline: Outline,
    front_matter: int,
    dialect: Dialect,
    preamble_lines: int | None,
) -> Document:
    layout = lay_out(
        lines, outline, dialect, front_matter=front_matter, preamble_lines=preamble_lines
    )
    return Document(
        lines=lines,
        outline=outline,
        front_matter=front_matter,
        dialect=dialect,
        preamble_end=layout.preamble_end,
        spans=layout.spans,
        entries=tuple(_entries(lines, layout.spans, dialect)),
    )


def _entries(
    lines: tuple[str, ...], spans: tuple[LineSpan, ...], dialect: Dialect
) -> Iterator[Entry]:
    seen: dict[str, int] = {}
    for kind, first, last, level in spans:
        if kind != ENTRY:
            continue
        first_line, key = _first_line(lines[first - 1], dialect.name, level)
        title, stamp, stated, _ = first_line
        seen[key] = number = seen.get(key, 0) + 1
        identity = key if number == 1 else f"{key} #{number}"
        body = lines[first - 1 : last]
        yield _entry(title, stamp, stated, level, first, last, identity, body)


@lru_cache(maxsize=16384)
def _first_line(line: str, dialect: str, level: int) -> tuple[FirstLine, str]:
    """Return what the first line of an entry says in a dialect, and the key of its identity."""
    if level:
        identified = dialect in (dialects.IDENTIFIED, dialects.TABLE)
        stamped = identified or dialect == dialects.TIMESTAMPED
        first_line = read_heading(line, stamped=stamped, bare_ids=identified)
    else:
        first_line = read_item(line)
    return first_line, identity_key(first_line.stamp, first_line.key_title)
