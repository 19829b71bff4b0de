"""What two versions of a file tell about its entries before they are read as documents.

A version is a count of its lines that may begin an entry: one that stands once in both versions
begins the same entry, and if none is gone, nothing was removed. Chunks bound the text in which a
change decides what other lines are. Whatever is not sure, the documents tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain, compress, count, repeat
from math import inf
from operator import ne
from typing import TypeVar

from learnings.core.entries import titles
from learnings.core.entries.dialects import BULLET, SHAPES
from learnings.core.entries.document import ReadOptions
from learnings.core.markdown.blocks import front_matter_end, opens_front_matter
from learnings.core.markdown.chunks import Chunk, chunks_of
from learnings.core.markdown.line_kinds import LIST_MARKER, is_ruler
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, decode

HEADING, ITEM = "#", "-"
"""The marks of lines that may begin an entry."""

_ITEM = lazy_pattern(rf"\s*{LIST_MARKER}(?:\s|$)")
_BOLD_ITEM = lazy_pattern(rf"[ \t]*{LIST_MARKER}[ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*|__)")
# The beginning of an entry that is neither: a row, a date, a numbered paragraph.
_TEXT = lazy_pattern(r"\||\[\d{4}-|\*\*[A-Z\d]")
# Titles by which `shapes` recognises a file; list items below some of these headings are entries.
_TITLES_OF_TOOLS = frozenset(
    (
        *("#codebasepatterns", "#projectcontext", "#corecontext"),
        *("#userpreferences", "#keylearnings", "#donotrepeat"),
    )
)
# A last section with this title is not an entry, and headings below it may stop being entries.
_THEMES = "#themes"
# Enough for all different lines, or chunks, of a long history.
_remembered = lru_cache(maxsize=1 << 14)


def _mark(line: str) -> str:
    if line.lstrip().startswith("#"):
        return HEADING
    return ITEM if _ITEM.match(line) else ""


@_remembered
def start_of(line: str) -> str:
    """Return what all first lines of an entry share, mark and letters; empty for other text."""
    mark = _mark(line)
    if not mark:
        return ""
    text = titles.heading_text(line) if mark == HEADING else titles.read_item(line).key_title
    return mark + _letters(titles.TWIN_NUMBER.sub("", text.rstrip()))


def _letters(text: str) -> str:
    return titles.NOT_IN_WORDS.sub("", text.casefold())


@_remembered
def _starts_in(chunk: Chunk, mark: str) -> tuple[str, ...]:
    return tuple(start_of(chomp(line)) for line in chunk.lines if _mark(line) == mark)


@_remembered
def _signs_of_headings(chunk: Chunk) -> tuple[float, float]:
    """Return the time stamps in a chunk, and how much it speaks for headings as entries.

    By the rules of `detection` two stamps suffice. Otherwise no item may have a date, and there is
    a heading at level 3, or more than one at level 2 and few bold items.
    """
    if not _TITLES_OF_TOOLS.isdisjoint(_starts_in(chunk, HEADING)):
        return -inf, -inf
    title = titles.heading_text(chunk.lines[0]) if chunk.level else ""
    is_chapter = chunk.level == 2 and not titles.explains_file(title)
    items = [*filter(_ITEM.match, chunk.lines)]
    bold = sum(_BOLD_ITEM.match(item) is not None for item in items)
    weight = -inf if any(map(titles.is_dated_item, items)) else 2 * is_chapter - bold
    stamps = is_chapter and titles.has_time_stamp(title)
    return stamps, weight + (inf if chunk.level == 3 else 0)  # both infinities: not a number


class Version:
    """A version of a file, and how often which lines in it may begin an entry."""

    def __init__(self, data: bytes, options: ReadOptions) -> None:
        self.chunks = chunks_of(decode(data).removeprefix(BOM))
        self.options = options
        self.starts = lru_cache(maxsize=None)(self._starts)

    def _starts(self, mark: str) -> Counter[str]:
        return Counter(chain.from_iterable(map(_starts_in, self.chunks, repeat(mark))))

    @cached_property
    def has_headings_only(self) -> bool:
        """True if surely no entry is a list item."""
        stamps, weight = map(sum, zip(*map(_signs_of_headings, self.chunks), strict=True))
        is_free = self.options.dialect not in (BULLET, *SHAPES)
        return is_free and (stamps > 1 or weight > 2)


class VersionChange:
    """What surely stayed, or surely was not there, in a version and the one before it."""

    def __init__(self, old: Version, new: Version) -> None:
        self._old, self._new = old, new
        start, self._part, self._new_part = _middles(old.chunks, new.chunks)
        self._above = old.chunks[:start]
        self._gone, self._come = _surplus(self._part, self._new_part)
        self._unsure = lru_cache(maxsize=None)(self._unsure_starts)

    def holds(self, line: str) -> bool:
        """Return True if the old version surely has the new entry that a line begins."""
        start = start_of(line)
        return start != "" and start not in self._unsure(start[0])

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
    def keeps_entries(self) -> bool:
        """True if the new version surely has all entries of the old one."""
        if _THEMES in self._old.starts(HEADING) or not self._keeps_preamble:
            return False
        tops = self._old.chunks[0], self._new.chunks[0]
        if not all(map(_has_plain_top, tops)) or any(map(_TEXT.match, _lines_of(self._gone))):
            return False
        gone, _ = _surplus(_headings_of(self._gone), _headings_of(self._come))
        return not gone and (self._old.has_headings_only or self._only_inserts)

    @property
    def _keeps_preamble(self) -> bool:
        """True if no line crossed the end of a configured preamble."""
        lines = self._old.options.preamble_lines
        return not lines or lines <= sum(len(chunk.lines) for chunk in self._above)

    @property
    def _only_inserts(self) -> bool:
        """True if lines were inserted in one place, and every item there is still one.

        Items above a ruler and above all dates are no entries.
        """
        if len(self._part) != 1 or len(self._new_part) != 1:
            return False
        (old,), (new,) = self._part, self._new_part
        _, replaced, inserted = _middles(old.lines, new.lines)
        if replaced or old.headings != new.headings or _surplus(old.items, new.items)[0]:
            return False
        is_dated = titles.is_dated_item
        is_first = any(map(is_dated, inserted)) and not any(map(is_dated, old.items))
        return not is_first and not any(map(is_ruler, inserted))

    def _unsure_starts(self, mark: str) -> frozenset[str]:
        """Return the starts of lines that differ, and of twins if the text of one may differ."""
        lines = chain.from_iterable(_surplus(_lines_of(self._gone), _lines_of(self._come)))
        differing = {start_of(chomp(line)) for line in lines if _mark(line) == mark}
        counts = self._old.starts(mark), self._new.starts(mark)
        twins = {start for starts in counts for start, number in starts.items() if number > 1}
        if twins and self._keeps_preamble:
            part = [*self._part, *self._new_part]
            level = max((chunk.level if chunk.is_simple else 7 for chunk in part), default=0)
            part += (chunk for chunk in self._above if not chunk.is_simple or chunk.level < level)
            twins &= {*chain.from_iterable(map(_starts_in, part, repeat(mark)))}
        return frozenset(differing | twins)


def _has_plain_top(top: Chunk) -> bool:
    """Return True if no front matter reaches below a heading or may open a fence."""
    is_over = top.is_simple and front_matter_end(top.lines) > 0
    return is_over or not opens_front_matter(top.lines)


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


def _surplus(before: Iterable[_T], after: Iterable[_T]) -> tuple[list[_T], list[_T]]:
    """Return the parts that each side has more often than the other, in any order."""
    old, new = Counter(before), Counter(after)
    return [*(old - new).elements()], [*(new - old).elements()]


def _lines_of(chunks: Iterable[Chunk]) -> list[str]:
    return [*chain.from_iterable(chunk.lines for chunk in chunks)]


def _headings_of(chunks: Iterable[Chunk]) -> Iterable[str]:
    return chain.from_iterable(chunk.headings for chunk in chunks)
