"""The form `rows`: sections `## path`, each with one row per line.

A row is `/when trigger | words`, `/how trigger | words` or `key — summary`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, islice

from learnings.core.entries.titles import heading_text
from learnings.core.index.files import Target
from learnings.core.index.keys import index_key, operator_row
from learnings.core.index.lines import Insertion, Row, hidden_lines
from learnings.core.index.model import Form, IndexFile
from learnings.core.index.pointers import pointers_in
from learnings.core.index.reading import MOST_ENDS, Reading, read_operator, unique
from learnings.core.index.style import RowStyle
from learnings.core.index.tables import Table
from learnings.core.markdown.blocks import Blocks
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# A dash between blanks (or at the end): the end of a key.
_DASH = lazy_pattern(r"(?<![ \t])[ \t]+[—–](?=[ \t]|$)")
# What Markdown or a reader takes for something else than a row, unless a heading reads like it:
# bullets, quotes, tables, HTML, rules, emphasis, code, numbered items, link definitions.
_NOTE = lazy_pattern(rf"[-*+>|<~=—–#]|__|`{{3}}|{LIST_MARKER}(?:[ \t]|$)|\[[^\]]*\]:")


class Rows(Form):
    """Sections of one file each, with one row per line."""

    name = "rows"
    looks = "sections of rows"
    example = (
        "a line such as `/when a build hangs`, `/how read a log` or `Caches — what is kept`, below "
        "a heading `## path/of/file.md`"
    )
    has_sections = True
    moves_rows = True
    has_unique_headings = True

    def read(self, index: IndexFile, blocks: Blocks) -> IndexFile:
        """Find the rows, those above the first heading of level 2 without a path."""
        return index._replace(rows=tuple(_rows(index, hidden_lines(blocks))))

    def read_row(self, text: str, table: Table | None = None) -> Reading | None:
        """Read a row; None for a line that is not one."""
        del table
        return read_row(text)

    def row_text(self, target: Target, table: Table | None, style: RowStyle) -> str:
        """Return `/when …` or `/how …` for a title that these write, else title and summary."""
        del table
        name = style.name_of(target)
        short = None if style.operators is False else operator_row(name)
        return short or f"{name} — {target.file.summary(target.heading)}"

    def headings_of_files(self, index: IndexFile, known: Container[str]) -> Mapping[str, int]:
        """Return the line of the first section of each file."""
        lines: dict[str, int] = {}
        for written, line in index.section_paths():
            path = index.resolve(written, known)
            if path is not None:
                lines.setdefault(path, line)
        return lines

    def insertion_at_end(
        self,
        index: IndexFile,
        texts: Mapping[str, Sequence[str]],
        *,
        last: Row | None,
        known: Container[str],
    ) -> Insertion:
        """Add sections below the last one that is a file, else at the end."""
        del last
        files = {
            line for path, line in index.section_paths() if index.resolve(path, known) is not None
        }
        lasts = [section.last for section in index.sections if section.first in files]
        below = lasts[-1] if lasts else len(index.lines)
        added = [
            ["", f"## {path}", "", *rows]
            for path, rows in texts.items()
            if heading_text(f"## {path}") == path
        ]
        end = [""] if below < len(index.lines) else []
        return Insertion(below, [*chain(*added), *end] if added else [])


def read_row(text: str) -> Reading | None:
    """Read a line; None if it is not a row: a row begins in the first column."""
    if not text or text[0] in " \t":
        return None
    return read_operator(text) or _read_dashed(text)


def _rows(index: IndexFile, hidden: Container[int]) -> Iterator[Row]:
    contents = [chomp(line) for line in index.lines]
    for group, section in enumerate(index.sections):
        path = section.path if section.level == 2 else ""
        for number in range(section.first, section.last + 1):
            text = without_ignores(contents[number - 1])
            reading = None if number in hidden else read_row(text)
            if reading is not None:
                plain = reading.plain and not _is_prose(contents, hidden, number)
                row = reading._replace(plain=plain)
                yield Row(number, contents[number - 1], group, path, row)


def _is_prose(contents: Sequence[str], hidden: Container[int], number: int) -> bool:
    """Return True if a line with a dash belongs to a paragraph with lines that are not rows."""
    if contents[number - 1].startswith("/"):
        return False
    neighbours = [n for n in (number - 1, number + 1) if 0 < n <= len(contents) and n not in hidden]
    texts = [contents[n - 1] for n in neighbours]
    return any(text[:1].isalpha() and read_row(text) is None for text in texts)


def _read_dashed(text: str) -> Reading | None:
    ends = [dash.start() for dash in islice(_DASH.finditer(text), MOST_ENDS)]
    if not ends:
        return None
    keys = unique(index_key(text[:end]) for end in (len(text), *reversed(ends)))
    plain = _NOTE.match(text) is None
    return Reading(keys, plain=plain, pointers=pointers_in(text[ends[0] :]))
