"""The fixes of a memory index: pure, from bytes to bytes, through one plan of edits.

What is moved: rows of headings of another file. What is put in order: the rows of a section, in
the places that rows of it have. What is removed: rows of structural headings. What is added, when
asked for: rows of headings that have none. All else stays, byte for byte.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from learnings.core.entries.titles import heading_text
from learnings.core.errors import FixRefused
from learnings.core.findings.finding import quoted
from learnings.core.index.check import (
    MISSING_ROW,
    ORDER,
    STRUCTURAL_ROW,
    WRONG_SECTION,
    blockers,
)
from learnings.core.index.edit import Edit
from learnings.core.index.files import IndexedFile
from learnings.core.index.forms import ARROW, BLOCK, ROWS
from learnings.core.index.match import Match, MatchStatus, RowMatch, Target, arranged, match
from learnings.core.index.model import IndexFile
from learnings.core.index.rows import new_row
from learnings.core.index.tables import Table, columns_of

Left = tuple[str, str]
"""A problem that is not to be mended: its kind and its subject, as index_check.Problem has them."""

_NEW_TABLE = ("| Topic | File | Key |", "|---|---|---|")
_NEW_BLOCK = ("| Date | Entry |", "|---|---|")


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A row that comes to a file's rows: moved there, or new."""

    target: Target
    text: str


def fixed(
    index: IndexFile,
    files: Sequence[IndexedFile],
    *,
    add_missing: bool = False,
    leave: Container[Left] = (),
) -> bytes:
    """Return the index file with all that can be mended without a decision.

    files as for index_check.problems(), leave the kinds and subjects of those that are to stay.
    What is in order comes back unchanged, and a second fix changes nothing. Raises FixRefused where
    a line with text would be lost, where the index cannot be read afterwards as intended, or where
    the index block holds entries or a second marker.
    """
    plan = _plan(index, files, add_missing=add_missing, leave=leave)
    if not plan:
        return index.to_bytes()
    _refuse_blocked(index, files)
    result = index.with_lines(plan.applied(index.lines, index.newline))
    _refuse_loss(plan, index, result)
    is_lasting = not _plan(result, files, add_missing=add_missing, leave=leave)
    if not is_lasting or _hidden_rows(index, result, files):
        raise FixRefused(
            f"{index.path} is left as it is: its fences, comments or tables run into its rows, so "
            "that a fix would not last; close them or put blank lines around them, then fix again"
        )
    return result.to_bytes()


def _hidden_rows(before: IndexFile, after: IndexFile, files: Sequence[IndexedFile]) -> bool:
    """Whether a row would stand where it is read as none, in a fence that is never closed."""
    rows, left = (match(index, files).row_matches for index in (before, after))
    meant = Counter(
        row.row.text.strip() for row in rows if row.status is not MatchStatus.STRUCTURAL
    )
    return bool(meant - Counter(row.row.text.strip() for row in left))


def _refuse_blocked(index: IndexFile, files: Sequence[IndexedFile]) -> None:
    for line, reason in blockers(index, files):
        raise FixRefused(f"{index.path}:{line}: {reason}")


def _refuse_loss(plan: Edit, before: IndexFile, after: IndexFile) -> None:
    lost = plan.loss(before.lines, after.lines)
    gone = Counter(s.title for s in before.sections) - Counter(s.title for s in after.sections)
    for text in (*lost, *filter(None, gone)):
        raise FixRefused(
            f"{before.path} is left as it is: a fix would lose the line {quoted(text)}; "
            "mend that part by hand"
        )


def _plan(
    index: IndexFile, files: Sequence[IndexedFile], *, add_missing: bool, leave: Container[Left]
) -> Edit:
    matched = match(index, files)
    plan = Edit()
    moved = [each for each in matched.row_matches if _is_movable(each, index, leave)]
    plan.dropped.update(each.row.line for each in moved)
    for each in matched.row_matches:
        if each.status is MatchStatus.STRUCTURAL and (STRUCTURAL_ROW, each.row.text) not in leave:
            plan.dropped.add(each.row.line)
    for group in matched.groups():
        if any((ORDER, each.row.text) in leave for each in group):
            continue
        for here, there in zip(group, arranged(group), strict=True):
            if here.row.text != there.row.text:
                plan.replaced[here.row.line] = there.row.text
    arrivals = [_Arrival(each.target, each.row.text) for each in moved if each.target]
    if add_missing:
        arrivals += _new_rows(index, matched, leave)
    _add(plan, index, files, matched, sorted(arrivals, key=lambda arrival: arrival.target.line))
    return plan


def _is_movable(row_match: RowMatch, index: IndexFile, leave: Container[Left]) -> bool:
    is_elsewhere = index.form == ROWS and row_match.status is MatchStatus.ELSEWHERE
    return is_elsewhere and (WRONG_SECTION, row_match.row.text) not in leave


