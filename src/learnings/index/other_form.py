"""An index that is not written in the form that is configured."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, counted
from learnings.index.comparison import Comparison
from learnings.index.headings import IndexedFile
from learnings.index.problems import MISSING_FILE, ROW_FORM, IndexProblem
from learnings.index.rows import Index, cells, hidden_lines, keys_of_cell

# Lines of the other form needed per row of the configured one. If both kinds are common, or only a
# few lines differ, the user decides.
_LINES_FOR_EACH = 2
# This many lines with the path of a file are a list of files, even if nothing lacks a row.
_LINES_OF_A_LIST = 3
# A path of a Markdown file within a line.
_PATH = lazy_pattern(
    # From the first character of a run on, so that a run of megabytes is scanned once.
    r"(?<![^\s`()\[\]<>|])[^\s`()\[\]<>|]+\.(?:md|markdown|mdx|mdc)\b",
    re.IGNORECASE,
)
# The marker of an item with a check box, or the number of a heading in words.
_ITEM_MARKER = lazy_pattern(rf"[ \t]*(?:{LIST_MARKER}[ \t]+)?(?:\[[ xX]\][ \t]+)?")
# Separators between a heading and its description: a dash, an arrow or a colon.
_HEADING_END = lazy_pattern(r"(?<![ \t])[ \t]+(?:[—–→-]|->|=>)(?=[ \t]|$)|:(?=[ \t]|\*|$)")


class OtherForm(NamedTuple):
    """The problem of an index in another form; rows are not added to a list (is_list)."""

    problem: IndexProblem
    is_list: bool


def other_form(
    index: Index,
    files: Sequence[IndexedFile],
    readings: Iterable[tuple[Index, Sequence[IndexedFile]]],
) -> OtherForm | None:
    """Return the problem with the form of the whole index, or None.

    The test: more than twice as many lines as there are rows name headings or files in another way.
    readings are the same file in other forms, each with its files; they are read if rows are few.
    """
    first, last = index.block or (0, len(index.lines) + 1)
    others = sum(bool(line.strip()) for line in index.lines[first : last - 1])
    plain = sum(row.plain and not row.fault for row in index.rows)
    if not index.block:
        others -= plain + sum(section.title is not None for section in index.sections)
    has_no_block = index.form.is_block and not (index.block or index.faults)
    if others <= _LINES_FOR_EACH * plain and not has_no_block:
        return None
    compared = Comparison(index, files)
    rows = sum(match.problem != ROW_FORM for match in compared.matches)
    least = max(1, _LINES_FOR_EACH * rows + 1)
    named = [(_lines_of_rows(*reading), reading[0].form) for reading in readings]
    lines, form = max(named, key=lambda pair: len(pair[0]), default=((), index.form))
    if len(lines) >= least:
        why = f"this index is written as {form.looks}, with {counted(len(lines), 'row')}, but "
        what = f'index-form is "{index.form.name}"; set index-form = "{form.name}"'
        problem = IndexProblem(ROW_FORM, index.path, lines[0], why + what, form.name)
        return OtherForm(problem, is_list=True)
    return _no_form(compared, least)


def _lines_of_rows(index: Index, files: Sequence[IndexedFile]) -> Sequence[int]:
    """Return the lines of rows that match something, or of all rows if no file exists."""
    matches = Comparison(index, files).matches
    if len(matches) > 1 and all(match.problem == MISSING_FILE for match in matches):
        return [match.row.line for match in matches]
    # Without table rows in sections that name no file: these cannot be moved.
    return [m.row.line for m in matches if m.heading and (m.path or m.row.table is None)]


def _no_form(compared: Comparison, least: int) -> OtherForm | None:
    index = compared.index
    if index.form.is_block:
        why = "this file has no index block, so it has no rows"
        return None if index.block or index.faults else _unlike(index, [1], why)
    paths = (index.resolve(path, compared.files) for path, _ in index.section_paths())
    has_sections = any(path in compared.files for path in paths)
    lines = dict(_unread(index))
    missing = {heading.key for heading in compared.missing}
    names = {number for number, text in lines.items() if not missing.isdisjoint(_keys_in(text))}
    listed = set() if has_sections else {n for n, text in lines.items() if _PATH.search(text)}
    if len(names) >= least or (least == 1 and len(names | listed) >= _LINES_OF_A_LIST):
        return _unlike(index, names | listed, "these lines are not rows of the index", is_list=True)
    if least > 1 or has_sections or not lines or len(compared.missing) <= 1:
        return None
    number = counted(len(compared.missing), "heading")
    why = f"no line of this index is a row, and {number} of its files need rows"
    return _unlike(index, lines, why)


def _unlike(index: Index, lines: Collection[int], why: str, *, is_list: bool = False) -> OtherForm:
    form = index.form
    message = f'{why}; with index-form = "{form.name}" write {form.example}'
    return OtherForm(IndexProblem(ROW_FORM, index.path, min(lines), message, form.name), is_list)


def _unread(index: Index) -> Iterator[tuple[int, str]]:
    skipped = hidden_lines(blocks_of(index.to_bytes()))
    skipped |= {row.line for row in index.rows if row.plain}
    for number, line in enumerate(index.lines, start=1):
        if number not in skipped and any(map(str.isalnum, line)):
            yield number, chomp(line)


def _keys_in(text: str) -> Iterator[str]:
    marker = _ITEM_MARKER.match(text)
    words = text[marker.end() :] if marker else text
    end = _HEADING_END.search(words)
    for part in (words, words[: end.start()] if end else "", *cells(text)):
        yield from keys_of_cell(part)
        yield from keys_of_cell(part.strip("*_ \t:"))
