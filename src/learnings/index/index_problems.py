"""Problems between a memory index, or one in another form, and the files that it lists."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, counted
from learnings.index.headings import HeadingKind, IndexedFile, RowTarget
from learnings.index.index_file import (
    IndexRow,
    Match,
    MatchStatus,
    MemoryIndex,
    RowMatch,
    hidden_lines,
)
from learnings.index.matching import Pairs, match_rows, pairs_of
from learnings.index.row_reading import cells, keys_of_cell

# Kinds of problems; each has its own rule.
ORPHAN_ROW = "orphan-row"
MISSING_ROW = "missing-row"
DUPLICATE_ROW = "duplicate-row"
COLLISION = "collision"
AMBIGUOUS_HEADING = "ambiguous-heading"
ROW_FORM = "row-form"
WRONG_SECTION = "wrong-section"
STRUCTURAL_ROW = "structural-row"
MISSING_FILE = "missing-file"
STALE_LINE_NUMBER = "stale-line-number"
ORDER = "order"
HOOK_DIFFERS = "hook-differs"


class IndexProblem(NamedTuple):
    """One problem in the file at path.

    kind is one of the constants above; line is 1-based; message says what is wrong and what to do.
    subject is the text that the problem is about, which stays the same when lines move.
    index_fixes.with_fixes() sets is_fixable, and is_renamed if the fix gives a row the new words of
    its heading. in_block: the index is a block, which is rewritten as a whole. is_notice: the
    problem is no error here.
    """

    kind: str
    path: str
    line: int
    message: str
    subject: str = ""
    is_fixable: bool = False
    is_renamed: bool = False
    in_block: bool = False
    is_notice: bool = False


def is_without_file(row_match: RowMatch, matched: Match) -> bool:
    """Return True for a row of a heading if its section names no file, or a missing file.

    Every other row in a wrong section is a problem of its own.
    """
    is_sections = row_match.row.reading.path is None  # the path does not come from the row itself
    is_gone = row_match.status is MatchStatus.OTHER_FILE and row_match.path in matched.absent
    return row_match.status is MatchStatus.NO_FILE or (is_sections and is_gone)


def subject_of_section(index: MemoryIndex, row: IndexRow) -> str:
    """Return the subject of a section's problem: its heading, empty above the first one."""
    section = index.section_at(row.line)
    return "" if section.title is None else index.content(section.first)


def _problems_of_sections(index: MemoryIndex, matched: Match) -> Iterator[IndexProblem]:
    """Yield the problem of each section without a file that has rows for headings."""
    sections: defaultdict[int, list[RowMatch]] = defaultdict(list)
    for row_match in matched.row_matches:
        if is_without_file(row_match, matched):
            sections[index.section_at(row_match.row.line).first].append(row_match)
    for first, row_matches in sections.items():
        section, row = index.section_at(first), row_matches[0].row
        # A missing file is a problem of its own, on the heading.
        is_at_heading = section.title is not None and row_matches[0].status is MatchStatus.NO_FILE
        line = first if is_at_heading else row.line
        paths = list(dict.fromkeys(m.target.file.path for m in row_matches if m.target))
        others = f" and {counted(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
        verb = "stands" if len(row_matches) == 1 else "stand"
        where = "above the first heading"
        if section.title is not None:
            lacks = "which names no file" if is_at_heading else "whose file does not exist"
            where = f"in this section, {lacks}"
        message = (
            f"{counted(len(row_matches), 'row')} for {quoted(paths[0])}{others} {verb} {where}; "
            "a row belongs below a heading that is the path of its file"
        )
        subject = subject_of_section(index, row)
        yield IndexProblem(WRONG_SECTION, index.path, line, message, subject)


_NO_TABLE = (
    "the index block is not a table of entries, such as | Date | Entry |; delete the text between "
    "its markers, then run `learnings fix` to write one"
)


def problems_of(
    index: MemoryIndex, files: Sequence[IndexedFile], *, fuzzy: float | None = None
) -> Iterator[IndexProblem]:
    """Yield all problems, in no particular order.

    files are all files that must have rows and exist: the configured ones and those that a section
    or row of the index names (see MemoryIndex.named_paths). For an index block it is the file
    itself, given by headings.entries_of(). fuzzy is described at matching.match_rows().
    """
    for line, reason in blockers(index, files):
        yield IndexProblem(ROW_FORM, index.path, line, reason, index.content(line))
    matched = match_rows(index, files, fuzzy=fuzzy)
    pairs = pairs_of(matched)
    for row_match in matched.row_matches:
        if found := _problem_of_row(row_match, matched, pairs):
            yield _at_row(index, row_match.row, *found)
        yield from _stale_pointers(row_match, index)
    yield from _problems_of_sections(index, matched)
    for path, lines in matched.absent.items():
        missing = [m for m in matched.row_matches if m.status is MatchStatus.FILE_MISSING]
        rows = sum(row_match.path == path for row_match in missing)
        which = f" (it has {counted(rows, 'row')})" if rows else ""
        message = f"the file {quoted(path)} does not exist{which}; correct the path, or remove this"
        yield IndexProblem(MISSING_FILE, index.path, lines[0], message, path)
    if not blockers(index, files):
        yield from (_missing_row(target, index, matched, pairs) for target in matched.missing)
    yield from _order_problems(index, matched)
    if index.form.has_sections:  # then rows name headings by words alone
        yield from _ambiguous_headings(files)


