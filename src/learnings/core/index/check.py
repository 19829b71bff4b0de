"""What is wrong between a memory index and the files that it lists: problems as values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from learnings.core.findings.finding import counted, quoted
from learnings.core.index.files import IndexedFile, IndexedHeading, Kind
from learnings.core.index.forms import ARROW, BLOCK, Pointer
from learnings.core.index.match import Match, MatchStatus, RowMatch, Target, match
from learnings.core.index.model import IndexFile, Row
from learnings.core.index.problem import Problem

ORPHAN_ROW = "index-orphan-row"
MISSING_ROW = "index-missing-row"
DUPLICATE_ROW = "index-duplicate-row"
COLLISION = "index-collision"
AMBIGUOUS_HEADING = "index-ambiguous-heading"
ROW_FORM = "index-row-form"
WRONG_SECTION = "index-wrong-section"
STRUCTURAL_ROW = "index-structural-row"
MISSING_FILE = "index-missing-file"
STALE_LINE_NUMBER = "index-stale-line-number"
ORDER = "index-order"


def problems(
    index: IndexFile, files: Sequence[IndexedFile], *, fuzzy: float | None = None
) -> Iterator[Problem]:
    """Give what is wrong, in no particular order.

    files are all files that must have rows and exist: those configured and those that a section
    or a row of the index names (see IndexFile.places); for an index block the file itself, given
    by index_files.entries_of(). fuzzy is described at index_match.match().
    """
    for line, reason in blockers(index, files):
        yield Problem(ROW_FORM, index.path, line, 1, reason, index.content(line))
    matched = match(index, files, fuzzy=fuzzy)
    for row_match in matched.row_matches:
        told = _about_row(row_match)
        if told is not None:
            yield _at_row(told[0], index, row_match.row, told[1])
        yield from _stale(row_match, index)
    for path, lines in matched.absent.items():
        yield _missing_file(path, lines, index, matched)
    if not blockers(index, files):
        yield from (_missing_row(target, index, matched) for target in matched.missing)
    yield from _order(index, matched)
    if index.form not in (ARROW, BLOCK):
        yield from _ambiguous(files)


def blockers(index: IndexFile, files: Sequence[IndexedFile]) -> tuple[tuple[int, str], ...]:
    """Return the lines that forbid to rewrite an index block, each with the reason."""
    if index.block is None:
        return index.faults
    first, last = index.block
    reason = "an entry inside the index block, which a rebuild would delete; move it out"
    own = next((file.headings for file in files if file.path == index.path), ())
    inside = {heading.line: reason for heading in own if first < heading.line < last}
    return tuple(sorted((inside | dict(index.faults)).items()))


def _about_row(row_match: RowMatch) -> tuple[str, str] | None:
    """Return the kind and the message of what is wrong with a row, None for nothing."""
    row, path, target = row_match.row, quoted(row_match.path), row_match.target
    if row_match.status is MatchStatus.UNREADABLE:
        return ROW_FORM, row.reading.fault or ""
    if row_match.status is MatchStatus.ORPHAN:
        return ORPHAN_ROW, f"no heading of {path} reads {quoted(row.reading.keys[-1])}"
    if target is None or row_match.status in (MatchStatus.PLACED, MatchStatus.FUZZY):
        return None
    title = _titled(target)
    if row_match.status is MatchStatus.STRUCTURAL:
        where = f"{title} in line {target.line} of {path}"
        return STRUCTURAL_ROW, f"{where} is structural and has no row; remove the row"
    if row_match.status is MatchStatus.ELSEWHERE:
        home = quoted(target.file.path)
        return WRONG_SECTION, f"the heading {title} is in {home}, not in {path}"
    return _about_rivals(row_match, title)


def _about_rivals(row_match: RowMatch, title: str) -> tuple[str, str]:
    """Return the same for a row whose heading has another row."""
    there = f"the row in line {row_match.rival.line if row_match.rival else 0}"
    if row_match.status is MatchStatus.COLLISION:
        return COLLISION, f"this row and {there} both come to the heading {title}; keep one"
    return DUPLICATE_ROW, f"{quoted(row_match.row.text)} repeats {there}; keep one"


def _at_row(kind: str, index: IndexFile, row: Row, message: str) -> Problem:
    return Problem(kind, index.path, row.line, 1, message, row.text)


def _titled(target: Target) -> str:
    return quoted(target.title)


def _missing_file(path: str, lines: Sequence[int], index: IndexFile, matched: Match) -> Problem:
    rows = sum(
        each.path == path and each.status is MatchStatus.FILE_MISSING
        for each in matched.row_matches
    )
    which = f"; {counted(rows, 'row')} with it" if rows else ""
    message = f"there is no file {quoted(path)}{which}; name the right one, or remove this"
    return Problem(MISSING_FILE, index.path, lines[0], 1, message, path)


def _missing_row(target: Target, index: IndexFile, matched: Match) -> Problem:
    what = f"the heading {_titled(target)}" if target.heading else f"the file {_titled(target)}"
    message = f"{what} has no row in {quoted(index.path)}"
    near = matched.near.get(target.mark)
    if near is not None:
        message += f"; the row in line {near.line} comes near: {quoted(near.text)}"
    return Problem(MISSING_ROW, target.file.path, max(target.line, 1), 1, message, target.title)


def _stale(row_match: RowMatch, index: IndexFile) -> Iterator[Problem]:
    heading = row_match.target.heading if row_match.target else None
    if row_match.status is not MatchStatus.PLACED or heading is None:
        return
    for pointer in row_match.row.reading.pointers:
        if _is_about(pointer, row_match.path, index) and not _is_right(pointer, heading):
            where = f"{quoted(heading.title)} is in line {heading.line}"
            message = f"{where} of {quoted(row_match.path)}, not in line {pointer.first}"
            if pointer.first == heading.line:
                message = f"{where} to {heading.last} of {quoted(row_match.path)}, not further"
            yield _at_row(STALE_LINE_NUMBER, index, row_match.row, message)
            return


def _is_about(pointer: Pointer, path: str, index: IndexFile) -> bool:
    """Whether a pointer is one into the file of its row."""
    return pointer.path is None or index.resolved(pointer.path, (path,)) == path


def _is_right(pointer: Pointer, heading: IndexedHeading) -> bool:
    """Whether a pointer begins at the heading and ends within its section."""
    return pointer.first == heading.line and pointer.first <= pointer.last <= heading.last


def _order(index: IndexFile, matched: Match) -> Iterator[Problem]:
    """Give one problem per group of rows: at the first that stands below a later heading's row."""
    for rows in matched.groups():
        group = [each for each in rows if each.status is MatchStatus.PLACED]
        lines = [row_match.target.line if row_match.target else 0 for row_match in group]
        for above, line, row_match in zip(lines, lines[1:], group[1:], strict=False):
            if line < above:
                message = (
                    f"the rows of {quoted(row_match.path)} are not in the order of its headings"
                )
                yield _at_row(ORDER, index, row_match.row, message)
                break


def _ambiguous(files: Sequence[IndexedFile]) -> Iterator[Problem]:
    """Give a problem at each heading whose key a heading before it has."""
    found: defaultdict[str, list[Target]] = defaultdict(list)
    for file in files:
        for heading in file.headings:
            if heading.kind is Kind.SEMANTIC:
                found[heading.key].append(Target(file, heading))
    for first, *others in found.values():
        for target in others:
            same = target.file.path == first.file.path
            where = (
                f"line {first.line}" if same else f"line {first.line} of {quoted(first.file.path)}"
            )
            message = f"{_titled(target)} is a heading in {where} as well; reword one of the two"
            title = target.heading.title if target.heading else ""
            yield Problem(AMBIGUOUS_HEADING, target.file.path, target.line, 1, message, title)
