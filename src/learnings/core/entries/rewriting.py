"""Removal and insertion of entries; all other bytes stay the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from learnings.core.entries.archives import Original, originals_in
from learnings.core.entries.dialects import BULLET, HEADING, TABLE, Dialect
from learnings.core.entries.document import AUTO, Document, Entry, ReadOptions, read
from learnings.core.entries.layout import CATEGORY, PREAMBLE, LineSpan
from learnings.core.entries.titles import written_heading
from learnings.core.errors import FixRefused
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_edits import LineWriter
from learnings.core.text import chomp, decode, encode, newline_of, split_lines


def is_newest_first(dates: Iterable[str | None]) -> bool:
    stated = [date for date in dates if date]
    falls = sum(upper > lower for upper, lower in pairwise(stated))
    return falls > sum(upper < lower for upper, lower in pairwise(stated))


_HEADING_LEVELS = 6  # of headings in Markdown


def deeper(lines: Sequence[str], by: int) -> tuple[str, ...]:
    """Return the lines of an entry with its headings moved down, between levels 1 and 6."""
    changed = list(lines)
    for heading in outline_of(lines).headings if by else ():
        marks = "#" * max(1, min(_HEADING_LEVELS, heading.level + by))
        line = lines[heading.line - 1]
        changed[heading.line - 1] = f"{marks} {written_heading(line)}{line[len(chomp(line)) :]}"
    return tuple(changed)


def goes_on_top(document: Document, insert: str) -> bool:
    """Return True if new entries go on top; insert is `top`, `bottom` or `auto` (by dates)."""
    if insert == "auto":
        return is_newest_first(entry.stated for entry in document.entries)
    return insert == "top"


def original_of(entry: Entry) -> bytes:
    return encode(entry.text)


def entry_of(original: bytes, document: Document) -> Entry | None:
    """Return an original as the entry that it was in a file, or None."""
    alone = read(original)
    dialects = [document.dialect if document.entries else alone.dialect]
    levels = [heading.level for heading in alone.outline.headings[:1] if heading.line == 1]
    dialects += [Dialect(HEADING, level, "the level of its heading") for level in levels]
    dialects += [Dialect(BULLET, 0, "a list item")] if 1 in alone.outline.items else []
    for dialect in dialects:
        entries = alone.read_as(dialect).entries
        if entries and entries[0].first == 1:
            return entries[0]
    return None


def archived_originals(
    archive: bytes, document: Document, options: ReadOptions = AUTO
) -> Iterator[tuple[Entry, Original]]:
    """Yield the entries of a file that its archive holds.

    One written by hand is parsed like the file; its originals have no heading.
    """
    originals = originals_in(archive)
    for original in originals:
        entry = entry_of(original.data, document)
        if entry is not None:
            yield entry, original
    if not originals:
        own = read(archive, options)
        for entry in (own.read_as(document.dialect) if document.entries else own).entries:
            yield entry, Original(original_of(entry), "", entry.first)


def without_entries(
    document: Document, entries: Iterable[Entry], options: ReadOptions = AUTO
) -> bytes:
    """Return a file without some entries. Raises FixRefused if others would change."""
    removed = {entry.first for entry in entries}
    lines = {n for e in document.entries if e.first in removed for n in range(e.first, e.last + 1)}
    writer = LineWriter(document.text)
    writer.keep(line for n, line in enumerate(writer.source, start=1) if n not in lines)
    result = writer.to_bytes()
    stay = [entry for entry in document.entries if entry.first not in removed]
    remaining = iter(_texts_of(_reread(result, document, options)))
    if not all(entry.text.rstrip() in remaining for entry in stay):
        raise FixRefused(
            "removing these entries would change how the rest of the file is read; run "
            "`learnings check` and fix its findings, or move the entries by hand"
        )
    return result


def with_entry(
    document: Document,
    original: bytes,
    *,
    insert: str = "auto",
    options: ReadOptions = AUTO,
    older: Document | None = None,
) -> bytes:
    """Return a file with an entry at its former place, at insertion_line(), or at an end.

    The first place at which all entries are read correctly wins. Raises FixRefused if code or a
    comment would hide the entry.
    """
    if older is not None and original in map(original_of, older.entries):
        document = document.read_as(older.dialect)  # which few entries may hide
    entry = entry_of(original, document)
    former = _former_line(document, original, older) if older else None
    lines = [insertion_line(document, entry.stated if entry else None, insert)]
    if document.entries:
        lines += [document.entries[-1].last + 1, document.entries[0].first]
    places = [(former, False)] if former else []
    for line, is_spaced in dict.fromkeys([*places, *((line, True) for line in lines)]):
        result, expected = _inserted(document, original, line, is_spaced=is_spaced)
        if _texts_of(_reread(result, document, options)) == expected:
            return result
    result, _ = _inserted(document, original, len(document.lines) + 1, is_spaced=True)
    if not all(block.closed for block in document.outline.hiding_blocks):
        raise FixRefused(
            "the entry would end up in an unclosed code block or comment; close it, then run again"
        )
    return result


def insertion_line(document: Document, stated: str | None, insert: str = "auto") -> int:
    """Return the line (1-based) above which a new entry goes, by date or else by `insert`."""
    entries = document.entries
    if not entries and document.dialect.name == TABLE:
        from learnings.core.entries.shapes import end_of_tables  # noqa: PLC0415  (for tables only)

        return end_of_tables(document.lines)
    if not entries:
        return len(document.lines) + 1
    dated = [entry for entry in entries if entry.stated] if stated else []
    earlier = [entry for entry in dated if (entry.stated or "") <= (stated or "")]
    if goes_on_top(document, insert):
        older = [entry for entry in earlier if entry.stated != stated]
        if older:
            return older[0].first
        return dated[-1].last + 1 if dated else entries[0].first
    if earlier:
        return earlier[-1].last + 1
    return dated[0].first if dated else entries[-1].last + 1


def _former_line(document: Document, original: bytes, older: Document) -> int | None:
    """Return the line below the line that preceded an entry in an older version, or None."""
    entry = next((entry for entry in older.entries if original_of(entry) == original), None)
    if entry is None:
        return None
    now = {_name_of(document, span): span for span in _spans_of(document)}
    above = older.lines[entry.first - 2] if entry.first > 1 else ""
    spans = reversed([*_spans_of(older)])
    before = (span for span in spans if span.first < entry.first or span.kind == PREAMBLE)
    span = next((now[name] for s in before if (name := _name_of(older, s)) in now), None)
    if span is None:
        return None
    # Rows and items without a blank line between them go below the line that preceded them.
    same = (n for n in range(span.last, span.first - 1, -1) if document.lines[n - 1] == above)
    return next(same, span.last) + 1 if above.strip() else span.last + 1


def _spans_of(document: Document) -> Iterator[LineSpan]:
    """Yield the spans of a file, cutting the preamble at headings: one may be a first category."""
    preamble, *others = document.spans
    headings = (h.line for h in document.outline.headings if 1 < h.line <= preamble.last)
    bounds = [1, *headings, preamble.last + 1]
    yield LineSpan(PREAMBLE, 1, bounds[1] - 1)
    for first, end in pairwise(bounds[1:]):
        yield LineSpan(CATEGORY, first, end - 1)
    yield from others


def _name_of(document: Document, span: LineSpan) -> str:
    if span.kind == PREAMBLE:
        return PREAMBLE
    return f"{span.kind} {document.lines[span.first - 1].strip()}"


def _inserted(
    document: Document, original: bytes, line: int, *, is_spaced: bool
) -> tuple[bytes, list[str]]:
    """Return a file with an entry above a line, and the texts of all entries it should have."""
    text = decode(original)
    writer = LineWriter(document.text, None if document.text.strip() else newline_of(text))
    above, below = writer.source[: line - 1], writer.source[line - 1 :]
    is_heading = text.startswith("#")
    writer.keep(above)
    if is_spaced and (is_heading or line - 1 not in {entry.last for entry in document.entries}):
        writer.set_apart()
    writer.keep(split_lines(text))
    if is_spaced and is_heading and "".join(below).strip():
        writer.set_apart()
    writer.keep(below)
    expected = _texts_of(document)
    expected.insert(sum(entry.first < line for entry in document.entries), text.rstrip())
    return writer.to_bytes(), expected


def _reread(data: bytes, document: Document, options: ReadOptions) -> Document:
    after = read(data, options)
    return after.read_as(document.dialect) if document.entries else after


def _texts_of(document: Document) -> list[str]:
    return [entry.text.rstrip() for entry in document.entries]
