"""The forms of a memory index by name: `rows` and `arrow`, and those of `table_forms`.

To add a form:

1. Write a subclass of IndexForm (index_file.py); ArrowForm is the shortest example.
2. Add it to FORMS at the end of this module, and its name to INDEX_FORMS in core/settings/keys.py.
3. Add an example to FORMS_AS_TEXT in tests/index/index_cases.py, and describe it in
   docs/memory-index.md. `python -m tests.support.documents` updates the table of settings.

No other module checks the name of a form: matching, checks and fixes use the object.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType

from learnings.core.entries.layout import INDEX_MARK
from learnings.core.entries.titles import heading_text
from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.markdown.line_kinds import BULLET_MARKER, LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, encode
from learnings.index import row_reading
from learnings.index.headings import HeadingKind, HeadingLocation, IndexedFile, RowTarget
from learnings.index.index_file import (
    IndexForm,
    IndexRow,
    Insertion,
    MemoryIndex,
    RowStyle,
    RowTexts,
    hidden_lines,
    sections_of,
)
from learnings.index.row_reading import RowReading, Table
from learnings.index.table_forms import BlockForm, TableForm

# A dash between blanks, or at the end, ends the key.
_DASH = lazy_pattern(r"(?<![ \t])[ \t]+[—–](?=[ \t]|$)")
# Lines that Markdown or a reader takes for something other than a row, unless a heading matches:
# bullets, quotes, tables, HTML, rules, emphasis, code, numbered items, link definitions.
_NO_ROW = lazy_pattern(rf"[-*+>|<~=—–#]|__|`{{3}}|{LIST_MARKER}(?:[ \t]|$)|\[[^\]]*\]:")


class RowsForm(IndexForm):
    """Sections of one file each, with one row per line."""

    name = "rows"
    looks = "sections of rows"
    example = (
        "a line such as `/when a build hangs`, `/how read a log` or `Caches — what is kept`, below "
        "a heading `## path/of/file.md`"
    )
    has_sections = True
    moves_rows = True

    def read(self, index: MemoryIndex, blocks: Blocks) -> MemoryIndex:
        """Find the rows; rows above the first heading of level 2 have no path."""
        hidden = hidden_lines(blocks)
        contents = [chomp(line) for line in index.lines]
        rows = []
        for group, section in enumerate(index.sections):
            path = section.path if section.level == 2 else ""
            for number in range(section.first, section.last + 1):
                text = without_ignores(contents[number - 1])
                reading = None if number in hidden else read_plain_row(text)
                if reading is not None:
                    plain = reading.plain and not _is_prose(contents, hidden, number)
                    row = reading._replace(plain=plain)
                    rows.append(IndexRow(number, contents[number - 1], group, path, row))
        return index._replace(rows=tuple(rows))

    def read_row(self, text: str, _table: Table | None) -> RowReading | None:
        return read_plain_row(text)

    def row_text(self, target: RowTarget, _table: Table | None, style: RowStyle) -> str:
        """Return `/when …` or `/how …` for a title that these express, else title and summary."""
        name = style.name_of(target)
        short = None if style.operators is False else row_reading.operator_row(name)
        return short or f"{name} — {target.file.summary(target.heading)}"

    def renamed_row(
        self, text: str, target: RowTarget, table: Table | None, style: RowStyle
    ) -> str | None:
        """Return the row with the new name before its words; with a dash if it has no operator."""
        name = style.name_of(target)
        if row_reading.read_operator(text) is None:
            dash = _DASH.search(text)
            return name + text[dash.start() :] if dash else None
        words = text.partition("|")[2].strip()
        if row_reading.operator_row(name) is not None:
            return row_reading.renamed_cell(text, name)
        return f"{name} — {words}" if words else self.row_text(target, table, style)

    def headings_of_files(self, index: MemoryIndex, known: Container[str]) -> Mapping[str, int]:
        lines: dict[str, int] = {}
        for written, line in index.section_paths():
            path = index.resolve(written, known)
            if path is not None:
                lines.setdefault(path, line)
        return lines

    def insertion_at_end(
        self, index: MemoryIndex, texts: RowTexts, _last: IndexRow | None, known: Container[str]
    ) -> Insertion:
        """Add sections below the last section of a file, else at the end."""
        paths = index.section_paths()
        files = {line for path, line in paths if index.resolve(path, known) is not None}
        lasts = [section.last for section in index.sections if section.first in files]
        below = lasts[-1] if lasts else len(index.lines)
        added = [
            ["", f"## {path}", "", *rows]
            for path, rows in texts.items()
            if heading_text(f"## {path}") == path
        ]
        end = [""] if below < len(index.lines) else []
        return Insertion(below, [*chain(*added), *end] if added else [])


def read_plain_row(text: str) -> RowReading | None:
    """Parse a line; None if it is not a row, which begins in the first column."""
    if not text or text[0] in " \t":
        return None
    operator = row_reading.read_operator(text)
    if operator is not None:
        return operator
    ends = [dash.start() for dash in islice(_DASH.finditer(text), row_reading.MOST_ENDS)]
    if not ends:
        return None
    keys = row_reading.unique_keys(
        row_reading.index_key(text[:end]) for end in (len(text), *reversed(ends))
    )
    plain = _NO_ROW.match(text) is None
    return RowReading(keys, plain=plain, pointers=row_reading.pointers_in(text[ends[0] :]))


def _is_prose(contents: Sequence[str], hidden: Container[int], number: int) -> bool:
    """Return True if a line with a dash belongs to a paragraph with lines that are not rows."""
    if contents[number - 1].startswith("/"):
        return False
    neighbours = [n for n in (number - 1, number + 1) if 0 < n <= len(contents) and n not in hidden]
    texts = [contents[n - 1] for n in neighbours]
    return any(text[:1].isalpha() and read_plain_row(text) is None for text in texts)


# `**name** — `, with or without a bullet before it.
_ARROW = lazy_pattern(rf"(?:{BULLET_MARKER}[ \t]+)?\*\*((?:[^*]|\*(?!\*))*)\*\*[ \t]*[—–][ \t]")


class ArrowForm(IndexForm):
    """Rows anywhere in the file; a file has one row, or one for each of its headings."""

    name = "arrow"
    looks = "lines with an arrow"
    example = "a line such as `**builds** — what is known of them → path/of/file.md`"

    def read(self, index: MemoryIndex, blocks: Blocks) -> MemoryIndex:
        """Find the rows outside front matter, headings, code and comments."""
        hidden = hidden_lines(blocks)
        rows = []
        for group, section in enumerate(index.sections):
            for number in range(section.first, section.last + 1):
                content = index.content(number)
                reading = None if number in hidden else read_arrow(without_ignores(content))
                if reading is not None:
                    rows.append(IndexRow(number, content, group, reading.path, reading))
        return index._replace(rows=tuple(rows))

    def read_row(self, text: str, _table: Table | None) -> RowReading | None:
        return read_arrow(text)

    def row_text(self, target: RowTarget, _table: Table | None, style: RowStyle) -> str:
        summary = target.file.summary(target.heading)
        return f"**{style.name_of(target)}** — {summary} → {target.file.path}"

    def renamed_row(
        self, text: str, target: RowTarget, _table: Table | None, style: RowStyle
    ) -> str | None:
        match = _ARROW.match(text)
        if match is None:
            return None
        name = row_reading.renamed_cell(match[1], style.name_of(target))
        return text[: match.start(1)] + name + text[match.end(1) :]

    def insertion_at_end(
        self, index: MemoryIndex, texts: RowTexts, last: IndexRow | None, _known: Container[str]
    ) -> Insertion:
        """Add rows below the last row, else at the end."""
        rows = list(chain(*texts.values()))
        return Insertion(last.line, rows) if last else Insertion(len(index.lines), ["", *rows])

    def targets_of_row(self, keys: Sequence[str], file: IndexedFile) -> Sequence[RowTarget]:
        if not file.headings_with(keys, HeadingKind.SEMANTIC) and file.names.intersection(keys):
            return [RowTarget(file, None)]
        return super().targets_of_row(keys, file)

    def targets_of_file(
        self, index: MemoryIndex, file: IndexedFile, matched: Container[HeadingLocation]
    ) -> Iterator[RowTarget]:
        """Yield the file, or its headings if the index lists them one by one."""
        whole_file = RowTarget(file, None)
        headings = (RowTarget(file, heading) for heading in file.headings)
        is_listed = whole_file.location in matched
        if not is_listed and any(heading.location in matched for heading in headings):
            yield from super().targets_of_file(index, file, matched)
        else:
            yield whole_file


def read_arrow(text: str) -> RowReading | None:
    """Parse a line; None unless it has both a bold name with a dash and an arrow."""
    match = _ARROW.match(text)
    summary, arrow, target = text.rpartition("→")
    if match is None or not arrow or len(summary) < match.end():
        return None
    keys, path = row_reading.keys_of_cell(match[1]), row_reading.path_of_cell(target)
    if not keys or not path:
        fault = f"{quoted(text)} has no {'path after the arrow' if keys else 'name'}"
        return RowReading(fault=fault, path=path or None)
    return RowReading(keys, path=path, pointers=row_reading.pointers_in(text[match.end() :]))


FORMS: Mapping[str, IndexForm] = MappingProxyType(
    {form.name: form for form in (RowsForm(), TableForm(), BlockForm(), ArrowForm())}
)


def read_index(data: bytes, *, form: str = "rows", path: str = "") -> MemoryIndex:
    """Parse a memory index in the form of this name; accepts any input.

    path is a POSIX path relative to the repository's root. Raises ValueError if form is not in
    FORMS.
    """
    if form not in FORMS:
        raise ValueError(f"{form!r} is not a form of a memory index; use one of {', '.join(FORMS)}")
    blocks = blocks_of(data)
    lines = blocks.lines
    bom = BOM if lines and lines[0].startswith(BOM) else ""
    if bom:
        lines = (lines[0].removeprefix(bom), *lines[1:])
    index = MemoryIndex(path, FORMS[form], bom, lines, tuple(sections_of(blocks)))
    return FORMS[form].read(index, blocks)


def has_block(data: bytes) -> bool:
    """Return True if a file has an index block that is or shall become a table."""
    # A list between the markers is maintained by another program.
    if INDEX_MARK not in data:
        return False
    index = read_index(data, form=BlockForm.name)
    return bool(index.faults) or (index.block is not None and index.is_block_readable)


def with_lines(index: MemoryIndex, lines: Iterable[str]) -> MemoryIndex:
    """Return the index with other lines, given with their terminators."""
    data = encode(index.bom + "".join(lines))
    return read_index(data, form=index.form.name, path=index.path)
