"""What is wrong between a memory index and the files that it lists, as values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.index.headings import HeadingKind, IndexedFile, IndexedHeading, RowTarget
from learnings.index.index_file import MemoryIndex
from learnings.index.matching import Pairs, match_rows, pairs_of
from learnings.index.row_reading import Pointer
from learnings.index.rows import IndexRow, Match, MatchStatus, RowMatch

# What can be wrong; each kind has a rule of its own, which finds the words for it.
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


class Unreadable(NamedTuple):
    """A row, or a line of an index block, that cannot be read; reason is a clause."""

    reason: str


class OrphanRow(NamedTuple):
    """A row with a key that no heading of its file has; meant is a similar one without a row."""

    path: str
    key: str
    meant: RowTarget | None


class StructuralRow(NamedTuple):
    """A row of a heading that is structural."""

    path: str
    target: RowTarget


class MisplacedRow(NamedTuple):
    """A row in the section of a file that its heading is not in."""

    path: str
    target: RowTarget


class MisplacedRows(NamedTuple):
    """Rows of headings in a section without a file, or above the first heading.

    files are those of the headings; is_file_missing says that the section names one that is gone.
    """

    rows: int
    files: tuple[str, ...]
    is_in_section: bool
    is_file_missing: bool


class RepeatedRow(NamedTuple):
    """A row of a heading that the row rival has already."""

    row: IndexRow
    rival: IndexRow


class CollidingRow(NamedTuple):
    """A row that is similar to a heading that the row rival has."""

    target: RowTarget
    rival: IndexRow


class AbsentFile(NamedTuple):
    """A file that the index names and that is not there, with the number of its rows.

    meant is the link to write instead, empty where that is not known.
    """

    path: str
    rows: int
    meant: str = ""


class MissingRow(NamedTuple):
    """A heading, or a file, without a row in an index; similar is a row perhaps meant for it."""

    target: RowTarget
    index_path: str
    similar: IndexRow | None


class StalePointer(NamedTuple):
    """A row that points at other lines of a file than those of its heading."""

    path: str
    heading: IndexedHeading
    pointer: Pointer


class UnorderedRows(NamedTuple):
    """Rows of a file in another order than its headings."""

    path: str


class RepeatedHeading(NamedTuple):
    """A heading whose key an earlier one has."""

    target: RowTarget
    first: RowTarget


class RepeatedLink(NamedTuple):
    """A row of a file that an earlier row leads to as well."""

    path: str
    line: int


class UnlistedFile(NamedTuple):
    """A file of a memory folder that its index does not name; row is the one to add."""

    path: str
    index_path: str
    row: str


class HookDiffers(NamedTuple):
    """A row that has no word in common with the title and description of its file."""

    path: str
    hook: str
    description: str


class OtherFormUsed(NamedTuple):
    """An index that is written in another form than the configured one, with so many rows.

    looks says what an index in that form is.
    """

    configured: str
    written: str
    looks: str
    rows: int


class NoRows(NamedTuple):
    """An index without rows in the configured form; example shows one.

    is_block_missing is True for a generated form. In others, headings is the number of headings
    without a row, None where the lines of the index are a list in no known form.
    """

    configured: str
    example: str
    is_block_missing: bool
    headings: int | None = None


Fault = (
    Unreadable
    | OrphanRow
    | StructuralRow
    | MisplacedRow
    | MisplacedRows
    | RepeatedRow
    | CollidingRow
    | AbsentFile
    | MissingRow
    | StalePointer
    | UnorderedRows
    | RepeatedHeading
    | RepeatedLink
    | UnlistedFile
    | HookDiffers
    | OtherFormUsed
    | NoRows
)


class IndexProblem(NamedTuple):
    """One thing that is wrong in the file at path.

    kind is one of the constants above; line is 1-based; subject is the text that the problem is
    about, which stays the same when lines move. is_fixable is set by index_fixes.with_fixes(), and
    so is is_renamed, if the fix gives a row the new words of its heading; in_block says that the
    index is a block, which is written anew as a whole. is_notice says that it is no error here.
    """

    kind: str
    path: str
    line: int
    fault: Fault
    subject: str = ""
    is_fixable: bool = False
    is_renamed: bool = False
    in_block: bool = False
    is_notice: bool = False


def is_without_file(row_match: RowMatch, matched: Match) -> bool:
    """Return True for a row of a heading in a section that names no file, or one that is gone.

    Other rows in a wrong section are a problem each.
    """
    is_sections = row_match.row.reading.path is None  # not the path of the row itself
    is_gone = row_match.status is MatchStatus.OTHER_FILE and row_match.path in matched.absent
    return row_match.status is MatchStatus.NO_FILE or (is_sections and is_gone)


def subject_of_section(index: MemoryIndex, row: IndexRow) -> str:
    """Return the subject of the problem of a row's section: its heading, empty above the first."""
    section = index.section_at(row.line)
    return "" if section.title is None else index.content(section.first)


