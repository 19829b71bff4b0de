"""The comparison of two versions of a file by chunks, which is faster than by documents.

If the chunks cannot decide, the answer is "not surely", and the documents are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, compress, count, repeat
from operator import ne
from typing import NamedTuple, TypeVar

from learnings.core.entries import titles
from learnings.core.entries.dialects import BULLET, SHAPES
from learnings.core.entries.document import ReadOptions
from learnings.core.markdown.blocks import front_matter_end, opens_front_matter
from learnings.core.markdown.chunks import Chunk, chunks_of
from learnings.core.markdown.line_kinds import LIST_MARKER, is_ruler
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, decode

HEADING, ITEM, TEXT = "heading", "item", "text"
"""The kinds of line beginnings; an entry begins with one of the first two."""

# The beginning of a list item at any depth.
_ITEM_START = lazy_pattern(rf"\s*{LIST_MARKER}(?:\s|$)")
# The beginning of an item with a bold lead, perhaps after a task box.
_BOLD_ITEM = lazy_pattern(rf"\n[ \t]*{LIST_MARKER}[ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*|__)")
# A part of every date.
_MAY_BE_DATED = lazy_pattern(r"\d{4}-\d{2}")
# Letters of section titles by which `shapes` recognises a file; list items below some of these
# headings are entries.
_TITLES_OF_TOOLS = frozenset(
    (
        *("codebasepatterns", "projectcontext", "corecontext"),
        *("userpreferences", "keylearnings", "donotrepeat"),
    )
)
# The beginning of an entry that is neither a heading nor an item: a row, a date, a numbered
# paragraph.
_TEXT_START = lazy_pattern(r"\||\[\d{4}-|\*\*[A-Z\d]")
# Enough for all different lines, or chunks, of a long history.
_remembered = lru_cache(maxsize=1 << 14)


class LineStart(NamedTuple):
    """The visible beginning of a line; equal identities have equal letters."""

    kind: str
    letters: str


class _ChunkShape(NamedTuple):
    chapters: int
    stamps: int
    thirds: int
    bold_items: int
    dates: int


class ChunkedVersion:
    def __init__(self, chunks: Sequence[Chunk], options: ReadOptions) -> None:
        self.chunks = chunks
        self.options = options
        self.letters = lru_cache(maxsize=None)(self._letters)
        self.repeated = lru_cache(maxsize=None)(self._repeated)

    def _letters(self, kind: str) -> Counter[str]:
        return Counter(chain.from_iterable(map(letters_in, self.chunks, repeat(kind))))

    def _repeated(self, kind: str) -> frozenset[str]:
        letters = self.letters(kind)
        if len(letters) == letters.total():
            return frozenset()
        return frozenset(text for text, number in letters.items() if number > 1)

    def may_hold(self, line: str) -> bool:
        """Return True if an entry may begin with the words of a line."""
        kind, letters = line_start(line)
        if kind == HEADING and self.has_headings_only:
            return letters in self.letters(HEADING)
        if kind == TEXT or line.lstrip()[0].isdigit():  # for any number
            return True
        texts = letters, _letters_of_text(line)  # the last for items with a date
        return any(text in self.letters(kind) for text in texts for kind in (HEADING, ITEM))

    @cached_property
    def has_headings_only(self) -> bool:
        """True if no entry is a list item, by the rules of `dialects`."""
        if self.options.dialect in (BULLET, *SHAPES):
            return False
        if not _TITLES_OF_TOOLS.isdisjoint(self.letters(HEADING)):
            return False
        shape = self.shape
        is_listed = shape.chapters < 2 or shape.bold_items >= 2 * shape.chapters
        has_headings = shape.thirds > 0 or not is_listed
        return shape.stamps >= 2 or (has_headings and not shape.dates)

    @cached_property
    def shape(self) -> _ChunkShape:
        return _ChunkShape(*map(sum, zip(*map(_chunk_shape, self.chunks), strict=True)))

    @property
    def has_plain_top(self) -> bool:
        """True if no front matter reaches below a heading or may open a fence."""
        top = self.chunks[0]
        is_over = top.is_simple and front_matter_end(top.lines) > 0
        return is_over or not opens_front_matter(top.lines)


def chunked_version(data: bytes, options: ReadOptions) -> ChunkedVersion:
    return ChunkedVersion(chunks_of(decode(data).removeprefix(BOM)), options)


def kind_of(line: str) -> str:
    if line.lstrip().startswith("#"):
        return HEADING
    return ITEM if _ITEM_START.match(line) else TEXT


@_remembered
def line_start(line: str) -> LineStart:
    """Return the parts of a line that all first lines of the same entry share."""
    kind = kind_of(line)
    if kind == TEXT:
        return LineStart(kind, "")
    text = titles.heading_text(line) if kind == HEADING else titles.read_item(line).key_title
    return LineStart(kind, _letters_of_text(titles.TWIN_NUMBER.sub("", text.rstrip())))


def _letters_of_text(text: str) -> str:
    return titles.NOT_IN_WORDS.sub("", text.casefold())


@_remembered
def letters_in(chunk: Chunk, kind: str) -> tuple[str, ...]:
    lines = chunk.lines[:1] if kind == HEADING and chunk.is_simple else chunk.lines
    return tuple(line_start(chomp(line)).letters for line in lines if kind_of(line) == kind)


@_remembered
def _chunk_shape(chunk: Chunk) -> _ChunkShape:
    level, title = chunk.level, titles.heading_text(chunk.lines[0]) if chunk.lines else ""
    is_chapter = level == 2 and not titles.explains_file(title)
    may_be_dated = _MAY_BE_DATED.search(chunk.text) is not None
    may_be_bold = "**" in chunk.text or "__" in chunk.text
    items = (line for line in chunk.lines if may_be_dated and _ITEM_START.match(line))
    return _ChunkShape(
        chapters=int(is_chapter),
        stamps=int(is_chapter and titles.has_time_stamp(title)),
        thirds=int(level == 3),
        bold_items=len(_BOLD_ITEM.findall(f"\n{chunk.text}")) if may_be_bold else 0,
        dates=sum(map(titles.is_dated_item, items)),
    )


_T = TypeVar("_T", bound=Hashable)

# A last section with this title is not an entry.
_THEMES = "themes"


class VersionDifference:
    """The difference between a version and its predecessor, as far as chunks show it."""

    def __init__(self, old: ChunkedVersion, new: ChunkedVersion) -> None:
        self._old = old
        self._new = new
        self._part, self._new_part = _middles(old.chunks, new.chunks)
        self._above = old.chunks[: _first_difference(old.chunks, new.chunks)]
        self._removed, self._added = _only_in_one(self._part, self._new_part)
        self._unsure = lru_cache(maxsize=None)(self._unsure_letters)

    def surely_holds(self, line: str) -> bool:
        """Return True if the old version surely has the new entry that a line begins."""
        kind, letters = line_start(line)
        return kind != TEXT and letters not in self._unsure(kind)

    def surely_lacks(self, line: str) -> bool:
        return not self._old.may_hold(line)

    @cached_property
    def removes_nothing(self) -> bool:
        """True if the new version surely contains every old entry."""
        # A last section `Themes` is not an entry, and headings below it may stop being entries.
        if not self._keeps_preamble or (
            _THEMES in self._old.letters(HEADING)
            and _from_themes(self._old) != _from_themes(self._new)
        ):
            return False
        if not (self._old.has_plain_top and self._new.has_plain_top):
            return False
        if any(map(_TEXT_START.match, _lines_of_chunks(self._removed))):
            return False
        removed, added = map(_headings_of_chunks, (self._removed, self._added))
        if removed is None or added is None or not removed <= added:
            return False
        return self._old.has_headings_only or self._keeps_items

    @property
    def _keeps_preamble(self) -> bool:
        """True if no line crossed the end of a configured preamble."""
        lines = self._old.options.preamble_lines
        return not lines or lines <= sum(len(chunk.lines) for chunk in self._above)

    @property
    def _keeps_items(self) -> bool:
        if len(self._part) != 1 or len(self._new_part) != 1:
            return False
        (old,), (new,) = self._part, self._new_part
        if (self._old.shape.dates or self._new.shape.dates) and not _keeps_introduction(old, new):
            return False
        items, new_items = Counter(_items_of_chunk(old)), Counter(_items_of_chunk(new))
        return old.headings == new.headings and items <= new_items

    def _unsure_letters(self, kind: str) -> frozenset[str]:
        """Return the letters of lines that differ, or that recur near a difference.

        Only bodies tell several entries with one heading apart.
        """
        removed, added = _lines_of_chunks(self._removed), _lines_of_chunks(self._added)
        lines = chain(*_only_in_one(*_middles(removed, added)))
        differing = {line_start(chomp(line)).letters for line in lines if kind_of(line) == kind}
        repeated = self._old.repeated(kind) | self._new.repeated(kind)
        if repeated and not self._keeps_preamble:
            differing |= repeated
        elif repeated:
            part = [*self._part, *self._new_part]
            near = chain(part, _enclosing(self._above, part))
            differing.update(*(repeated.intersection(letters_in(c, kind)) for c in near))
        return frozenset(differing)


def _first_difference(before: Sequence[_T], after: Sequence[_T]) -> int:
    """Return the index of the first part that differs or is missing on one side."""
    differs = map(ne, before, after)
    return next(compress(count(), differs), min(len(before), len(after)))


def _middles(before: Sequence[_T], after: Sequence[_T]) -> tuple[Sequence[_T], Sequence[_T]]:
    """Return both sides without their common start and end."""
    start = _first_difference(before, after)
    before, after = before[start:], after[start:]
    end = _first_difference(before[::-1], after[::-1])
    return before[: len(before) - end], after[: len(after) - end]


def _only_in_one(before: Sequence[_T], after: Sequence[_T]) -> tuple[Sequence[_T], Sequence[_T]]:
    """Return the parts that each side has more often than the other, in any order."""
    if set(before).isdisjoint(after):
        return before, after
    old, new = Counter(before), Counter(after)
    return [*(old - new).elements()], [*(new - old).elements()]


def _lines_of_chunks(chunks: Iterable[Chunk]) -> list[str]:
    return [*chain.from_iterable(chunk.lines for chunk in chunks)]


def _headings_of_chunks(chunks: Iterable[Chunk]) -> Counter[str] | None:
    headings: Counter[str] = Counter()
    for chunk in chunks:
        if chunk.headings is None:
            return None
        headings.update(chunk.headings)
    return headings


def _items_of_chunk(chunk: Chunk) -> list[str]:
    return [chunk.lines[line - 1] for line in chunk.outline.items] if chunk.outline else []


def _keeps_introduction(old: Chunk, new: Chunk) -> bool:
    """Return True if no item becomes part of an introduction above a ruler."""
    replaced, inserted = _middles(old.lines, new.lines)
    has_ruler = any(map(is_ruler, inserted))
    return not replaced and not has_ruler and any(map(titles.is_dated_item, _items_of_chunk(old)))


def _from_themes(version: ChunkedVersion) -> list[Chunk]:
    has_title = (_THEMES in letters_in(chunk, HEADING) for chunk in version.chunks)
    start = max(compress(count(), has_title), default=len(version.chunks))
    return [*version.chunks[start:]]


def _enclosing(above: Sequence[Chunk], part: Sequence[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks whose sections enclose a part, nearest first."""
    level = max((chunk.level if chunk.is_simple else 7 for chunk in part), default=0)
    for chunk in reversed(above):
        if not chunk.is_simple or chunk.level < level:
            yield chunk
            level = chunk.level if chunk.is_simple else level
