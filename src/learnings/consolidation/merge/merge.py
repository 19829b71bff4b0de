"""The three-way merge of a memory file: `learnings merge-driver`.

The base is the version that both sides come from. What only one side changed is as on that side,
byte for byte. What both left alone keeps the bytes it has on our side, and what comes from the
other side takes our line ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import (
    Markers,
    MergedPart,
    merged_part,
    terminated,
)
from learnings.consolidation.merge.gaps import BOTTOM, TOP, Gaps
from learnings.consolidation.merge.matching import align
from learnings.consolidation.merge.order import merged_order
from learnings.consolidation.merge.parts import Part, common_newline, version_of
from learnings.consolidation.merge.reading import NotMerged, Readings, read_versions
from learnings.consolidation.merge.texts import TextMerge, merged_text
from learnings.core.entries.document import AUTO, Document, ReadOptions, read
from learnings.core.entries.layout import CATEGORY, ENTRY
from learnings.core.entries.rewriting import is_newest_first
from learnings.core.text import BOM, chomp, encode, newline_of, shortened

# Characters of a title in a message at most: it stays one line. Chosen, not measured.
_LONGEST_TITLE = 80


class Merge(NamedTuple):
    """The merged file.

    conflicts are the titles of what both sides changed, which stands in it with markers; twice are
    those of entries that both sides added under one title with another text, which stand in it
    both.
    """

    data: bytes
    conflicts: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()


def merge(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    *,
    merge_text: TextMerge,
    options: ReadOptions = AUTO,
    markers: Markers | None = None,
) -> Merge:
    """Merge two versions of a memory file that come from one, which is empty if both are new.

    Raises NotMerged where no version holds an entry, or an entry would not be one in the result.
    """
    if theirs in (base, ours):
        return Merge(ours)
    if ours == base:
        return Merge(theirs)
    readings = read_versions(base, ours, theirs, options)
    merger = _Merger(readings, merge_text, markers or Markers())
    merged = merger.merge()
    if not merged.conflicts:
        _refuse_loss(merger.entries, read(merged.data, options).read_as(readings.dialect))
    return merged


class _Merger:
    """The merge of three documents; entries are those of the result, in no order."""

    def __init__(self, readings: Readings, merge_text: TextMerge, markers: Markers) -> None:
        documents = readings.base, readings.ours, readings.theirs
        _, ours, theirs = documents
        self._ours = ours if ours.lines else theirs
        self._newline = newline_of(self._ours.text)
        self._versions = tuple(
            version_of(version, common_newline(version, self._ours), readings.dialect.level)
            for version in documents
        )
        self._merge_text = merge_text
        self._markers = markers
        self._has_one_dialect = readings.has_one_dialect
        self._aligned = align(*(version.parts for version in self._versions))
        self._merged = self._merged_parts()
        self.entries = [m for m in self._merged.values() if m.part.kind == ENTRY]

    def merge(self) -> Merge:
        preamble, tail = self._merged_texts()
        order = self._order()
        gaps = Gaps(self._versions, self._aligned, self._newline)
        numbers = [TOP, *order, *([BOTTOM] if tail.lines else [])]
        merged = {TOP: preamble, BOTTOM: tail, **self._merged}
        parts = [merged[number] for number in numbers]
        lines: list[str] = []
        below = [*(gaps.between(*pair) for pair in pairwise(numbers)), self._end()]
        if self._versions[0].preamble.lines and not preamble.lines:
            below[0] = ()
        for part, gap in zip(parts, below, strict=True):
            lines += terminated((*part.lines, *gap), self._newline)
        return Merge(
            self._encoded(lines),
            tuple(part.part.title for part in parts if part.is_conflict),
            tuple(self._twice()),
        )

    def _merged_parts(self) -> dict[int, MergedPart]:
        """Return what stays of the numbered parts."""
        base, ours, theirs = self._aligned
        merged = {}
        for number in {**base, **ours, **theirs}:
            part = merged_part(
                base.get(number), ours.get(number), theirs.get(number), self._markers, self._newline
            )
            if part is not None:
                merged[number] = part
        # In another dialect a heading of their level is an entry.
        is_alike = self._has_one_dialect
        for side, other in ((ours, theirs), (theirs, ours)) if is_alike else ():
            for number in _categories(side, merged.keys() - other.keys()):
                merged.setdefault(number, MergedPart(side[number], side[number].lines))
        return merged

    def _order(self) -> list[int]:
        merged, sides = self._merged, self._versions[1:]
        falls = any(is_newest_first(part.stated for part in side.parts) for side in sides)

        def is_above(number: int, other: int) -> bool:
            day, other_day = merged[number].part.stated, merged[other].part.stated
            return falls and day is not None and other_day is not None and day > other_day

        base, ours, theirs = (list(version) for version in self._aligned)
        appends = not any(part.part.kind == CATEGORY for part in merged.values())
        return merged_order(base, ours, theirs, merged, is_above=is_above, appends=appends)

    def _merged_texts(self) -> tuple[MergedPart, MergedPart]:
        """Return the preamble and the tail."""
        base, ours, theirs = self._versions
        newline, by_lines = self._newline, self._merge_text
        return (
            merged_text(base.preamble, ours.preamble, theirs.preamble, newline, by_lines),
            merged_text(base.tail, ours.tail, theirs.tail, newline, by_lines),
        )

    def _end(self) -> tuple[str, ...]:
        """Return what stands below the last part: what does in ours."""
        own = self._versions[1] if self._versions[1].all[-1].lines else self._versions[2]
        return own.all[-1].ending

    def _encoded(self, lines: list[str]) -> bytes:
        text = "".join(lines)
        is_unterminated = chomp(self._ours.lines[-1]) == self._ours.lines[-1]
        bom = BOM if self._ours.lines[0].startswith(BOM) else ""
        return encode(bom + (chomp(text) if is_unterminated else text))

    def _twice(self) -> Iterator[str]:
        """Give the titles of entries that each side added with a text of its own."""
        base, ours, theirs = self._aligned
        new = {part.key: number for number, part in ours.items() if number not in base}
        for number, part in theirs.items():
            is_new = number not in base and number not in ours and part.kind == ENTRY
            if is_new and part.key in new and ours[new[part.key]].kind == ENTRY:
                yield part.title


def _categories(side: Mapping[int, Part], numbers: Collection[int]) -> Iterator[int]:
    """Give the categories above the entries of a side with these numbers."""
    category = None
    for number, part in side.items():
        if part.kind == CATEGORY:
            category = number
        elif category is not None and number in numbers:
            yield category


def _refuse_loss(entries: Sequence[MergedPart], document: Document) -> None:
    """Raise NotMerged where an entry of the result has become a part of what stands above it.

    That is so below a code block or comment that one side has left open.
    """
    parts = version_of(document, None, document.dialect.level).parts
    known, keys = Counter(part.content for part in parts), {part.key for part in parts}
    planned = [(tuple(map(chomp, entry.lines)), entry.part) for entry in entries]
    needed = Counter(content for content, _ in planned)
    lost = [part for content, part in planned if known[content] < needed[content]]
    if lost:
        part = next((part for part in lost if part.key not in keys), lost[0])
        title = shortened(part.title, _LONGEST_TITLE)
        raise NotMerged(f"“{title}” would become a part of the entry above it")
