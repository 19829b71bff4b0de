"""How the new rows of an index are written, and where they go: beside their neighbours."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp
from learnings.index.comparison import Comparison, Match
from learnings.index.headings import Heading, HeadingKind, IndexedFile, operator_and_trigger
from learnings.index.rows import (
    FILE,
    RowStyle,
    Table,
    columns_of,
    new_row,
    read_cells,
    read_line,
)

Addition = tuple[Heading, str]
"""A new or moved row, without terminator, with its heading."""


class Places:
    """The places for new rows in an index.

    They go among the rows of their file, else into a table that names files, else below the heading
    of their file, else into a new section.
    """

    def __init__(self, compared: Comparison) -> None:
        self.compared = compared
        self.index = compared.index

    def new_rows(self) -> Iterator[Addition]:
        """Yield a row per heading without one; headings that no row can name are left out."""
        for heading in self.compared.missing:
            file, style = self.compared.files[heading.path], self.style_of(heading.path)
            table = self._table_for(heading.path)
            text = new_row(heading, file.summary(heading), style, table)
            # Markdown may read a title as code, a comment or a heading.
            if is_row_of(text, heading, file, table) and is_title(heading.path):
                yield heading, text

    def of(
        self, additions: Sequence[Addition], groups: Sequence[Sequence[Match]]
    ) -> Mapping[int, Sequence[str]]:
        """Return the lines to add below each line; groups are the rows that stay."""
        added: defaultdict[int, list[str]] = defaultdict(list)
        first = _first_groups(groups)
        by_path: dict[str, list[Addition]] = {path: [] for path in self.compared.files}
        for addition in additions:
            by_path[addition[0].path].append(addition)
        # New sections come last, below what is added to the section above them.
        paths = sorted(by_path, key=lambda path: (path not in first, self._is_apart(path)))
        for path in filter(by_path.get, paths):
            if path in first:
                for below, text in _places_among(first[path], by_path[path]):
                    added[below].append(text)
            else:
                below, head, end = self._place_apart(path)
                texts = [text for _, text in by_path[path]]
                is_begun = added[below][: len(head)] == [*head]  # a new table has one head
                added[below] += [*([] if is_begun else head), *texts, *end]
        return added

    def _place_apart(self, path: str) -> tuple[int, Sequence[str], Sequence[str]]:
        """Return where the first rows of a file go, with the lines above and below them."""
        index, table = self.index, self._table_for(path)
        lines, end = index.lines, len(index.lines)
        if table and (FILE in table.columns or self._is_of(table, path)):
            head = [] if table.last else ["", *index.form.head]
            if index.block and not table.last:
                end, head = index.block[1] - 1, head[1:]
            return table.last or end, head, []
        head = [chomp(line) for line in lines[table.first - 1 : table.first + 1]] if table else []
        if path in self.sections:  # below the heading and one blank line
            below = self.sections[path]
            below += below < end and not lines[below].strip()
            return below, ["", *head], [""] if below < end and lines[below].strip() else []
        files = self.compared.files
        ends = [s.last for s in index.sections if s.path and index.resolve(s.path, files)]
        below = ends[-1] if ends else end
        return below, ["", f"## {path}", "", *head], [""] if below < end else []

    @cached_property
    def sections(self) -> Mapping[str, int]:
        """The line of the first heading of each file, by its path."""
        index = self.index
        found = [(index.resolve(p, self.compared.files), n) for p, n in index.section_paths()]
        return {path: line for path, line in reversed(found) if path is not None}

    def _is_apart(self, path: str) -> bool:
        """Return True if the first rows of a file need a new section."""
        table = self._table_for(path)
        is_in_table = table is not None and (FILE in table.columns or self.index.form.is_block)
        return not is_in_table and path not in self.sections

    def _is_of(self, table: Table, path: str) -> bool:
        section = self.index.section_at(table.first).first
        return self.index.form.is_block or self.sections.get(path) == section

    def _table_for(self, path: str) -> Table | None:
        """Return the table for a new row: of its file, of the last row, the first, a new one."""
        if not self.index.form.head:
            return None
        last = next((m.row.table for m in reversed(self.compared.matches) if m.path), None)
        group = self._first_groups.get(path)
        own = [group[0].row.table] if group else []
        own += [table for table in self.index.tables if self._is_of(table, path)]
        new = Table(0, 0, columns_of(self.index.form.head[0]))
        return next(filter(None, (*own, last, *self.index.tables)), new)

    def style_of(self, path: str) -> RowStyle:
        """Return the style of the rows of a file, as far as they show one, else of all rows."""
        return _style(self._first_groups.get(path, ()), self._style)

    @cached_property
    def _style(self) -> RowStyle:
        return _style(self.compared.matches, RowStyle())

    @cached_property
    def _first_groups(self) -> Mapping[str, Sequence[Match]]:
        return _first_groups(self.compared.groups())


def is_title(path: str) -> bool:
    """Return True if a heading can contain a path."""
    return heading_text(f"## {path}") == path


def is_row_of(text: str, heading: Heading, file: IndexedFile, table: Table | None) -> bool:
    """Return True if a line parses as a row of exactly that heading."""
    text = without_ignores(text)
    row = read_cells(text, table) if table else read_line(text)
    if row is None or row.fault or text.startswith("<"):
        return False
    outline = outline_of([text + "\n"])
    if Outline(items=outline.items) != outline:  # a Markdown block with the lines below
        return False
    headings = file.headings_with(row.keys, HeadingKind.SEMANTIC)
    return bool(headings) and headings[0].key == heading.key


def _places_among(
    group: Sequence[Match], additions: Iterable[Addition]
) -> Iterator[tuple[int, str]]:
    """Yield the line above each row, which is the last row of an earlier heading."""
    pairs = zip(group, in_heading_order(group), strict=True)
    lines = [(before.row.line, after.line) for before, after in pairs if not after.problem]
    for heading, text in additions:
        above = [line for line, other in lines if other <= heading.line]
        yield above[-1] if above else group[0].row.line - 1, text


def _first_groups(groups: Sequence[Sequence[Match]]) -> Mapping[str, Sequence[Match]]:
    """Return the first group of each file, by the file's path: new rows go there."""
    return {group[0].path: group for group in reversed(groups) if group}