def blockers(index: MemoryIndex, files: Sequence[IndexedFile]) -> tuple[tuple[int, str], ...]:
    """Return the lines that prevent a rewrite of an index block, each with the reason."""
    if index.block is None:
        return index.faults
    first, last = index.block
    reason = "an entry is inside the index block, and a rebuild would delete it; move it out"
    entries = next((file.headings for file in files if file.path == index.path), ())
    inside = {heading.line: reason for heading in entries if first < heading.line < last}
    reasons = inside | dict(index.faults)
    if not reasons and not index.is_block_readable:
        return ((first, _NO_TABLE),)
    return tuple(sorted(reasons.items()))


def _problem_of_row(row_match: RowMatch, matched: Match, pairs: Pairs) -> tuple[str, str] | None:
    row, path, target = row_match.row, row_match.path, row_match.target
    if row_match.status is MatchStatus.UNREADABLE:
        return ROW_FORM, row.reading.fault or ""
    if row_match.status is MatchStatus.ORPHAN:
        message = f"{quoted(path)} has no heading {quoted(row.reading.keys[-1])}"
        meant, advice = pairs.heading_of.get(row.line), "correct the row, or remove it"
        if meant is not None:
            heading = f"{quoted(meant.title)} on line {meant.line}"
            advice = f"did you mean {heading}, which has no row?"
        return ORPHAN_ROW, f"{message}; {advice}"
    is_right = row_match.status in (MatchStatus.MATCHED, MatchStatus.FUZZY)
    if target is None or is_right or is_without_file(row_match, matched):
        return None
    title, rival = quoted(target.title), row_match.rival or row
    if row_match.status is MatchStatus.STRUCTURAL:
        where = f"{title} on line {target.line} of {quoted(path)}"
        return STRUCTURAL_ROW, f"{where} is structural and needs no row; remove the row"
    if row_match.status is MatchStatus.OTHER_FILE:
        where = f"the heading {title} is in {quoted(target.file.path)}, not in {quoted(path)}"
        return WRONG_SECTION, f"{where}; move the row to the section of that file"
    kind, message = DUPLICATE_ROW, f"{quoted(row.text)} repeats the row on line {rival.line}"
    if row_match.status is MatchStatus.COLLISION:
        rows = f"this row and the row on line {rival.line}"
        kind, message = COLLISION, f"{rows} both match the heading {title}"
    return kind, f"{message}; keep one"


def _at_row(index: MemoryIndex, row: IndexRow, kind: str, message: str) -> IndexProblem:
    return IndexProblem(kind, index.path, row.line, message, row.text)


def _missing_row(
    target: RowTarget, index: MemoryIndex, matched: Match, pairs: Pairs
) -> IndexProblem:
    similar = matched.similar.get(target.location) or pairs.row_of.get(target.location)
    advice = "add one"
    if similar is not None:
        advice = f"did you mean the row on line {similar.line}, {quoted(similar.text)}?"
    noun = "heading" if target.heading else "file"
    message = f"the {noun} {quoted(target.title)} has no row in {quoted(index.path)}; {advice}"
    return IndexProblem(MISSING_ROW, target.file.path, max(target.line, 1), message, target.title)


def _stale_pointers(row_match: RowMatch, index: MemoryIndex) -> Iterator[IndexProblem]:
    """Yield the first line number in a row that points elsewhere than to its heading."""
    heading, path = row_match.target.heading if row_match.target else None, row_match.path
    if row_match.status is not MatchStatus.MATCHED or heading is None:
        return
    for pointer in row_match.row.reading.pointers:
        if pointer.path is not None and index.resolve(pointer.path, (path,)) != path:
            continue
        where = f"{quoted(heading.title)} is on line {heading.line}"
        if pointer.first != heading.line:
            where += f" of {quoted(path)}, not on line {pointer.first}"
        elif not pointer.first <= pointer.last <= heading.last:
            where += f" and ends on line {heading.last} of {quoted(path)}"
        else:
            continue
        yield _at_row(index, row_match.row, STALE_LINE_NUMBER, f"{where}; correct the number")
        return


def _order_problems(index: MemoryIndex, matched: Match) -> Iterator[IndexProblem]:
    for group in matched.groups():
        own = [row_match for row_match in group if row_match.status is MatchStatus.MATCHED]
        for above, row_match in pairwise(own):
            if row_match.line < above.line:
                rows = f"the rows of {quoted(row_match.path)}"
                message = f"{rows} are not in the order of its headings; reorder them"
                yield _at_row(index, row_match.row, ORDER, message)
                break


def _ambiguous_headings(files: Sequence[IndexedFile]) -> Iterator[IndexProblem]:
    targets: defaultdict[str, list[RowTarget]] = defaultdict(list)
    for file in files:
        for heading in file.headings:
            if heading.kind is HeadingKind.SEMANTIC:
                targets[heading.key].append(RowTarget(file, heading))
    for first, *repeated in targets.values():
        for target in repeated:
            path, line = target.location
            of_file = "" if path == first.file.path else f" of {quoted(first.file.path)}"
            where = f"on line {first.line}{of_file}"
            message = f"{quoted(target.title)} is also a heading {where}; reword one of the two"
            yield IndexProblem(AMBIGUOUS_HEADING, path, line, message, target.title)


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
    is_without_block = index.form.lists_itself and not index.faults
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
    if index.form.lists_itself:
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
