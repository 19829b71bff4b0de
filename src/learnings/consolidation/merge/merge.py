"""The three-way merge of a memory file by entry: `learnings merge-driver`.

The base is the common ancestor of both sides. A change on one side alone is taken over byte for
byte. If neither side changed a text, the bytes of our side stay. Text from the other side gets our
line ends.

Text above and below the entries is merged line by line. Rows of the index block that two sides
added are both kept. If lines conflict, units may not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import (
    Markers,
    MergedPart,
    merged_part,
    merged_units,
    with_ends,
    without_markers,
)
from learnings.consolidation.merge.numbers import IsReferred, SharedId, renumbered
from learnings.consolidation.merge.order import BOTTOM, TOP, Gaps, merged_order
from learnings.consolidation.merge.parts import Part, align, common_newline, version_of
from learnings.core.entries.dialects import NONE, SHAPES, Dialect
from learnings.core.entries.document import AUTO, Document, ReadOptions, read, read_older
from learnings.core.entries.layout import CATEGORY, ENTRY, INDEX_END, INDEX_START
from learnings.core.entries.rewriting import is_newest_first
from learnings.core.errors import LearningsError
from learnings.core.markdown.line_edits import LineWriter
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode, encode, newline_of, shortened, split_lines

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
    if None in blocks[1:]:
        return base, ours, theirs
    versions = [*zip((base, ours, theirs), blocks, strict=True)]
    rows = _merged_rows(*(lines[block or slice(0)] for lines, block in versions))
    new = (
        (*lines[: block.start], *rows, *lines[block.stop :]) if block else lines
        for lines, block in versions
    )
    return next(new), next(new), next(new)


def _index_block(lines: Lines) -> slice | None:
    """Return the place of the rows; None without exactly one block."""
    starts = [index for index, line in enumerate(lines) if INDEX_START.search(line)]
    ends = [index for index, line in enumerate(lines) if INDEX_END.search(line)]
    is_one = len(starts) == len(ends) == 1 and starts[0] < ends[0]
    return slice(starts[0] + 1, ends[0]) if is_one else None


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
    """Merge a preamble or a tail; lines that are not of our side end with newline."""
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


class NotMerged(LearningsError):
    """The versions cannot be merged by entry; the message says why."""


class ThreeVersions(NamedTuple):
    """Three versions of a file, each in its own dialect; dialect is the result's."""

    base: Document
    ours: Document
    theirs: Document
    dialect: Dialect


def read_versions(base: bytes, ours: bytes, theirs: bytes, options: ReadOptions) -> ThreeVersions:
    """Return the versions, parsed so that their entries can be compared.

    Conflict markers in the base are left out. Raises NotMerged if no version has entries, or if one
    side changed headings to list items, or the reverse.
    """
    if b"<<<<<<<" in base:
        base = encode(without_markers(decode(base)))
    readings = _comparable_versions(*(read_older(data, options) for data in (base, ours, theirs)))
    levels = {d.dialect.level for d in readings[:3] if d.entries}
    if 0 in levels and len(levels) > 1:
        raise NotMerged("one side writes its entries in another dialect")
    return readings


def _comparable_versions(base: Document, ours: Document, theirs: Document) -> ThreeVersions:
    if _is_alike(ours.dialect, theirs.dialect):
        base = _as_alike(base, [ours, theirs], ours.dialect)
        return ThreeVersions(base, ours, theirs.read_as(ours.dialect), ours.dialect)
    if base.dialect.name == NONE:
        dialects = [version.dialect for version in (ours, theirs) if version.entries]
        if not dialects:
            raise NotMerged("no version of it has entries")
        base = base.read_as(dialects[0])
        ours, theirs = (
            side if side.entries else side.read_as(dialects[0]) for side in (ours, theirs)
        )
        return ThreeVersions(base, ours, theirs, dialects[0])
    ours, theirs = (_as_alike(side, [base], base.dialect) for side in (ours, theirs))
    changed = [d.dialect for d in (ours, theirs) if not _is_alike(d.dialect, base.dialect)]
    return ThreeVersions(base, ours, theirs, changed[0] if changed else base.dialect)


def _as_alike(document: Document, others: Sequence[Document], dialect: Dialect) -> Document:
    """Return a version parsed in the dialect of others, or in its own if more entries match.

    A version with few entries shows its dialect less clearly than they do. If it has no entry in
    common with them, the level of its headings decides.
    """
    alike = document.read_as(dialect)
    names = set().union(*map(_names_of_entries, others))
    in_alike, in_own = (len(_names_of_entries(version) & names) for version in (alike, document))
    has_headings = document.dialect.level > 0 and dialect.level > 0
    has_none = not in_own and not in_alike
    is_own = in_own > in_alike or (has_none and (has_headings or not alike.entries))
    return document if is_own and document.entries else alike


def _names_of_entries(document: Document) -> set[str]:
    """Return the titles and texts of the entries, which identify them in another dialect."""
    titles = {entry.title.casefold() for entry in document.entries}
    return titles | {" ".join(entry.body.split()) for entry in document.entries if entry.level}


def _is_alike(one: Dialect, other: Dialect) -> bool:
    """Return True if two dialects take the same lines for entries."""
    names = {one.name, other.name}
    is_same = len(names) == 1 or names.isdisjoint((NONE, *SHAPES))
    return one.level == other.level and is_same and names != {NONE}


# Most characters of a title in a message, to keep it on one line. Chosen, not measured.
_LONGEST_TITLE = 80


