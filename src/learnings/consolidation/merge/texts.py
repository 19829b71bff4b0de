"""The merged text of one part: the changed side, the changes of both, or a conflict.

A heading and the text under it are separate changes, and so are two units of a text. If both sides
changed one of them, or one side changed what the other removed, both versions stay: the text
around the entries as git merges it, an entry whole, in markers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import Markers, conflict
from learnings.consolidation.merge.order import merged_order
from learnings.consolidation.merge.trios import Trio
from learnings.consolidation.merge.units import changed_side, merged_units
from learnings.consolidation.merge.versions import Lines, Part
from learnings.core.entries.dialects import INDEX_END, INDEX_START
from learnings.core.entries.layout import PREAMBLE, TAIL
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode, encode, split_lines

# The day in a row `| 2026-02-16 | Title |`.
_DAY = lazy_pattern(r"\b\d{4}-\d{2}-\d{2}\b")

TextMerge = Callable[[bytes, bytes, bytes], tuple[bytes, int]]
"""Merges base, ours and theirs line by line, as git does; returns the text and its conflicts."""


class Text(NamedTuple):
    """The merged text of a part, with terminators; is_conflict if it has markers."""

    lines: Lines
    is_conflict: bool = False


class Style(NamedTuple):
    """How text is merged that neither side has as it is: line ends, markers, the merge by line."""

    newline: str
    markers: Markers
    merge_lines: TextMerge


def merged(trio: Trio, style: Style) -> Text:
    """Merge the versions of a part; a removed one has no lines.

    Trailing blanks are no change if the other side has made a change.
    """
    trimmed = Trio(*(part and _without_blanks(part) for part in trio))
    for versions in (trio, trimmed):
        lines = _settled(versions, style.newline)
        if lines is not None:
            return Text(lines)
    if trio.part.kind in (PREAMBLE, TAIL):
        return _merged_around(trio, style)
    sides = [part.lines if part else () for part in trio]
    return Text(tuple(conflict(sides, style.markers, style.newline)), is_conflict=True)


def _without_blanks(part: Part) -> Part:
    return part._replace(content=tuple(map(str.rstrip, part.content)))


def _settled(trio: Trio, newline: str) -> Lines | None:
    """Return the merged lines, none if the part is removed; None for a conflict."""
    base, ours, theirs = trio
    if ours is None or theirs is None:
        side = ours or theirs
        if base is None or side is None:
            return side.lines if side else ()
        is_removed = side.content == base.content or side.is_restamped(base)
        return () if is_removed else None
    if base is None:
        return ours.lines if ours.content == theirs.content else None
    versions = base, ours, theirs
    changed = changed_side(*(part.content for part in versions))
    if changed is not None:
        return versions[changed].lines
    return None if base.kind in (PREAMBLE, TAIL) else _joined_changes(versions, newline)


def _joined_changes(versions: tuple[Part, Part, Part], newline: str) -> Lines | None:
    """Return the changes of both sides in one entry; None if both changed the same thing."""
    heading = changed_side(*(part.content[:1] for part in versions))
    line = versions[heading].lines[0] if heading else _joined_heading(versions)
    if line is None:
        return None
    texts = [part.content[1:] for part in versions]
    side = changed_side(*texts)
    if side is not None:
        return (line, *versions[side].lines[1:])
    # Entries that are only similar may be different ones on a template, with unrelated units.
    is_same = len({part.entry.key for part in versions}) == 1
    lines = merged_units(*texts) if is_same else None
    return None if lines is None else (line, *_with_ends(lines, versions[1], newline))


def _joined_heading(versions: tuple[Part, Part, Part]) -> str | None:
    """Return the heading line with the stamp of one side and the title of the other.

    None if both sides changed the stamp or both changed the title, or if there are none. If both
    changed the stamp, and one stamp is a prefix of the other, the longer one is used.
    """
    if not all(part.is_entry and part.entry.level for part in versions):
        return None
    titles = [part.entry.title for part in versions]
    base, ours, theirs = (part.entry.stamp or "" for part in versions)
    stamp, title = changed_side(base, ours, theirs), changed_side(*titles)
    if stamp is None:
        stamp = 1 if ours.startswith(theirs) else 2 if theirs.startswith(ours) else None
    if stamp is None or title is None:
        return None
    line = versions[stamp].lines[0]
    heading = chomp(line)
    if not heading.endswith(titles[stamp]):
        return None
    return heading.removesuffix(titles[stamp]) + titles[title] + line[len(heading) :]


def _merged_around(trio: Trio, style: Style) -> Text:
    """Merge the text above or below the entries line by line or, if lines conflict, by unit."""
    versions = _with_common_rows([part.content if part else () for part in trio])
    texts = (_with_ends(text, trio.part, style.newline) for text in versions)
    data, conflicts = style.merge_lines(*(encode("".join(text)) for text in texts))
    lines = merged_units(*versions) if conflicts else None
    if lines is not None:
        return Text(_with_ends(lines, trio.part, style.newline))
    return Text(tuple(split_lines(decode(data))), is_conflict=conflicts > 0)


def _with_ends(lines: Lines, like: Part, newline: str) -> Lines:
    """Return lines with their terminators from a part, newline for lines not in it."""
    ends = {chomp(line): line[len(chomp(line)) :] for line in like.lines}
    return tuple(line + (ends.get(line) or newline) for line in lines)


def _with_common_rows(texts: Sequence[Lines]) -> Sequence[Lines]:
    """Return base, ours and theirs with the rows of their index blocks merged in each.

    Rows that one side removed are gone, rows that it added are present. If a side has not exactly
    one block, all texts are returned unchanged.
    """
    blocks = [_index_block(text) for text in texts]
    if None in blocks[1:]:
        return texts
    # Equal rows are numbered.
    base, ours, theirs = versions = [
        [(row, text[block][:n].count(row)) for n, row in enumerate(text[block])] if block else []
        for text, block in zip(texts, blocks, strict=True)
    ]
    kept = (set(ours) & set(theirs)) | (set(ours) ^ set(theirs)) - set(base)
    rows = [row for row, _ in merged_order(versions, kept, lambda row: _day_of(row[0]))]
    return [
        (*text[: block.start], *rows, *text[block.stop :]) if block else text
        for text, block in zip(texts, blocks, strict=True)
    ]


def _index_block(lines: Lines) -> slice | None:
    """Return the place of the rows; None without exactly one block."""
    starts = [index for index, line in enumerate(lines) if INDEX_START.search(line)]
    ends = [index for index, line in enumerate(lines) if INDEX_END.search(line)]
    is_one = len(starts) == len(ends) == 1 and starts[0] < ends[0]
    return slice(starts[0] + 1, ends[0]) if is_one else None


def _day_of(row: str) -> str | None:
    match = _DAY.search(row)
    return match[0] if match else None
