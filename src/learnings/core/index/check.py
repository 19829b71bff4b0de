"""What is wrong between a memory index and the files that it lists: problems as values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from learnings.core.findings.finding import Severity, counted, quoted
from learnings.core.index.files import IndexedFile, IndexedHeading, Kind
from learnings.core.index.forms import ARROW, BLOCK, Pointer
from learnings.core.index.match import Fate, Match, Placement, Target, match
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

SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        ORPHAN_ROW: Severity.ERROR,
        MISSING_ROW: Severity.ERROR,
        DUPLICATE_ROW: Severity.ERROR,
        COLLISION: Severity.ERROR,
        AMBIGUOUS_HEADING: Severity.ERROR,
        ROW_FORM: Severity.ERROR,
        WRONG_SECTION: Severity.ERROR,
        STRUCTURAL_ROW: Severity.ERROR,
        MISSING_FILE: Severity.ERROR,
        STALE_LINE_NUMBER: Severity.ERROR,
        ORDER: Severity.NOTICE,
    }
)


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
    for placement in matched.placements:
        told = _about_row(placement)
        if told is not None:
            yield _at_row(told[0], index, placement.row, told[1])
        yield from _stale(placement, index)
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


def _about_row(placement: Placement) -> tuple[str, str] | None:
    """Return the kind and the message of what is wrong with a row, None for nothing."""
    row, path, target = placement.row, quoted(placement.path), placement.target
    if placement.fate is Fate.UNREADABLE:
        return ROW_FORM, row.reading.fault or ""
    if placement.fate is Fate.ORPHAN:
        return ORPHAN_ROW, f"no heading of {path} reads {quoted(row.reading.keys[-1])}"
    if target is None or placement.fate in (Fate.PLACED, Fate.NEAR):
        return None
    title = _titled(target)
    if placement.fate is Fate.STRUCTURAL:
        where = f"{title} in line {target.line} of {path}"
        return STRUCTURAL_ROW, f"{where} is structural and has no row; remove the row"
    if placement.fate is Fate.ELSEWHERE:
        home = quoted(target.file.path)
        return WRONG_SECTION, f"the heading {title} is in {home}, not in {path}"
    return _about_rivals(placement, title)


def _about_rivals(placement: Placement, title: str) -> tuple[str, str]:
    """Return the same for a row whose heading has another row."""
    there = f"the row in line {placement.rival.line if placement.rival else 0}"
    if placement.fate is Fate.COLLISION:
        return COLLISION, f"this row and {there} both come to the heading {title}; keep one"
    return DUPLICATE_ROW, f"{quoted(placement.row.text)} repeats {there}; keep one"


def _at_row(kind: str, index: IndexFile, row: Row, message: str) -> Problem:
    return Problem(kind, index.path, row.line, 1, message, row.text)


def _titled(target: Target) -> str:
    return quoted(target.title)


def _missing_file(path: str, lines: Sequence[int], index: IndexFile, matched: Match) -> Problem:
    rows = sum(each.path == path and each.fate is Fate.HOMELESS for each in matched.placements)
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


def _stale(placement: Placement, index: IndexFile) -> Iterator[Problem]:
    heading = placement.target.heading if placement.target else None
    if placement.fate is not Fate.PLACED or heading is None:
        return
    for pointer in placement.row.reading.pointers:
        if _is_about(pointer, placement.path, index) and not _is_right(pointer, heading):
            where = f"{quoted(heading.title)} is in line {heading.line}"
            message = f"{where} of {quoted(placement.path)}, not in line {pointer.first}"
            if pointer.first == heading.line:
                message = f"{where} to {heading.last} of {quoted(placement.path)}, not further"
            yield _at_row(STALE_LINE_NUMBER, index, placement.row, message)
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
        group = [each for each in rows if each.fate is Fate.PLACED]
        lines = [placement.target.line if placement.target else 0 for placement in group]
        for above, line, placement in zip(lines, lines[1:], group[1:], strict=False):
            if line < above:
                message = (
                    f"the rows of {quoted(placement.path)} are not in the order of its headings"
                )
                yield _at_row(ORDER, index, placement.row, message)
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
