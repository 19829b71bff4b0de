"""Removal and insertion of entries; all other bytes stay the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, pairwise, zip_longest

from learnings.core.entries.archives import Original, originals_in
from learnings.core.entries.dialects import BULLET, HEADING, PARAGRAPH, TABLE, Dialect
from learnings.core.entries.document import AUTO, Document, Entry, ReadOptions, read
from learnings.core.entries.layout import CATEGORY, ENTRY, PREAMBLE, LineSpan
from learnings.core.entries.shapes import end_of_tables
from learnings.core.entries.titles import written_heading
from learnings.core.errors import FixRefused
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_edits import LineWriter, filler_of, is_filler, without_filler
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
    dialects += [Dialect(PARAGRAPH, 0, "a paragraph")]
    for dialect in dialects:
        entries = alone.read_as(dialect).entries
        if entries and entries[0].first == 1:
            return entries[0]
    return None


def read_as_archived(document: Document, archives: Iterable[bytes]) -> Document:
    """Read a file without entries as its archived ones were.

    Without these, the last entry is the title or the introduction of the file.
    """
    for data in archives:
        entries = (entry_of(original.data, document) for original in originals_in(data))
        for level in {entry.level for entry in entries if entry}:
            name = HEADING if level else PARAGRAPH
            alike = document.read_as(Dialect(name, level, "the form of its archived entries"))
            if alike.entries:
                return alike
    return document


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


Part = Sequence[str] | None
"""The lines of a new text, or None for the entry itself."""


def with_parts(
    document: Document, parts: Mapping[int, Sequence[Part]], gap: Sequence[str] = ()
) -> bytes:
    """Return a file with parts in place of some entries, given by first line.

    An entry without parts goes; gap is between parts. The last part of a row of entries ends as the
    row did: with a `---` or a blank line above the next chapter.
    """
    writer = LineWriter(document.text)
    is_open = False  # an entry of this row is above
    for span, below in zip_longest(document.spans, [span.kind for span in document.spans[1:]]):
        own = writer.source[span.first - 1 : span.last]
        if span.kind != ENTRY:
            writer.keep(own)
            is_open = False
            continue
        filler = filler_of(own)
        *upper, last = parts.get(span.first, [None]) or [()]
        for part in (*upper, last):
            if part and document.dialect.level and not is_open:
                writer.set_apart()
            is_open |= part != ()
            writer.keep(without_filler(own if part is None else part))
            writer.keep(() if part == () else filler if part is last else gap)
        if below != ENTRY and is_open:
            writer.lines[1:] = without_filler(writer.lines)[1:]
            writer.keep(filler)
        elif below not in (None, ENTRY):
            is_blank = bool(writer.lines) and not writer.lines[-1].strip()
            writer.keep(dropwhile(str.isspace, filler) if is_blank else filler)
    return writer.to_bytes()


def usual_gap(document: Document, newline: str) -> Sequence[str]:
    """Return the blank lines and breaks between most entries; of a list by default none."""
    inner = (entry for entry in document.entries if not _ends_row(document, entry))
    gaps = [tuple(filler_of(entry.lines)) for entry in inner]
    default = (newline,) if document.dialect.level else ()
    gap = Counter(gaps).most_common(1)[0][0] if gaps else ()
    return [line if line.strip() else newline for line in gap or default]


def without_entries(
    document: Document, entries: Iterable[Entry], options: ReadOptions = AUTO
) -> bytes:
    """Return a file without some entries. Raises FixRefused if others would change."""
    removed = {entry.first for entry in entries}
    result = with_parts(document, dict.fromkeys(removed, ()))
    stay = [entry for entry in document.entries if entry.first not in removed]
    remaining = iter(_texts_of(_reread(result, document, options)))
    if not all(_own_text(entry.lines) in remaining for entry in stay):
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
    lines = [insertion_line(document, entry.stated if entry else None, insert)]
    if document.entries:
        lines += [document.entries[-1].last + 1, document.entries[0].first]
    places: dict[int, Sequence[str] | None] = dict.fromkeys(lines)
    former = _former_place(document, original, older) if older else None
    for line, gap in [*([former] if former else []), *places.items()]:
        result, expected = _inserted(document, original, line, gap)
        if _texts_of(_reread(result, document, options)) == expected:
            return result
    result, _ = _inserted(document, original, len(document.lines) + 1, None)
    if not all(block.closed for block in document.outline.hiding_blocks):
        raise FixRefused(
            "the entry would end up in an unclosed code block or comment; close it, then run again"
        )
    return result


def insertion_line(document: Document, stated: str | None, insert: str = "auto") -> int:
    """Return the line (1-based) above which a new entry goes, by date or else by `insert`."""
    entries = document.entries
    if not entries and document.dialect.name == TABLE:
        return end_of_tables(document.lines)
    if not entries:
        return len(document.lines) + 1
    dated = [entry for entry in entries if entry.stated] if stated else []
    earlier = [entry for entry in dated if (entry.stated or "") <= (stated or "")]
    if goes_on_top(document, insert):
        older = (entry.first for entry in earlier if entry.stated != stated)
        return next(older, dated[-1].last + 1 if dated else entries[0].first)
    if earlier:
        return earlier[-1].last + 1
    return dated[0].first if dated else entries[-1].last + 1


def _former_place(
    document: Document, original: bytes, older: Document
) -> tuple[int, Sequence[str]] | None:
    """Return the line below what preceded an entry in an older version, and the gap above it."""
    entry = next((entry for entry in older.entries if original_of(entry) == original), None)
    if entry is None:
        return None
    now = {_name_of(document, span): span for span in _spans_of(document)}
    above = older.lines[entry.first - 2] if entry.first > 1 else ""
    spans = reversed([*_spans_of(older)])
    before = (span for span in spans if span.first < entry.first or span.kind == PREAMBLE)
    found = ((now[name], s) for s in before if (name := _name_of(older, s)) in now)
    span, then = next(found, (None, None))
    if span is None or then is None:
        return None
    # Rows and items without a blank line between them go below the line that preceded them.
    same = (n for n in range(span.last, span.first - 1, -1) if document.lines[n - 1] == above)
    line = next(same, span.last) + 1 if above.strip() else span.last + 1
    return line, filler_of(older.lines[then.first - 1 : then.last])


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
    document: Document, original: bytes, line: int, gap: Sequence[str] | None
) -> tuple[bytes, list[str]]:
    """Return a file with an entry above a line, and the texts of all entries it should have.

    gap is what stood between it and the entry above; None for an entry in a new place.
    """
    text = decode(original)
    lines, expected = split_lines(text), _texts_of(document)
    expected.insert(sum(entry.first < line for entry in document.entries), _own_text(lines))
    writer = LineWriter(document.text, None if document.text.strip() else newline_of(text))
    source = writer.source
    above = next((e for e in document.entries if e.first < line <= e.last + 1), None)
    if above and _ends_row(document, above) and all(map(is_filler, source[line - 1 : above.last])):
        gap = usual_gap(document, writer.newline) if gap is None else gap
        return with_parts(document, {above.first: [None, lines]}, gap), expected
    is_heading = text.startswith("#")
    writer.keep(source[: line - 1])
    if gap is None and (is_heading or line - 1 not in {entry.last for entry in document.entries}):
        writer.set_apart()
    has_filler = gap is not None and any(map(is_filler, source[line - 1 : line]))
    writer.keep(without_filler(lines) if has_filler else lines)
    if gap is None and is_heading and "".join(source[line - 1 :]).strip():
        writer.set_apart()
    writer.keep(source[line - 1 :])
    return writer.to_bytes(), expected


def _ends_row(document: Document, entry: Entry) -> bool:
    """Return True if no entry follows directly."""
    return entry.last + 1 not in document.by_first_line


def _reread(data: bytes, document: Document, options: ReadOptions) -> Document:
    after = read(data, options)
    return after.read_as(document.dialect) if document.entries else after


def _texts_of(document: Document) -> list[str]:
    return [_own_text(entry.lines) for entry in document.entries]


def _own_text(lines: Sequence[str]) -> str:
    return "".join(without_filler(lines)).rstrip()
