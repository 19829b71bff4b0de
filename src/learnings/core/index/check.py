"""What is wrong between a memory index and the files that it lists: problems as values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from learnings.core.findings.finding import quoted
from learnings.core.index.files import HeadingKind, IndexedFile, IndexedHeading, Target
from learnings.core.index.lines import Row
from learnings.core.index.match import Match, MatchStatus, RowMatch
from learnings.core.index.matching import match
from learnings.core.index.model import IndexFile
from learnings.core.index.pairs import Pairs, pairs_of
from learnings.core.index.pointers import Pointer
from learnings.core.index.problem import (
    AMBIGUOUS_HEADING,
    COLLISION,
    DUPLICATE_ROW,
    MISSING_FILE,
    MISSING_ROW,
    ORDER,
    ORPHAN_ROW,
    ROW_FORM,
    STALE_LINE_NUMBER,
    STRUCTURAL_ROW,
    WRONG_SECTION,
    Problem,
)
from learnings.core.index.without_file import is_without_file, problems_of_sections
from learnings.core.text import counted

_NO_TABLE = (
    "the index block is no table of entries, such as | Date | Entry |; remove what is between its "
    "markers, and `learnings fix` writes one"
)


def problems(
    index: IndexFile, files: Sequence[IndexedFile], *, fuzzy: float | None = None
) -> Iterator[Problem]:
    """Give what is wrong, in no particular order.

    files are all files that must have rows and exist: those configured and those that a section
    or a row of the index names (see IndexFile.named_paths); for an index block the file itself,
    given by files.entries_of(). fuzzy is described at matching.match().
    """
    for line, reason in blockers(index, files):
        yield Problem(ROW_FORM, index.path, line, 1, reason, index.content(line))
    matched = match(index, files, fuzzy=fuzzy)
    pairs = pairs_of(matched)
    for row_match in matched.row_matches:
        if (fault := _fault_of_row(row_match, matched, pairs)) is not None:
            kind, message = fault
            yield _at_row(kind, index, row_match.row, message)
        yield from _stale(row_match, index)
    yield from problems_of_sections(index, matched)
    for path, lines in matched.absent.items():
        yield _missing_file(path, lines, index, matched)
    if not blockers(index, files):
        yield from (_missing_row(target, index, matched, pairs) for target in matched.missing)
    yield from _order(index, matched)
    if index.form.has_unique_headings:
        yield from _ambiguous(files)


def blockers(index: IndexFile, files: Sequence[IndexedFile]) -> tuple[tuple[int, str], ...]:
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


def _meant(heading: Target | None) -> str:
    if heading is None:
        return "; correct the row, or remove it"
    return f"; did you mean {quoted(heading.title)} in line {heading.line}, which has no row?"


def _at_row(kind: str, index: IndexFile, row: Row, message: str) -> Problem:
    return Problem(kind, index.path, row.line, 1, message, row.text)


def _missing_file(path: str, lines: Sequence[int], index: IndexFile, matched: Match) -> Problem:
    rows = sum(
        row_match.path == path and row_match.status is MatchStatus.FILE_MISSING
        for row_match in matched.row_matches
    )
    which = f"; {counted(rows, 'row')} with it" if rows else ""
    message = f"there is no file {quoted(path)}{which}; name the right one, or remove this"
    return Problem(MISSING_FILE, index.path, lines[0], 1, message, path)


def _missing_row(target: Target, index: IndexFile, matched: Match, pairs: Pairs) -> Problem:
    noun = "heading" if target.heading else "file"
    message = f"the {noun} {quoted(target.title)} has no row in {quoted(index.path)}"
    similar = matched.similar.get(target.location) or pairs.row_of.get(target.location)
    if similar is None:
        advice = "add one"
    else:
        advice = f"did you mean the row in line {similar.line}, {quoted(similar.text)}?"
    line = max(target.line, 1)
    return Problem(MISSING_ROW, target.file.path, line, 1, f"{message}; {advice}", target.title)


def _stale(row_match: RowMatch, index: IndexFile) -> Iterator[Problem]:
    heading = row_match.target.heading if row_match.target else None
    if row_match.status is not MatchStatus.MATCHED or heading is None:
        return
    for pointer in row_match.row.reading.pointers:
        if _is_about(pointer, row_match.path, index) and not _is_right(pointer, heading):
            where = f"{quoted(heading.title)} is in line {heading.line}"
            message = f"{where} of {quoted(row_match.path)}, not in line {pointer.first}"
            if pointer.first == heading.line:
                message = f"{where} to {heading.last} of {quoted(row_match.path)}, not further"
            yield _at_row(STALE_LINE_NUMBER, index, row_match.row, f"{message}; correct the number")
            return


def _is_about(pointer: Pointer, path: str, index: IndexFile) -> bool:
    """Return True if a pointer leads into the file of its row."""
    return pointer.path is None or index.resolve(pointer.path, (path,)) == path


def _is_right(pointer: Pointer, heading: IndexedHeading) -> bool:
    """Return True if a pointer begins at the heading and ends within its section."""
    return pointer.first == heading.line and pointer.first <= pointer.last <= heading.last


def _order(index: IndexFile, matched: Match) -> Iterator[Problem]:
    """Give one problem per group of rows: at the first that stands below a later heading's row."""
    for group in matched.groups():
        rows = [row_match for row_match in group if row_match.status is MatchStatus.MATCHED]
        for above, row_match in pairwise(rows):
            if row_match.line < above.line:
                path = quoted(row_match.path)
                message = f"the rows of {path} are not in the order of its headings; reorder them"
                yield _at_row(ORDER, index, row_match.row, message)
                break


def _ambiguous(files: Sequence[IndexedFile]) -> Iterator[Problem]:
    """Give a problem at each heading whose key a heading before it has."""
    targets: defaultdict[str, list[Target]] = defaultdict(list)
    for file in files:
        for heading in file.headings:
            if heading.kind is HeadingKind.SEMANTIC:
                targets[heading.key].append(Target(file, heading))
    for first, *repeated in targets.values():
        for target in repeated:
            where = f"line {first.line}"
            if target.file.path != first.file.path:
                where += f" of {quoted(first.file.path)}"
            message = (
                f"{quoted(target.title)} is a heading in {where} as well; reword one of the two"
            )
            path, line = target.location
            yield Problem(AMBIGUOUS_HEADING, path, line, 1, message, target.title)
