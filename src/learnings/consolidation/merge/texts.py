"""Merges the text above and below the entries line by line, and its index block by row.

Rows of the index block that two sides added are both kept. If lines conflict, units may not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import MergedPart, with_ends
from learnings.consolidation.merge.order import merged_order
from learnings.consolidation.merge.parts import Part
from learnings.consolidation.merge.units import merged_units
from learnings.core.entries.layout import INDEX_END, INDEX_START
from learnings.core.entries.rewriting import is_newest_first
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, encode, split_lines

# The day in a row `| 2026-02-16 | Title |`.
_DAY = lazy_pattern(r"\b\d{4}-\d{2}-\d{2}\b")

Lines = tuple[str, ...]
_Row = tuple[str, int]


def _with_common_rows(base: Lines, ours: Lines, theirs: Lines) -> tuple[Lines, Lines, Lines]:
    """Return three versions of a text with the rows of their index blocks merged in each.

    Lines have no terminators. Rows that one side removed are gone, rows that it added are present.
    If one side does not have exactly one block, all texts are returned unchanged.
    """
    blocks = [_index_block(version) for version in (base, ours, theirs)]
    of_ours, of_theirs = blocks[1:]
    if of_ours is None or of_theirs is None:
        return base, ours, theirs
    of_base = slice(*blocks[0]) if blocks[0] else slice(0)
    rows = _merged_rows(base[of_base], ours[slice(*of_ours)], theirs[slice(*of_theirs)])
    versions = [
        (*version[: block[0]], *rows, *version[block[1] :]) if block else version
        for version, block in zip((base, ours, theirs), blocks, strict=True)
    ]
    return versions[0], versions[1], versions[2]


def _index_block(lines: Lines) -> tuple[int, int] | None:
    """Return start and end of the rows, as for a slice; None without exactly one block."""
    starts = [index for index, line in enumerate(lines) if INDEX_START.search(line)]
    ends = [index for index, line in enumerate(lines) if INDEX_END.search(line)]
    if len(starts) == len(ends) == 1 and starts[0] < ends[0]:
        return starts[0] + 1, ends[0]
    return None


def _merged_rows(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Lines:
    in_base, in_ours, in_theirs = (_numbered_rows(rows) for rows in (base, ours, theirs))
    kept = (set(in_ours) & set(in_theirs)) | (set(in_ours) ^ set(in_theirs)) - set(in_base)
    falls = any(is_newest_first(map(_day_of_row, side)) for side in (in_ours, in_theirs))
    order = merged_order(
        in_base, in_ours, in_theirs, kept, day_of=_day_of_row, is_newest_first=falls
    )
    return tuple(row for row, _ in order)


def _numbered_rows(rows: Sequence[str]) -> list[_Row]:
    """Return the rows; equal ones are numbered."""
    seen: Counter[str] = Counter()
    numbered = []
    for row in rows:
        seen[row] += 1
        numbered.append((row, seen[row]))
    return numbered


def _day_of_row(row: _Row) -> str | None:
    match = _DAY.search(row[0])
    return match[0] if match else None


TextMerge = Callable[[bytes, bytes, bytes], "MergedText"]
"""Merges base, ours and theirs line by line, as git does."""


class MergedText(NamedTuple):
    """A text merged line by line; conflicts is the number of its conflicts with markers."""

    data: bytes
    conflicts: int


def merged_text(
    base: Part, ours: Part, theirs: Part, newline: str, merge_lines: TextMerge
) -> MergedPart:
    """Merge a preamble or a tail.

    Lines of our side keep their terminators, others get newline.
    """
    if ours.is_same(theirs) or theirs.is_same(base):
        return MergedPart(ours, ours.lines)
    if ours.is_same(base):
        return MergedPart(theirs, theirs.lines)
    versions = _with_common_rows(base.content, ours.content, theirs.content)
    texts = ("".join(with_ends(lines, ours.lines, newline)) for lines in versions)
    merged = merge_lines(*map(encode, texts))
    by_unit = merged_units(*versions) if merged.conflicts else None
    if by_unit is not None:
        return MergedPart(ours, with_ends(by_unit, ours.lines, newline))
    lines = split_lines(decode(merged.data))
    return MergedPart(ours, tuple(lines), is_conflict=merged.conflicts > 0)