def problems_of_sections(index: MemoryIndex, matched: Match) -> Iterator[IndexProblem]:
    """Give the problem of each section without a file that has rows for headings."""
    sections: defaultdict[int, list[RowMatch]] = defaultdict(list)
    for row_match in matched.row_matches:
        if is_without_file(row_match, matched):
            sections[index.section_at(row_match.row.line).first].append(row_match)
    for first, row_matches in sections.items():
        section, row = index.section_at(first), row_matches[0].row
        # That a file is gone is a problem of its own, at the heading.
        is_at_heading = section.title is not None and row_matches[0].status is MatchStatus.NO_FILE
        line = first if is_at_heading else row.line
        files = dict.fromkeys(m.target.file.path for m in row_matches if m.target)
        fault = MisplacedRows(
            len(row_matches),
            tuple(files),
            is_in_section=section.title is not None,
            is_file_missing=row_matches[0].status is not MatchStatus.NO_FILE,
        )
        subject = subject_of_section(index, row)
        yield IndexProblem(WRONG_SECTION, index.path, line, fault, subject)


_NO_TABLE = (
    "the index block is no table of entries, such as | Date | Entry |; remove what is between its "
    "markers, and `learnings fix` writes one"
)


def problems_of(
    index: MemoryIndex, files: Sequence[IndexedFile], *, fuzzy: float | None = None
) -> Iterator[IndexProblem]:
    """Give what is wrong, in no particular order.

    files are all files that must have rows and exist: those configured and those that a section
    or a row of the index names (see MemoryIndex.named_paths); for an index block the file itself,
    given by headings.entries_of(). fuzzy is described at matching.match_rows().
    """
    for line, reason in blockers(index, files):
        yield IndexProblem(ROW_FORM, index.path, line, Unreadable(reason), index.content(line))
    matched = match_rows(index, files, fuzzy=fuzzy)
    pairs = pairs_of(matched)
    for row_match in matched.row_matches:
        if (found := _fault_of_row(row_match, matched, pairs)) is not None:
            kind, fault = found
            yield _at_row(kind, index, row_match.row, fault)
        yield from _stale_pointers(row_match, index)
    yield from problems_of_sections(index, matched)
    for path, lines in matched.absent.items():
        yield _missing_file(path, lines, index, matched)
    if not blockers(index, files):
        yield from (_missing_row(target, index, matched, pairs) for target in matched.missing)
    yield from _order_problems(index, matched)
    if index.form.has_unique_headings:
        yield from _ambiguous_headings(files)


def blockers(index: MemoryIndex, files: Sequence[IndexedFile]) -> tuple[tuple[int, str], ...]:
    """Return the lines that forbid to rewrite an index block, each with the reason."""
    if index.block is None:
        return index.faults
    first, last = index.block
    reason = "an entry inside the index block, which a rebuild would delete; move it out"
    entries = next((file.headings for file in files if file.path == index.path), ())
    inside = {heading.line: reason for heading in entries if first < heading.line < last}
    reasons = inside | dict(index.faults)
    if not reasons and not index.is_block_readable:
        return ((first, _NO_TABLE),)
    return tuple(sorted(reasons.items()))


