"""What is wrong between a memory index and the files that it lists, as values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.findings.finding import quoted
from learnings.core.findings.fixes import Fix
from learnings.core.text import counted
from learnings.index.headings import HeadingKind, IndexedFile, IndexedHeading, RowTarget
from learnings.index.index_file import MemoryIndex
from learnings.index.matching import Pairs, match_rows, pairs_of
from learnings.index.row_reading import Pointer
from learnings.index.rows import IndexRow, IndexSection, Match, MatchStatus, RowMatch

# Each is the id of the rule about it; the rule says how severe it is.
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


class IndexProblem(NamedTuple):
    """One thing that is wrong in the file at path.

    kind is one of the constants above. line and column are 1-based; message is one sentence on
    one line; subject is the text that the problem is about, which stays the same when lines move.
    fix is set by fixable.with_fixes().
    """

    kind: str
    path: str
    line: int
    column: int
    message: str
    subject: str = ""
    fix: Fix | None = None


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
        message = (
            f"{_row_words(row_matches)} {_where(section, row_matches[0])}; a row belongs below a "
            "heading that is the path of its file"
        )
        yield IndexProblem(
            WRONG_SECTION, index.path, line, 1, message, subject_of_section(index, row)
        )


def _row_words(row_matches: Sequence[RowMatch]) -> str:
    files = list(dict.fromkeys(m.target.file.path for m in row_matches if m.target))
    others = f" and {counted(len(files) - 1, 'other file')}" if len(files) > 1 else ""
    verb = "stands" if len(row_matches) == 1 else "stand"
    return f"{counted(len(row_matches), 'row')} for {quoted(files[0])}{others} {verb}"


def _where(section: IndexSection, row_match: RowMatch) -> str:
    if section.title is None:
        return "above the first heading"
    is_gone = row_match.status is not MatchStatus.NO_FILE
    return f"in this section, {'whose file is not there' if is_gone else 'which names no file'}"


_NO_TABLE = (
    "the index block is no table of entries, such as | Date | Entry |; remove what is between its "
    "markers, and `learnings fix` writes one"
)


def problems_of(
    index: MemoryIndex, files: Sequence[IndexedFile], *, fuzzy: float | None = None
) -> Iterator[IndexProblem]:
    """Give what is wrong, in no particular order.

    files are all files that must have rows and exist: those configured and those that a section
    or a row of the index names (see IndexFile.named_paths); for an index block the file itself,
    given by files.entries_of(). fuzzy is described at matching.match().
    """
    for line, reason in blockers(index, files):
        yield IndexProblem(ROW_FORM, index.path, line, 1, reason, index.content(line))
    matched = match_rows(index, files, fuzzy=fuzzy)
    pairs = pairs_of(matched)
    for row_match in matched.row_matches:
        if (fault := _fault_of_row(row_match, matched, pairs)) is not None:
            kind, message = fault
            yield _at_row(kind, index, row_match.row, message)
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


def _fault_of_row(row_match: RowMatch, matched: Match, pairs: Pairs) -> tuple[str, str] | None:
    """Return the kind and the message of what is wrong with a row itself, None for nothing."""
    row, path, target = row_match.row, quoted(row_match.path), row_match.target
    if row_match.status is MatchStatus.UNREADABLE:
        return ROW_FORM, row.reading.fault or ""
    if row_match.status is MatchStatus.ORPHAN:
        message = f"no heading of {path} reads {quoted(row.reading.keys[-1])}"
        return ORPHAN_ROW, message + _meant(pairs.heading_of.get(row.line))
    is_right = row_match.status in (MatchStatus.MATCHED, MatchStatus.FUZZY)
    if target is None or is_right or is_without_file(row_match, matched):
        return None
    title = quoted(target.title)
    if row_match.status is MatchStatus.STRUCTURAL:
        where = f"{title} in line {target.line} of {path}"
        return STRUCTURAL_ROW, f"{where} is structural and has no row; remove the row"
    if row_match.status is MatchStatus.OTHER_FILE:
        actual = quoted(target.file.path)
        where = f"the heading {title} is in {actual}, not in {path}"
        return WRONG_SECTION, f"{where}; move the row to the section of that file"
    return _fault_of_rival(row_match, title)


def _fault_of_rival(row_match: RowMatch, title: str) -> tuple[str, str]:
    """Return the same for a row whose heading has a row already."""
    rival = f"the row in line {row_match.rival.line if row_match.rival else 0}"
    if row_match.status is MatchStatus.COLLISION:
        return COLLISION, f"this row and {rival} both come to the heading {title}; keep one"
    return DUPLICATE_ROW, f"{quoted(row_match.row.text)} repeats {rival}; keep one"


def _meant(heading: RowTarget | None) -> str:
    if heading is None:
        return "; correct the row, or remove it"
    return f"; did you mean {quoted(heading.title)} in line {heading.line}, which has no row?"


def _at_row(kind: str, index: MemoryIndex, row: IndexRow, message: str) -> IndexProblem:
    return IndexProblem(kind, index.path, row.line, 1, message, row.text)


def _missing_file(
    path: str, lines: Sequence[int], index: MemoryIndex, matched: Match
) -> IndexProblem:
    rows = sum(
        row_match.path == path and row_match.status is MatchStatus.FILE_MISSING
        for row_match in matched.row_matches
    )
    which = f"; {counted(rows, 'row')} with it" if rows else ""
    message = f"there is no file {quoted(path)}{which}; name the right one, or remove this"
    return IndexProblem(MISSING_FILE, index.path, lines[0], 1, message, path)


def _missing_row(
    target: RowTarget, index: MemoryIndex, matched: Match, pairs: Pairs
) -> IndexProblem:
    noun = "heading" if target.heading else "file"
    message = f"the {noun} {quoted(target.title)} has no row in {quoted(index.path)}"
    similar = matched.similar.get(target.location) or pairs.row_of.get(target.location)
    if similar is None:
        advice = "add one"
    else:
        advice = f"did you mean the row in line {similar.line}, {quoted(similar.text)}?"
    line = max(target.line, 1)
    return IndexProblem(
        MISSING_ROW, target.file.path, line, 1, f"{message}; {advice}", target.title
    )


def _stale_pointers(row_match: RowMatch, index: MemoryIndex) -> Iterator[IndexProblem]:
    heading = row_match.target.heading if row_match.target else None
    if row_match.status is not MatchStatus.MATCHED or heading is None:
        return
    for pointer in row_match.row.reading.pointers:
        if _is_about(pointer, row_match.path, index) and not _is_right_pointer(pointer, heading):
            where = f"{quoted(heading.title)} is in line {heading.line}"
            message = f"{where} of {quoted(row_match.path)}, not in line {pointer.first}"
            if pointer.first == heading.line:
                message = f"{where} to {heading.last} of {quoted(row_match.path)}, not further"
            yield _at_row(STALE_LINE_NUMBER, index, row_match.row, f"{message}; correct the number")
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
                path = quoted(row_match.path)
                message = f"the rows of {path} are not in the order of its headings; reorder them"
                yield _at_row(ORDER, index, row_match.row, message)
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
            where = f"line {first.line}"
            if target.file.path != first.file.path:
                where += f" of {quoted(first.file.path)}"
            message = (
                f"{quoted(target.title)} is a heading in {where} as well; reword one of the two"
            )
            path, line = target.location
            yield IndexProblem(AMBIGUOUS_HEADING, path, line, 1, message, target.title)
