"""What two versions of a file tell about its entries before they are read as documents.

A version is a count of its lines. If no line that may begin an entry is gone, nothing was removed.
An entry whose line stands once in both is the same entry; chunks bound the text in which a change
decides what other lines are. Whatever is not sure, the documents tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, compress, count, repeat
from math import inf
from operator import ne
from typing import TypeVar

from learnings.core.entries import dialects, titles
from learnings.core.entries.dialects import BULLET, SHAPES
from learnings.core.entries.document import ReadOptions
from learnings.core.entries.entry_changes import ComparableLine, comparable_line
from learnings.core.markdown.chunks import Chunk, chunks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BLANKS, BOM, INVISIBLE, chomp, decode

HEADING, ITEM = "#", "-"
"""The marks of lines that may begin an entry."""

_ITEM = lazy_pattern(rf"\s*{LIST_MARKER}(?:\s|$)")
_BOLD_ITEM = lazy_pattern(rf"[ \t]*{LIST_MARKER}[ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*|__)")
# The beginning of an entry that is neither: a row, a date, a numbered paragraph.
_TEXT = lazy_pattern(r"\s*(?:\||\[\d{4}-|\*\*[A-Z\d])")
# Titles by which `shapes` recognises a file; list items below some of these headings are entries.
_TITLES_OF_TOOLS = frozenset(
    (
        *("#codebasepatterns", "#projectcontext", "#corecontext"),
        *("#userpreferences", "#keylearnings", "#donotrepeat"),
        *("#howthisprojectworks", "#activecontext"),
    )
)
# Enough for all different lines, or chunks, of a long history.
_remembered = lru_cache(maxsize=1 << 14)


def _mark(line: str) -> str:
    seen = line.lstrip(BLANKS)
    if seen.startswith("#"):
        return HEADING
    return ITEM if _ITEM.match(seen) else ""


@_remembered
def start_of(line: str) -> str:
    """Return what all first lines of an entry share, mark and letters; empty for other text."""
    mark = _mark(line)
    if not mark:
        return ""
    seen = line.lstrip(INVISIBLE)
    text = titles.heading_text(seen) if mark == HEADING else titles.read_item(seen).key_title
    return mark + _letters(titles.TWIN_NUMBER.sub("", text.rstrip()))


def title_of(line: str) -> str:
    """Return the title in the first line of an entry, whatever form its file has."""
    seen = line.lstrip(INVISIBLE)
    is_heading = _mark(line) == HEADING
    return titles.read_heading(seen, stamped=True).title if is_heading else start_of(seen)[1:]


def _letters(text: str) -> str:
    return titles.NOT_IN_WORDS.sub("", text.casefold())


@_remembered
def _starts_in(chunk: Chunk, mark: str) -> tuple[str, ...]:
    return tuple(start_of(chomp(line)) for line in chunk.lines if _mark(line) == mark)


@_remembered
def _signs_of_headings(chunk: Chunk) -> tuple[float, ...]:
    """Return the time stamps in a chunk, its chapters, items and bold items.

    Infinitely many items stand for a date in one, infinitely many chapters for an H3.
    """
    if not _TITLES_OF_TOOLS.isdisjoint(_starts_in(chunk, HEADING)):
        return -inf, 0, inf, inf
    title = _chapter_title(chunk)
    items = [*filter(_ITEM.match, chunk.lines)]
    bold = sum(_BOLD_ITEM.match(item) is not None for item in items)
    count = inf if any(map(titles.is_dated_item, items)) else len(items)
    stamps = title is not None and titles.has_time_stamp(title)
    return stamps, inf if chunk.level == 3 else title is not None, count, bold


@_remembered
def _chapter_title(chunk: Chunk) -> str | None:
    title = titles.heading_text(chunk.lines[0]) if chunk.level == 2 else None
    return None if title is None or titles.explains_file(title) else title


@_remembered
def _lines_in(chunk: Chunk) -> frozenset[ComparableLine]:
    return frozenset(map(comparable_line, chunk.lines))


@_remembered
def _beginnings_in(chunk: Chunk) -> frozenset[ComparableLine]:
    """Return the lines that may begin an entry: its headings and items, or all if it is unclear."""
    if chunk.outline is None:
        return _lines_in(chunk)
    return frozenset(map(comparable_line, (*chunk.headings, *chunk.items)))


class Version:
    """A version of a file, and how often which lines in it may begin an entry."""

    def __init__(self, data: bytes, options: ReadOptions) -> None:
        self.data = data
        self.options = options
        self._starts: dict[str, Counter[str]] = {}

    @cached_property
    def chunks(self) -> Sequence[Chunk]:
        return chunks_of(decode(self.data).removeprefix(BOM))

    def starts(self, mark: str) -> Counter[str]:
        """Return how often what start_of() returns begins a line with a mark."""
        if mark not in self._starts:
            found = chain.from_iterable(map(_starts_in, self.chunks, repeat(mark)))
            self._starts[mark] = Counter(found)
        return self._starts[mark]

    def has(self, line: ComparableLine) -> bool:
        """Return True if a line is in the version, perhaps in a fence or a comment."""
        return any(line in _lines_in(chunk) for chunk in self.chunks)

    def may_show(self, line: ComparableLine) -> bool:
        """Return True unless a line surely begins no entry of the version."""
        return any(line in _beginnings_in(chunk) for chunk in self.chunks)

    @cached_property
    def has_headings_only(self) -> bool:
        """True if surely no entry is a list item."""
        if self.options.dialect in (BULLET, *SHAPES):
            return False
        signs = map(sum, zip(*map(_signs_of_headings, self.chunks), strict=True))
        stamps, chapters, items, bold = signs
        if stamps > 1 or (chapters > 1 and items < 3 * chapters and bold < chapters):
            return True
        # By the rules of `detection`, where titles are long, only bold items can be the entries.
        titles = [title for chunk in self.chunks if (title := _chapter_title(chunk)) is not None]
        are_long = 2 * sum(not dialects.is_chapter(title) for title in titles) > chapters
        return chapters > 1 and are_long and bold < 2 * chapters - 2 and items < inf


class VersionChange:
    """What surely stayed, or surely was not there, in a version and the one before it."""

    def __init__(self, old: Version, new: Version) -> None:
        self._old, self._new = old, new
        self._unsure: dict[str, frozenset[str]] = {}

    @cached_property
    def _parts(self) -> tuple[Sequence[Chunk], Sequence[Chunk], Sequence[Chunk]]:
        """The old chunks above the changed ones, and the changed ones, old and new."""
        old, new = self._old.chunks, self._new.chunks
        start, part, new_part = _middles(old, new)
        return old[:start], part, new_part

    def holds(self, line: str) -> bool:
        """Return True if the old version surely has the new entry that a line begins."""
        start = start_of(line)
        if not start:
            return False
        mark = start[0]
        if mark not in self._unsure:
            self._unsure[mark] = self._unsure_starts(mark)
        return start not in self._unsure[mark]

    def lacks(self, line: str) -> bool:
        """Return True if the old version surely has no entry that a line begins."""
        start = start_of(line)
        if not start or line.lstrip()[0].isdigit():
            return False  # it may equal any text
        is_sole = start[0] == HEADING and self._old.has_headings_only
        # The date of an item counts where it is hidden.
        texts = start[1:], _letters(line)
        return not any(
            mark + text in self._old.starts(mark)
            for mark in (HEADING if is_sole else HEADING + ITEM)
            for text in texts
        )

    @cached_property
    def gone(self) -> frozenset[bytes]:
        """The lines that the new version has less often, in the form of first_line()."""
        return frozenset(_lines_gone(*map(_with_newlines, (self._old.data, self._new.data))))

    @cached_property
    def keeps_entries(self) -> bool:
        """True if every line that begins an entry of the old version is still in the file."""
        lines = [decode(line) for line in self.gone]
        marks = {*map(_mark, lines)} - {""}
        is_sole = ITEM in marks and self._old.has_headings_only
        return marks <= {ITEM if is_sole else ""} and not any(map(_TEXT.match, lines))

    def _unsure_starts(self, mark: str) -> frozenset[str]:
        """Return the starts of lines that differ, and of twins if the text of one may differ."""
        above, old_part, new_part = self._parts
        gone, come = map(_lines_of, _surplus(old_part, new_part))
        lines = chain.from_iterable(_surplus(gone, come))
        differing = {start_of(chomp(line)) for line in lines if _mark(line) == mark}
        counts = self._old.starts(mark), self._new.starts(mark)
        twins = {start for starts in counts for start, number in starts.items() if number > 1}
        preamble = self._old.options.preamble_lines
        if twins and (not preamble or preamble <= len(_lines_of(above))):
            part = [*old_part, *new_part]
            level = max((chunk.level if chunk.is_simple else 7 for chunk in part), default=0)
            part += (chunk for chunk in above if not chunk.is_simple or chunk.level < level)
            twins &= {*chain.from_iterable(map(_starts_in, part, repeat(mark)))}
        return frozenset(differing | twins)


def first_line(line: bytes) -> bytes:
    """Return a line without line end, in the form in which two versions compare it."""
    return b" ".join(line.split())


def _with_newlines(data: bytes) -> bytes:
    if b"\r" not in data:
        return data
    data = data.replace(b"\r\n", b"\n")
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _lines_gone(old: bytes, new: bytes) -> Iterator[bytes]:
    """Yield the lines, other than prose, that a version has less often than the one before."""
    least = min(len(old), len(new))
    same = _most(lambda size: old[:size] == new[:size], least)
    start = old.rfind(b"\n", 0, same) + 1
    same = _most(lambda size: old[len(old) - size :] == new[len(new) - size :], least - same)
    end = old.find(b"\n", len(old) - same)
    below = len(old) - end if same and end >= 0 else 0
    before, after = (data[start : len(data) - below] for data in (old, new))
    if not before or before.isspace():
        return
    gone, come = _surplus(before.split(b"\n"), after.split(b"\n"))
    lines, _ = _surplus([*map(first_line, gone)], [*map(first_line, come)])
    yield from (line for line in dict.fromkeys(lines) if line and not line[:1].isalpha())


def _most(is_equal: Callable[[int], bool], size: int) -> int:
    """Return the largest number up to `size` for which a part is equal."""
    low, high = 0, size + 1
    while high - low > 1:
        middle = size if high > size else (low + high) // 2
        low, high = (middle, high) if is_equal(middle) else (low, middle)
    return low


_T = TypeVar("_T", bound=Hashable)


def _first_difference(before: Sequence[_T], after: Sequence[_T]) -> int:
    """Return the index of the first part that differs or is missing on one side."""
    return next(compress(count(), map(ne, before, after)), min(len(before), len(after)))


def _middles(before: Sequence[_T], after: Sequence[_T]) -> tuple[int, Sequence[_T], Sequence[_T]]:
    """Return the length of the common start, and both sides without it and the common end."""
    start = _first_difference(before, after)
    before, after = before[start:], after[start:]
    end = _first_difference(before[::-1], after[::-1])
    return start, before[: len(before) - end], after[: len(after) - end]


def _surplus(before: Sequence[_T], after: Sequence[_T]) -> tuple[list[_T], list[_T]]:
    """Return the parts that each side has more often than the other, in any order."""
    here, there = {*before}, {*after}
    if len(here) == len(before) and len(there) == len(after):  # most texts have no line twice
        return [*(here - there)], [*(there - here)]
    old, new = Counter(before), Counter(after)
    return [*(old - new).elements()], [*(new - old).elements()]


def _lines_of(chunks: Iterable[Chunk]) -> list[str]:
    return [*chain.from_iterable(chunk.lines for chunk in chunks)]
