"""The form `arrow`: lines `**name** — summary → path`, each for a heading or for a whole file."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain

from learnings.core.findings.finding import quoted
from learnings.core.index.files import HeadingKind, IndexedFile, Location, Target
from learnings.core.index.lines import Insertion, Row, hidden_lines
from learnings.core.index.model import Form, IndexFile
from learnings.core.index.pointers import pointers_in
from learnings.core.index.reading import Reading, keys_of_cell, path_of_cell
from learnings.core.index.style import RowStyle
from learnings.core.index.tables import Table
from learnings.core.markdown.blocks import Blocks
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.markdown.line_kinds import BULLET_MARKER
from learnings.core.patterns import lazy_pattern

# `**name** — `, with or without a bullet before it.
_ARROW = lazy_pattern(rf"(?:{BULLET_MARKER}[ \t]+)?\*\*((?:[^*]|\*(?!\*))*)\*\*[ \t]*[—–][ \t]")


class Arrow(Form):
    """Rows anywhere in the file; a file has one row, or one for each of its headings."""

    name = "arrow"
    looks = "lines with an arrow"
    example = "a line such as `**builds** — what is known of them → path/of/file.md`"

    def read(self, index: IndexFile, blocks: Blocks) -> IndexFile:
        """Find the rows outside front matter, headings, code and comments."""
        return index._replace(rows=tuple(_rows(index, hidden_lines(blocks))))

    def read_row(self, text: str, table: Table | None = None) -> Reading | None:
        """Read a row; None for a line that is not one."""
        del table
        return read_arrow(text)

    def row_text(self, target: Target, table: Table | None, style: RowStyle) -> str:
        """Return the row of a heading or of a whole file."""
        del table
        summary = target.file.summary(target.heading)
        return f"**{style.name_of(target)}** — {summary} → {target.file.path}"

    def insertion_at_end(
        self,
        index: IndexFile,
        texts: Mapping[str, Sequence[str]],
        *,
        last: Row | None,
        known: Container[str],
    ) -> Insertion:
        """Add rows below the last one, else at the end."""
        del known
        rows = list(chain(*texts.values()))
        return Insertion(last.line, rows) if last else Insertion(len(index.lines), ["", *rows])

    def targets_of_row(self, keys: Sequence[str], file: IndexedFile) -> Sequence[Target]:
        """Return what a row may stand for: headings that need one, the file, other headings."""
        if not file.headings_with(keys, HeadingKind.SEMANTIC) and file.names.intersection(keys):
            return [Target(file, None)]
        return super().targets_of_row(keys, file)

    def targets_of_file(
        self, index: IndexFile, file: IndexedFile, *, matched: Container[Location]
    ) -> Iterator[Target]:
        """Give the file, or its headings if the index lists them one by one."""
        whole_file = Target(file, None)
        headings = (Target(file, heading) for heading in file.headings)
        is_listed = whole_file.location in matched
        if not is_listed and any(heading.location in matched for heading in headings):
            yield from super().targets_of_file(index, file, matched=matched)
        else:
            yield whole_file


def read_arrow(text: str) -> Reading | None:
    """Read a line; None if it has not both a name in bold with a dash and an arrow."""
    match = _ARROW.match(text)
    summary, arrow, target = text.rpartition("→")
    if match is None or not arrow or len(summary) < match.end():
        return None
    keys, path = keys_of_cell(match[1]), path_of_cell(target)
    if not keys or not path:
        fault = f"{quoted(text)} has no {'path behind the arrow' if keys else 'name'}"
        return Reading(fault=fault, path=path or None)
    return Reading(keys, path=path, pointers=pointers_in(text[match.end() :]))


def _rows(index: IndexFile, hidden: Container[int]) -> Iterator[Row]:
    for group, section in enumerate(index.sections):
        for number in range(section.first, section.last + 1):
            content = index.content(number)
            reading = None if number in hidden else read_arrow(without_ignores(content))
            if reading is not None:
                yield Row(number, content, group, reading.path, reading)
