"""Two versions of a file compared by their chunks, without reading them as documents.

Most commits add an entry or edit the body of one. Lines that both versions have begin the same
entries in both, whatever the dialect is. What the chunks leave open is "not surely" so, and is
decided by comparing the documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, compress, count
from operator import ne
from typing import TypeVar

from learnings.core.entries.layout import RULER
from learnings.core.entries.sketches import (
    HEADING,
    TEXT,
    Sketch,
    first_line,
    kind_of,
    letters_in,
)
from learnings.core.entries.titles import is_dated_item
from learnings.core.markdown.chunks import Chunk
from learnings.core.text import chomp

_T = TypeVar("_T", bound=Hashable)

# A last section of that title is no entry.
_THEMES = "themes"


class Difference:
    """What differs between a version and the one before it, as far as their chunks tell."""

    def __init__(self, old: Sketch, new: Sketch) -> None:
        self._old = old
        self._new = new
        self._part, self._new_part = _middles(old.chunks, new.chunks)
        self._above = old.chunks[: _first_difference(old.chunks, new.chunks)]
        self._gone, self._came = _only_in_one(self._part, self._new_part)
        self._unsure: dict[str, frozenset[str]] = {}

    def surely_holds(self, line: str) -> bool:
        """Return True if the entry that begins with a line of the new version is in the old one.

        It has the same first line and identity there. The line may be hidden in either version.
        """
        kind, letters = first_line(line)
        if kind not in self._unsure:
            self._unsure[kind] = self._unsure_letters(kind)
        return letters not in self._unsure[kind] and kind != TEXT

    def surely_lacks(self, line: str) -> bool:
        """Return True if no line of the old version begins the entry that a line begins."""
        return not self._old.may_hold(line)

    @cached_property
    def removes_nothing(self) -> bool:
        """True if each entry of the old version is surely in the new one, wherever it is there."""
        if not (self._keeps_preamble and self._keeps_themes):
            return False
        if not (self._old.has_plain_top and self._new.has_plain_top):
            return False
        headings, new_headings = _headings(self._gone), _headings(self._came)
        if headings is None or new_headings is None or not headings <= new_headings:
            return False
        return self._old.has_headings_only or self._keeps_items

    @property
    def _keeps_preamble(self) -> bool:
        """True if no line came into, or out of, a preamble of a configured number of lines."""
        lines = self._old.options.preamble_lines
        return not lines or lines <= sum(len(chunk.lines) for chunk in self._above)

    @property
    def _keeps_themes(self) -> bool:
        """True if a last section that is no entry, or may become none, is the same in both."""
        has_themes = _THEMES in self._old.letters(HEADING)
        return not has_themes or _from_themes(self._old) == _from_themes(self._new)

    @property
    def _keeps_items(self) -> bool:
        """True if no list item left the only chunk that differs."""
        if len(self._part) != 1 or len(self._new_part) != 1:
            return False
        (old,), (new,) = self._part, self._new_part
        if (self._old.is_dated or self._new.is_dated) and not _keeps_introduction(old, new):
            return False
        return old.headings == new.headings and Counter(_items(old)) <= Counter(_items(new))

    def _unsure_letters(self, kind: str) -> frozenset[str]:
        """Return the letters of lines that differ, and those of several lines near to them.

        Which of several entries with the same heading is which depends on their bodies.
        """
        lines = chain(*_only_in_one(*_middles(_lines(self._gone), _lines(self._came))))
        differing = {first_line(chomp(line)).letters for line in lines if kind_of(line) == kind}
        repeated = self._old.repeated(kind) | self._new.repeated(kind)
        if repeated and not self._keeps_preamble:
            differing |= repeated
        elif repeated:
            part = [*self._part, *self._new_part]
            near = chain(part, _enclosing(self._above, part))
            differing |= repeated.intersection(
                chain.from_iterable(letters_in(c, kind) for c in near)
            )
        return frozenset(differing)


def _first_difference(before: Sequence[_T], after: Sequence[_T]) -> int:
    """Return the index of the first part that differs, or that only one side has."""
    differs = map(ne, before, after)
    return next(compress(count(), differs), min(len(before), len(after)))


def _middles(before: Sequence[_T], after: Sequence[_T]) -> tuple[Sequence[_T], Sequence[_T]]:
    """Return what is left of both without what they have in common at the start and at the end."""
    start = _first_difference(before, after)
    before, after = before[start:], after[start:]
    end = _first_difference(before[::-1], after[::-1])
    return before[: len(before) - end], after[: len(after) - end]


def _only_in_one(before: Sequence[_T], after: Sequence[_T]) -> tuple[Sequence[_T], Sequence[_T]]:
    """Return what each side has more often than the other; the order plays no part."""
    if set(before).isdisjoint(after):
        return before, after
    gone, came = Counter(before), Counter(after)
    return [*(gone - came).elements()], [*(came - gone).elements()]


def _lines(chunks: Iterable[Chunk]) -> list[str]:
    """Return all lines of some chunks."""
    return [*chain.from_iterable(chunk.lines for chunk in chunks)]


def _headings(chunks: Iterable[Chunk]) -> Counter[str] | None:
    """Return the lines of all headings of some chunks, None where that is not certain."""
    headings: Counter[str] = Counter()
    for chunk in chunks:
        if chunk.headings is None:
            return None
        headings.update(chunk.headings)
    return headings


def _items(chunk: Chunk) -> list[str]:
    """Return the first lines of the top-level list items of a chunk."""
    items = chunk.outline.items if chunk.outline else ()
    return [chunk.lines[item.line - 1] for item in items]


def _keeps_introduction(old: Chunk, new: Chunk) -> bool:
    """Return True if no item becomes part of an introduction, above a ruler and all dated items.

    That is so where items were dated before, and lines without a ruler were inserted.
    """
    replaced, inserted = _middles(old.lines, new.lines)
    has_ruler = any(RULER.match(chomp(line)) for line in inserted)
    return not replaced and not has_ruler and any(map(is_dated_item, _items(old)))


def _from_themes(version: Sketch) -> list[Chunk]:
    """Return the chunks of a version from its last heading `Themes` on."""
    has_title = (_THEMES in letters_in(chunk, HEADING) for chunk in version.chunks)
    start = max(compress(count(), has_title), default=len(version.chunks))
    return [*version.chunks[start:]]


def _enclosing(above: Sequence[Chunk], part: Sequence[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks above in whose sections a part of the version lies, the nearest first."""
    level = max((chunk.level if chunk.is_simple else 7 for chunk in part), default=0)
    for chunk in reversed(above):
        if not chunk.is_simple or chunk.level < level:
            yield chunk
            level = chunk.level if chunk.is_simple else level