def _fault_of_row(row_match: RowMatch, matched: Match, pairs: Pairs) -> tuple[str, Fault] | None:
    """Return what is wrong with a row itself, behind its kind; None for nothing."""
    row, path, target = row_match.row, row_match.path, row_match.target
    if row_match.status is MatchStatus.UNREADABLE:
        return ROW_FORM, Unreadable(row.reading.fault or "")
    if row_match.status is MatchStatus.ORPHAN:
        return ORPHAN_ROW, OrphanRow(path, row.reading.keys[-1], pairs.heading_of.get(row.line))
    is_right = row_match.status in (MatchStatus.MATCHED, MatchStatus.FUZZY)
    if target is None or is_right or is_without_file(row_match, matched):
        return None
    if row_match.status is MatchStatus.STRUCTURAL:
        return STRUCTURAL_ROW, StructuralRow(path, target)
    if row_match.status is MatchStatus.OTHER_FILE:
        return WRONG_SECTION, MisplacedRow(path, target)
    return _fault_of_rival(row_match, target)


def _fault_of_rival(row_match: RowMatch, target: RowTarget) -> tuple[str, Fault]:
    """Return the same for a row whose heading has a row already."""
    rival = row_match.rival or row_match.row
    if row_match.status is MatchStatus.COLLISION:
        return COLLISION, CollidingRow(target, rival)
    return DUPLICATE_ROW, RepeatedRow(row_match.row, rival)


def _at_row(kind: str, index: MemoryIndex, row: IndexRow, fault: Fault) -> IndexProblem:
    return IndexProblem(kind, index.path, row.line, fault, row.text)


def _missing_file(
    path: str, lines: Sequence[int], index: MemoryIndex, matched: Match
) -> IndexProblem:
    rows = sum(
        row_match.path == path and row_match.status is MatchStatus.FILE_MISSING
        for row_match in matched.row_matches
    )
    return IndexProblem(MISSING_FILE, index.path, lines[0], AbsentFile(path, rows), path)


def _missing_row(
    target: RowTarget, index: MemoryIndex, matched: Match, pairs: Pairs
) -> IndexProblem:
    similar = matched.similar.get(target.location) or pairs.row_of.get(target.location)
    fault = MissingRow(target, index.path, similar)
    return IndexProblem(MISSING_ROW, target.file.path, max(target.line, 1), fault, target.title)


def _stale_pointers(row_match: RowMatch, index: MemoryIndex) -> Iterator[IndexProblem]:
    heading = row_match.target.heading if row_match.target else None
    if row_match.status is not MatchStatus.MATCHED or heading is None:
        return
    for pointer in row_match.row.reading.pointers:
        if _is_about(pointer, row_match.path, index) and not _is_right_pointer(pointer, heading):
            fault = StalePointer(row_match.path, heading, pointer)
            yield _at_row(STALE_LINE_NUMBER, index, row_match.row, fault)
            return


def _is_about(pointer: Pointer, path: str, index: MemoryIndex) -> bool:
    """Return True if a pointer leads into the file of its row."""
    return pointer.path is None or index.resolve(pointer.path, (path,)) == path


def _is_right_pointer(pointer: Pointer, heading: IndexedHeading) -> bool:
    """Return True if a pointer begins at the heading and ends within its section."""
    return pointer.first == heading.line and pointer.first <= pointer.last <= heading.last


def _order_problems(index: MemoryIndex, matched: Match) -> Iterator[IndexProblem]:
    """Give one problem per group of rows: at the first that stands below a later heading's row."""
    for group in matched.groups():
        rows = [row_match for row_match in group if row_match.status is MatchStatus.MATCHED]
        for above, row_match in pairwise(rows):
            if row_match.line < above.line:
                yield _at_row(ORDER, index, row_match.row, UnorderedRows(row_match.path))
                break


def _ambiguous_headings(files: Sequence[IndexedFile]) -> Iterator[IndexProblem]:
    """Give a problem at each heading whose key a heading before it has."""
    targets: defaultdict[str, list[RowTarget]] = defaultdict(list)
    for file in files:
        for heading in file.headings:
            if heading.kind is HeadingKind.SEMANTIC:
                targets[heading.key].append(RowTarget(file, heading))
    for first, *repeated in targets.values():
        for target in repeated:
            path, line = target.location
            fault = RepeatedHeading(target, first)
            yield IndexProblem(AMBIGUOUS_HEADING, path, line, fault, target.title)
