"""Problems between a memory index and the files that it lists, with their messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.findings.finding import quoted
from learnings.core.text import counted
from learnings.index.headings import HeadingKind, IndexedFile, RowTarget
from learnings.index.index_file import MemoryIndex
from learnings.index.matching import Pairs, match_rows, pairs_of
from learnings.index.rows import IndexRow, Match, MatchStatus, RowMatch

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
    if index.form.has_unique_headings:
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
