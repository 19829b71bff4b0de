"""A memory file as values; its spans joined are the file, byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import compress, count, islice
from typing import NamedTuple

from learnings.core.entries import dialects, place_holders, titles
from learnings.core.entries.dialects import Dialect, Shape
from learnings.core.entries.layout import ENTRY, Layout, LineSpan, configured, lay_out
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.line_edits import without_filler
from learnings.core.settings.setting_values import FileSettings
from learnings.core.sha256 import sha256_of
from learnings.core.text import BOM, chomp, count_lines, encode

# No memory is longer, and reading a longer file takes seconds. (docs/troubleshooting.md names
# both.)
LARGEST_FILE = 4_000_000  # bytes of the largest file to read
# Some 4 MB at 20 bytes per line. The slowest known lines, headings without a title, take `check` 18
# µs each: 4 seconds.
MOST_LINES = 200_000  # lines of the longest file to read
_SUPERSEDED = "~~Superseded"


class Entry(NamedTuple):
    """An entry: its first line (a heading, or an item at level 0) and its body.

    stamp and stated are as in titles.FirstLine; first and last are 1-based; the identity of a
    second equal entry ends in ` #2`; path is set for an entry in a memory folder.
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
        return "".join(self.lines)

    @property
    def body(self) -> str:
        return "".join(self.lines[1:])

    @property
    def key(self) -> str:
        """The identity without the number of a second entry; titles may end in a number."""
        if self.path:
            return self.identity
        if self.level:
            return titles.identity_key(self.stamp, self.title)
        first_line = titles.read_item(self.lines[0])
        return titles.identity_key(first_line.stamp, first_line.key_title)

    @property
    def superseded(self) -> bool:
        return any(line.startswith(_SUPERSEDED) for line in self.lines[1:])

    @property
    def name(self) -> str:
        """The title for reports or, if the title is only a tag, the first line of the summary."""
        if not self.stamp or not self.level or len(titles.own_words(self.title)) > 1:
            return self.title
        is_title = (
            line[:1] == "#" and titles.heading_text(line).casefold() == "summary"
            for line in self.lines
        )
        below = islice(self.lines, next(compress(count(1), is_title), len(self.lines)), None)
        return next((line.strip() for line in below if line.strip()), self.title)

    @property
    def place(self) -> str:
        return self.path or f"line {self.first}"

    @property
    def position(self) -> tuple[str, int]:
        return self.path, self.first

    @property
    def heading(self) -> str:
        return f"[{self.stamp}] {self.name}" if self.stamp else self.title


# Versions of a file share most entries; 16,384 entries cover a long history.
_entry = lru_cache(maxsize=16384)(Entry)


class Size(NamedTuple):
    """The size of a memory: the number of its lines, or of the files of a folder."""

    number: int = 0
    unit: str = "line"


class ReadOptions(NamedTuple):
    """Options for reading a memory file; `None` lets the file decide."""

    dialect: str = "auto"
    entry_level: int | None = None
    preamble_lines: int | None = None

    @classmethod
    def of(cls, settings: FileSettings) -> ReadOptions:
        return cls(settings.dialect, settings.entry_level, settings.preamble_lines)


AUTO = ReadOptions()