class Merge(NamedTuple):
    """The merged file.

    conflicts are the titles of parts that both sides changed, which are in the file with markers.
    twice are the titles of entries that both sides added with different texts; both texts are in
    the file. shared_ids are the ids that each side gave to a different entry.
    """

    data: bytes
    conflicts: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    shared_ids: tuple[SharedId, ...] = ()


def merge(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    *,
    merge_text: TextMerge,
    options: ReadOptions = AUTO,
    markers: Markers | None = None,
    is_referred: IsReferred = lambda _: False,
) -> Merge:
    """Merge two versions of a memory file with their base, which is empty if both are new.

    If two new entries share an id, the second gets another one, unless is_referred is true of the
    id. Raises NotMerged if no version has an entry, or if an entry would be lost in the result.
    """
    if theirs in (base, ours):
        return Merge(ours)
    if ours == base:
        return Merge(theirs)
    readings = read_versions(base, ours, theirs, options)
    merger = _Merger(readings, merge_text, markers or Markers(), is_referred)
    merged = merger.merge()
    if not merged.conflicts:
        _refuse_loss(merger.entries, read(merged.data, options).read_as(readings.dialect))
    return merged


class _Merger:
    """The merge of three documents; entries are the result's, in no order."""

    def __init__(
        self,
        readings: ThreeVersions,
        merge_text: TextMerge,
        markers: Markers,
        is_referred: IsReferred,
    ) -> None:
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
        self._has_one_dialect = all(_is_alike(d.dialect, readings.dialect) for d in documents)
        self._aligned = align(*(version.parts for version in self._versions))
        merged = self._merged_parts()
        parts, self._shared_ids = renumbered(self._versions, self._aligned, merged, is_referred)
        self._merged = {**merged, **parts}
        self.entries = [m for m in self._merged.values() if m.part.kind == ENTRY]

    def merge(self) -> Merge:
        base, ours, theirs = self._versions
        texts = self._newline, self._merge_text
        preamble = merged_text(base.preamble, ours.preamble, theirs.preamble, *texts)
        tail = merged_text(base.tail, ours.tail, theirs.tail, *texts)
        order = self._order()
        gaps = Gaps(self._versions, self._aligned, self._newline)
        numbers = [TOP, *order, *([BOTTOM] if tail.lines else [])]
        merged = {TOP: preamble, BOTTOM: tail, **self._merged}
        parts = [merged[number] for number in numbers]
        writer = LineWriter(self._ours.text)
        last = (ours if ours.all[-1].lines else theirs).all[-1]
        below = [*(gaps.between(*pair) for pair in pairwise(numbers)), last.ending]
        if base.preamble.lines and not preamble.lines:
            below[0] = ()
        for part, gap in zip(parts, below, strict=True):
            writer.keep((*part.lines, *gap))
        writer.end_line()
        if chomp(self._ours.lines[-1]) == self._ours.lines[-1]:
            writer.lines[-1:] = map(chomp, writer.lines[-1:])
        return Merge(
            writer.to_bytes(),
            tuple(part.part.title for part in parts if part.is_conflict),
            tuple(self._twice()),
            self._shared_ids,
        )

    def _merged_parts(self) -> dict[int, MergedPart]:
        """Return the numbered parts that stay."""
        base, ours, theirs = self._aligned
        merged = {}
        for number in {**base, **ours, **theirs}:
            part = merged_part(
                base.get(number), ours.get(number), theirs.get(number), self._markers, self._newline
            )
            if part is not None:
                merged[number] = part
        # In another dialect, a heading at their level would be an entry.
        for side, other in ((ours, theirs), (theirs, ours)) if self._has_one_dialect else ():
            for number in _categories(side, merged.keys() - other.keys()):
                merged.setdefault(number, MergedPart(side[number], side[number].lines))
        return merged

    def _order(self) -> list[int]:
        merged, sides = self._merged, self._versions[1:]
        base, ours, theirs = (list(version) for version in self._aligned)
        return merged_order(
            base,
            ours,
            theirs,
            merged,
            day_of=lambda number: merged[number].part.stated,
            is_newest_first=any(is_newest_first(p.stated for p in s.parts) for s in sides),
            appends=not any(part.part.kind == CATEGORY for part in merged.values()),
        )

    def _twice(self) -> Iterator[str]:
        """Yield the titles of entries that each side added with a text of its own."""
        base, ours, theirs = self._aligned
        new = {part.key: number for number, part in ours.items() if number not in base}
        for number, part in theirs.items():
            is_new = number not in base and number not in ours and part.kind == ENTRY
            if is_new and part.key in new and ours[new[part.key]].kind == ENTRY:
                yield part.title


def _categories(side: Mapping[int, Part], numbers: Collection[int]) -> Iterator[int]:
    """Yield the categories above the entries of a side with these numbers."""
    category = None
    for number, part in side.items():
        if part.kind == CATEGORY:
            category = number
        elif category is not None and number in numbers:
            yield category


def _refuse_loss(entries: Sequence[MergedPart], document: Document) -> None:
    """Raise NotMerged if an entry of the result has become part of the text above it.

    This happens below a code block or comment that one side left unclosed.
    """
    parts = version_of(document, None, document.dialect.level).parts
    known, keys = Counter(part.content for part in parts), {part.key for part in parts}
    planned = [(tuple(map(chomp, entry.lines)), entry.part) for entry in entries]
    needed = Counter(content for content, _ in planned)
    lost = [part for content, part in planned if known[content] < needed[content]]
    if lost:
        part = next((part for part in lost if part.key not in keys), lost[0])
        title = shortened(part.title, _LONGEST_TITLE)
        raise NotMerged(f"“{title}” would become part of the entry above it")
