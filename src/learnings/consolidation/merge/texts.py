"""What stands above and below the entries, merged line by line, and its index block by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import MergedPart
from learnings.consolidation.merge.parts import Part
from learnings.consolidation.merge.rows import with_common_rows
from learnings.core.text import chomp, decode, encode, split_lines

TextMerge = Callable[[bytes, bytes, bytes], "MergedText"]
"""Merges base, ours and theirs line by line, as git does."""


class MergedText(NamedTuple):
    """A text merged line by line; conflicts is the number of those that it holds, in markers."""

    data: bytes
    conflicts: int


def merged_text(
    base: Part, ours: Part, theirs: Part, newline: str, merge_lines: TextMerge
) -> MergedPart:
    """Merge a preamble or a tail.

    Lines that our side has keep the terminators they have there, others take newline.
    """
    if ours.is_same(theirs) or theirs.is_same(base):
        return MergedPart(ours, ours.lines)
    if ours.is_same(base):
        return MergedPart(theirs, theirs.lines)
    ends = {chomp(line): line[len(chomp(line)) :] for line in ours.lines}
    texts = (
        "".join(line + (ends.get(line) or newline) for line in lines)
        for lines in with_common_rows(base.content, ours.content, theirs.content)
    )
    merged = merge_lines(*map(encode, texts))
    lines = split_lines(decode(merged.data))
    return MergedPart(ours, tuple(lines), is_conflict=merged.conflicts > 0)