class Document:
    """A memory file, parsed losslessly; lines keep terminators and are numbered from 1.

    front_matter is the number of YAML lines, preamble_end the last line of the introduction. The
    entries are read on first use: nobody asks a target for them.
    """

    def __init__(
        self, blocks: Blocks, options: ReadOptions = AUTO, dialect: Dialect | None = None
    ) -> None:
        self.lines, self.front_matter, self.outline = self._blocks = blocks
        self._options = options
        if dialect is not None:
            self.dialect = dialect

    @cached_property
    def shape(self) -> Shape:
        """The parts that decide its dialect."""
        return Shape(self.lines, self.outline)

    @cached_property
    def dialect(self) -> Dialect:
        """The form of its entries, as configured or detected."""
        name, level, _ = self._options
        return configured(name, level, self.shape)

    @cached_property
    def _layout(self) -> Layout:
        preamble_lines = self._options.preamble_lines
        return lay_out(self.shape, self.dialect, self.front_matter, preamble_lines)

    @property
    def spans(self) -> tuple[LineSpan, ...]:
        return self._layout.spans

    @property
    def preamble_end(self) -> int:
        return self._layout.preamble_end

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries in file order."""
        name, entries, seen = self.dialect.name, [], Counter[str]()
        has_ids = name in (dialects.IDENTIFIED, dialects.TABLE)
        is_stamped = has_ids or name == dialects.TIMESTAMPED
        for kind, first, last, level in self.spans:
            if kind != ENTRY:
                continue
            body = self.lines[first - 1 : last]
            if level:
                start = titles.read_heading(body[0], stamped=is_stamped, bare_ids=has_ids)
            else:
                start = titles.read_item(body[0])
            key = titles.identity_key(start.stamp, start.key_title)
            seen[key] += 1
            identity = key if seen[key] == 1 else f"{key} #{seen[key]}"
            if first == 1:  # a BOM belongs to the file
                body = (body[0].removeprefix(BOM), *body[1:])
            parts = start.title, start.stamp, start.stated, level, first, last, identity, body
            entries.append(_entry(*parts))
        return tuple(entries)

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def to_bytes(self) -> bytes:
        """Return the file from its spans, byte for byte."""
        parts = (self.lines[span.first - 1 : span.last] for span in self.spans)
        return encode("".join(line for part in parts for line in part))

    @cached_property
    def size(self) -> Size:
        """The lines of the file; of its entries, if only some sections are memory."""
        if self.dialect.name != dialects.SECTIONS:
            return Size(len(self.lines))
        return Size(sum(len(entry.lines) for entry in self.entries))

    @cached_property
    def hidden_lines(self) -> frozenset[int]:
        return frozenset(self.outline.hidden_lines(self.front_matter))

    @cached_property
    def by_identity(self) -> dict[str, Entry]:
        return {entry.identity: entry for entry in self.entries}

    @cached_property
    def by_first_line(self) -> dict[int, Entry]:
        return {entry.first: entry for entry in self.entries}

    def read_as(self, dialect: Dialect) -> Document:
        if (dialect.name, dialect.level) == (self.dialect.name, self.dialect.level):
            return self
        document = Document(self._blocks, dialect=dialect)
        document.shape = self.shape
        return document


def size_of(data: bytes) -> Size:
    """Return the size of a file that is memory as a whole, as Document.size does, but unread."""
    return Size(count_lines(data))


def excess(size: int, lines: int = 0) -> str | None:
    """Return the limit that a file exceeds, for use in a sentence, or None."""
    if size > LARGEST_FILE:
        return f"has more than {LARGEST_FILE // 1_000_000} MB, too large for a memory file"
    if lines > MOST_LINES:
        return f"has more than {MOST_LINES:,} lines, too long for a memory file"
    return None


def excess_of(data: bytes) -> str | None:
    return excess(len(data), count_lines(data))


def within_limits(data: bytes) -> bytes:
    """Cut an older version to the limits, since nobody can split it any more."""
    if excess_of(data) is None:
        return data
    separator = b"\n" if b"\n" in data else b"\r"
    *lines, _ = data[:LARGEST_FILE].split(separator, MOST_LINES)
    return b"".join(line + separator for line in lines)


# One command reads a file for discovery, for itself and from git, mostly with the same content.
@lru_cache(maxsize=8)
def read(data: bytes, options: ReadOptions = AUTO) -> Document:
    """Read any memory file."""
    return Document(blocks_of(data), options)


def read_older(data: bytes, options: ReadOptions) -> Document:
    """Read an older version with the options or, if they find no entry, in its own dialect."""
    older = read(data, options)
    if older.entries or (options.dialect == "auto" and options.entry_level is None):
        return older
    return read(data, ReadOptions(preamble_lines=options.preamble_lines))


DIGEST_LENGTH = 12
"""Hexadecimal digits of a digest: 48 bits.

Among the 2,000 entries of a large file, two collide by chance once in 140 million files.
"""


def digest_of(entry: Entry) -> str:
    return digest_of_lines(entry.lines)


def digest_of_lines(source: Iterable[str]) -> str:
    """Return the digest of an entry, ignoring line ends and filler, which vary between copies."""
    lines = without_filler([chomp(line).removeprefix(BOM) for line in source])
    return sha256_of(encode("\n".join(lines)))[:DIGEST_LENGTH]


# Words of a one-line placeholder, as in `- [YYYY-MM-DD] **Short title**: what was learned`.
_MOST_BLANK_WORDS = 10


def says_nothing(entry: Entry) -> bool:
    """Return True for a template's placeholder, which says nothing.

    The body decides: a request for text, such as `[what happened]`, says nothing, and neither does
    a template's heading.
    """
    is_blank = any(map(place_holders.is_place_holder, (entry.lines[0], f"# {entry.heading}")))
    # `[Title]` may be a tag, and `<Suspense>` the name of a component: the text below decides.
    is_tag = place_holders.ONE_TAG.fullmatch(entry.title)
    if not (is_blank or is_tag or place_holders.is_blank_title(entry.title)):
        return False
    heading, *lines = (line for line in entry.lines if line.strip())
    if not lines:  # a list item may name a form: `the URL is /<YYYY-MM-DD>/<N>`
        return is_blank and len(heading.split()) <= _MOST_BLANK_WORDS
    return all(map(place_holders.is_place_holder, lines))


def is_without_text(entry: Entry) -> bool:
    """Return True for a placeholder, and for a heading with nothing below it."""
    has_body = bool(entry.path or not entry.level) or any(map(str.strip, entry.lines[1:]))
    return not has_body or says_nothing(entry)