def in_heading_order(group: Sequence[Match]) -> Sequence[Match]:
    """Return the rows of a group in the order of their headings; duplicates follow the first.

    Duplicates alone do not make an order wrong.
    """
    lines = [match.line for match in group if not match.problem]
    return group if lines == sorted(lines) else sorted(group, key=lambda match: match.line)


# `/when` or `/how` at the start of a row or a cell; not within a path.
_WRITTEN_OPERATOR = lazy_pattern(r"(?:^|[ \t|`])/(?:when|how)[ \t]", re.IGNORECASE)


def _style(matches: Iterable[Match], default: RowStyle) -> RowStyle:
    """Return the style of most rows that name a heading."""
    lower, operators, bullets = Counter[bool](), Counter[bool](), Counter[str]()
    for match in matches:
        if match.problem or match.heading is None:
            continue
        title, text = match.heading.name, match.row.text
        parts = operator_and_trigger(title)
        words = parts[1] if parts else title
        bullets[match.row.bullet] += 1
        if parts:
            operators[_WRITTEN_OPERATOR.search(text) is not None] += 1
        if words != words.lower() and words.lower() in text.lower():
            lower[words not in text and words.lower() in text] += 1
    bullet = bullets.most_common(1)[0][0] if bullets else default.bullet
    lower_most, operators_most = (
        before if votes[True] == votes[False] else votes[True] > votes[False]
        for votes, before in ((lower, default.lower), (operators, default.operators))
    )
    return RowStyle(lower_most, operators_most, bullet)
