"""An index that is not in the configured form: one problem for all of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, counted
from learnings.index.headings import HeadingKind, IndexedFile
from learnings.index.index_file import MemoryIndex
from learnings.index.index_problems import ROW_FORM, IndexProblem
from learnings.index.matching import match_rows
from learnings.index.row_reading import cells, keys_of_cell
from learnings.index.rows import Match, MatchStatus, hidden_lines

IndexReading = tuple[MemoryIndex, Sequence[IndexedFile]]
"""An index parsed in some form, with the files that it then lists."""

# Rows of the other form needed per row of the configured one. If both kinds are common, or only a
# few lines differ, the user decides.
_ROWS_FOR_EACH = 2
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
    """The problem of an index in another form; a list (is_list) gets none of our rows."""

    problem: IndexProblem
    is_list: bool


def may_be_other(index: MemoryIndex) -> bool:
    """Return True if most lines of an index, or of its block if it has one, are not rows."""
    plain = sum(row.reading.plain and row.reading.fault is None for row in index.rows)
    first, last = index.block or (0, len(index.lines) + 1)
    texts = sum(bool(line.strip()) for line in index.lines[first : last - 1])
    if index.block is not None:
        return texts > _ROWS_FOR_EACH * plain
    headings = sum(section.title is not None for section in index.sections)
    is_without_block = index.form.is_generated and not index.faults
    return is_without_block or texts - headings - plain > _ROWS_FOR_EACH * plain


def other_form(
    index: MemoryIndex, files: Sequence[IndexedFile], candidates: Iterable[IndexReading]
) -> OtherForm | None:
    """Return the problem with the form of the whole index, or None.

    candidates are the readings of the same file in the other forms.
    """
    matched = match_rows(index, files)
    rows = sum(m.status is not MatchStatus.UNREADABLE for m in matched.row_matches)
    least = max(1, _ROWS_FOR_EACH * rows + 1)
    counts = [(_rows_in(candidate), candidate[0]) for candidate in candidates]
    count, other = max(counts, key=lambda pair: pair[0], default=(0, index))
    if count >= least:
        line = next(row.line for row in other.rows if row.reading.fault is None)
        message = (
            f"this index is written as {other.form.looks}, with {counted(count, 'row')}, but "
            f'index-form is "{index.form.name}"; set index-form = "{other.form.name}"'
        )
        problem = IndexProblem(ROW_FORM, index.path, line, message, other.form.name)
        return OtherForm(problem, is_list=True)
    return _problem_of_no_form(index, files, matched, least)


def _rows_in(candidate: IndexReading) -> int:
    """Count the rows that match something, or all rows if no file exists.

    In a section that names no file, only rows that a fix can move count.
    """
    index, files = candidate
    row_matches = match_rows(index, files).row_matches
    if len(row_matches) > 1 and all(m.status is MatchStatus.FILE_MISSING for m in row_matches):
        return len(row_matches)
    meaning = [row_match for row_match in row_matches if row_match.target is not None]
    return sum(index.form.moves_rows or row_match.path != "" for row_match in meaning)


def _problem_of_no_form(
    index: MemoryIndex, files: Sequence[IndexedFile], matched: Match, least: int
) -> OtherForm | None:
    if index.form.is_generated:
        if index.block is not None or index.faults:
            return None
        lacking = "this file has no index block, so it has no rows"
        return OtherForm(_form_problem(index, 1, lacking), is_list=False)
    known = {file.path for file in files}
    has_sections = any(index.resolve(path, known) in known for path, _ in index.section_paths())
    lines = dict(_unread(index))
    missing: set[str] = set()
    for target in matched.missing:
        by_key = target.file.by_key[HeadingKind.SEMANTIC]
        missing.update(by_key if target.heading is None else [target.heading.key])
    headings = {number for number, text in lines.items() if missing.intersection(_keys_in(text))}
    paths = set() if has_sections else {n for n, text in lines.items() if _PATH.search(text)}
    if len(headings) >= least or (least == 1 and len(headings | paths) >= _LINES_OF_A_LIST):
        problem = _form_problem(
            index, min(headings | paths), "these lines are not rows of the index"
        )
        return OtherForm(problem, is_list=True)
    if least > 1 or has_sections or not lines or len(matched.missing) <= 1:
        return None
    number = counted(len(matched.missing), "heading")
    lacking = f"no line of this index is a row, and {number} of its files need rows"
    return OtherForm(_form_problem(index, min(lines), lacking), is_list=False)


def _form_problem(index: MemoryIndex, line: int, lacking: str) -> IndexProblem:
    form = index.form
    message = f'{lacking}; with index-form = "{form.name}" write {form.example}'
    return IndexProblem(ROW_FORM, index.path, line, message, form.name)


def _unread(index: MemoryIndex) -> Iterator[tuple[int, str]]:
    skipped = hidden_lines(blocks_of(index.to_bytes()))
    skipped |= {row.line for row in index.rows if row.reading.plain}
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