def _new_rows(index: IndexFile, matched: Match, leave: Container[Left]) -> Iterator[_Arrival]:
    for target in matched.missing:
        text = new_row(index, target, _table_for(index, target, matched))
        if text is not None and (MISSING_ROW, target.title) not in leave:
            yield _Arrival(target, text)


def _add(
    plan: Edit,
    index: IndexFile,
    files: Sequence[IndexedFile],
    matched: Match,
    arrivals: Sequence[_Arrival],
) -> None:
    by_path: defaultdict[str, list[_Arrival]] = defaultdict(list)
    for arrival in arrivals:
        by_path[arrival.target.file.path].append(arrival)
    homes: dict[str, list[RowMatch]] = {}
    for group in matched.groups():
        homes.setdefault(group[0].path, group)
    sections = _sections(index, files)
    homeless: list[tuple[str, list[str]]] = []
    for file in files:
        texts = [arrival.text for arrival in by_path[file.path]]
        if not texts:
            continue
        if file.path in homes:
            _add_among(plan, homes[file.path], by_path[file.path])
        elif file.path in sections:
            _add_below_heading(plan, index, sections[file.path], texts)
        else:
            homeless.append((file.path, texts))
    if homeless:
        _add_at_end(plan, index, matched, homeless, known={file.path for file in files})


def _add_among(plan: Edit, group: Sequence[RowMatch], arrivals: Sequence[_Arrival]) -> None:
    """Add rows between those that are there, each below the last one of an earlier heading."""
    slots = [
        (here.row.line, there.target.line)
        for here, there in zip(group, arranged(group), strict=True)
        if there.target is not None and there.status is MatchStatus.PLACED
    ]
    for arrival in arrivals:
        before = [slot for slot, heading in slots if heading <= arrival.target.line]
        plan.add(before[-1] if before else group[0].row.line - 1, [arrival.text])


def _add_below_heading(plan: Edit, index: IndexFile, heading: int, texts: list[str]) -> None:
    """Add the first rows of a section: below its heading and one blank line."""
    blank = heading < len(index.lines) and not index.content(heading + 1).strip()
    below = heading + 1 if blank else heading
    follows = below < len(index.lines) and index.content(below + 1).strip()
    plan.add(below, ["", *texts, *([""] if follows else [])])


def _add_at_end(
    plan: Edit,
    index: IndexFile,
    matched: Match,
    homeless: Sequence[tuple[str, list[str]]],
    *,
    known: set[str],
) -> None:
    """Add rows of files that have none yet: in sections of their own, or below the last row."""
    texts = [text for _, rows in homeless for text in rows]
    if index.form == ROWS:
        _add_sections(plan, index, homeless, known=known)
    elif index.tables:
        plan.add(_table_at_end(index, matched).last, texts)
    elif index.form == BLOCK:
        if index.block is not None:
            plan.add(index.block[1] - 1, [*_NEW_BLOCK, *texts])
    elif index.form == ARROW and matched.row_matches:
        plan.add(matched.row_matches[-1].row.line, texts)
    else:
        head = [] if index.form == ARROW else _NEW_TABLE
        plan.add(len(index.lines), ["", *head, *texts])


def _add_sections(
    plan: Edit,
    index: IndexFile,
    homeless: Sequence[tuple[str, list[str]]],
    *,
    known: set[str],
) -> None:
    """Add sections below the last one that is a file, else at the end."""
    places = {line for place, line in index.headings() if index.resolved(place, known) is not None}
    lasts = [section.last for section in index.sections if section.first in places]
    below = lasts[-1] if lasts else len(index.lines)
    blocks = [
        ["", f"## {path}", "", *rows]
        for path, rows in homeless
        if heading_text(f"## {path}") == path
    ]
    if blocks:
        plan.add(below, [*chain(*blocks), *([""] if below < len(index.lines) else [])])


def _sections(index: IndexFile, files: Sequence[IndexedFile]) -> dict[str, int]:
    """Return the line of the first section of each file."""
    found: dict[str, int] = {}
    known = {file.path for file in files}
    for place, line in index.headings() if index.form == ROWS else ():
        path = index.resolved(place, known)
        if path is not None:
            found.setdefault(path, line)
    return found


def _table_for(index: IndexFile, target: Target, matched: Match) -> Table | None:
    """Return the table that a row of this heading goes to; None where the form has none."""
    if index.form in (ROWS, ARROW):
        return None
    for group in matched.groups():
        if group[0].path == target.file.path:
            return index.tables[group[0].row.group]
    return _table_at_end(index, matched)


def _table_at_end(index: IndexFile, matched: Match) -> Table:
    if not index.tables:
        head = _NEW_BLOCK if index.form == BLOCK else _NEW_TABLE
        return Table(0, 0, columns_of(head[0]))
    groups = [row_match.row.group for row_match in matched.row_matches]
    return index.tables[max(groups, default=0)]
