"""Changes to the rows of a memory index: added rows, moved rows, rows of moved headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.outline import Outline
from learnings.core.text import chomp
from learnings.index.forms import with_lines
from learnings.index.headings import (
    HeadingKind,
    HeadingLocation,
    IndexedFile,
    IndexedHeading,
    RowTarget,
)
from learnings.index.index_file import (
    Match,
    MatchStatus,
    MemoryIndex,
    RowMatch,
    in_heading_order,
    styles_of,
)
from learnings.index.matching import match_rows
from learnings.index.row_reading import Pointer, Table


class RowChanges:
    """Changes by 1-based line number (0: the top); texts have no terminators.

    Lines are added below the given line, but no blank line at the top or below another blank line.
    If a removed line stands between blank lines, one of these is removed too.
    """

    def __init__(self) -> None:
        self.replaced: dict[int, str] = {}
        self.removed: set[int] = set()
        self.added: dict[int, list[str]] = {}

    def add(self, below: int, texts: Iterable[str]) -> None:
        """Add lines below a line, and below lines already added there."""
        self.added.setdefault(below, []).extend(texts)

    def applied_to(self, index: MemoryIndex) -> MemoryIndex:
        return with_lines(index, self.lines_of(index))

    def have_effect(self, index: MemoryIndex) -> bool:
        return self.lines_of(index) != [*index.lines]

    def lines_of(self, index: MemoryIndex) -> list[str]:
        result: list[str] = []
        newline = index.newline
        _add_to(result, self.added.get(0, ()), newline)
        has_gap = False  # just below removed lines
        for number, line in enumerate(index.lines, start=1):
            if number in self.removed:
                has_gap = True
            else:
                text = chomp(line)
                changed = self.replaced.get(number, text) + line[len(text) :]
                if changed.strip() or not (has_gap and _ends_blank(result)):
                    result.append(changed)
                has_gap = False
            _add_to(result, self.added.get(number, ()), newline)
        if has_gap and result and _ends_blank(result):
            result.pop()
        return result

    def loss(self, before: Sequence[str], after: Sequence[str]) -> Counter[str]:
        """Return the lines with text that these changes neither keep nor remove."""
        removed = Counter(chomp(before[number - 1]) for number in self.removed)
        old, new = (
            Counter(chomp(line) for line in lines if line.strip()) for lines in (before, after)
        )
        return old - new - removed


def _add_to(lines: list[str], texts: Iterable[str], newline: str) -> None:
    for text in texts:
        if text or not _ends_blank(lines):
            # An unterminated last line gets a terminator; one that ends in "\r" lacks the "\n".
            if lines and not lines[-1].endswith(newline[-1]):
                lines[-1] += newline.removeprefix("\r") if lines[-1].endswith("\r") else newline
            lines.append(text + newline)


def _ends_blank(lines: Sequence[str]) -> bool:
    return not lines or not lines[-1].strip()


class Addition(NamedTuple):
    """A new or moved row for the rows of a file; text has no terminator."""

    target: RowTarget
    text: str


def new_rows(index: MemoryIndex, matched: Match) -> Iterator[Addition]:
    """Yield a row, in the style of its file or else of the index, per heading without one.

    Headings that no row can name are left out.
    """
    if not matched.missing:
        return
    groups, styles = matched.first_groups(), styles_of(matched)
    for target in matched.missing:
        group = groups.get(target.file.path)
        neighbour = group[0].row if group else matched.last_row
        table = index.form.table_for_new_row(index, neighbour)
        text = index.form.row_text(target, table, styles[target.file.path])
        # Markdown may read a title as code, a comment or a heading.
        if is_row_of(text, index, target, table):
            yield Addition(target, text)


def is_row_of(text: str, index: MemoryIndex, target: RowTarget, table: Table | None) -> bool:
    """Return True if a line parses as a row of exactly that heading or file."""
    reading = index.form.read_row(text, table)
    if reading is None or reading.fault is not None or text.startswith("<"):
        return False
    outline = outline_of([text + "\n"])
    if Outline(items=outline.items) != outline:  # a Markdown block with the lines below
        return False
    if target.heading is None:
        return bool(target.file.names.intersection(reading.keys))
    headings = target.file.headings_with(reading.keys, HeadingKind.SEMANTIC)
    return bool(headings) and headings[0].key == target.heading.key


def add_rows(
    changes: RowChanges,
    index: MemoryIndex,
    files: Sequence[IndexedFile],
    matched: Match,
    additions: Sequence[Addition],
) -> None:
    """Add rows to the changes of an index; the rows of one file keep the given order.

    They go among the rows of their file, else below its heading, else where the form says.
    """
    known = {file.path for file in files}
    groups, headings = matched.first_groups(), index.form.headings_of_files(index, known)
    by_path: dict[str, list[Addition]] = {file.path: [] for file in files}
    for addition in additions:
        by_path[addition.target.file.path].append(addition)
    at_end: dict[str, list[str]] = {}
    for path, file_additions in by_path.items():
        texts = [addition.text for addition in file_additions]
        if not texts:
            continue
        if path in groups:
            _add_among(changes, groups[path], file_additions)
        elif path in headings:
            heading = headings[path]  # the first rows go below it and one blank line
            is_blank = heading < len(index.lines) and not index.content(heading + 1).strip()
            below = heading + 1 if is_blank else heading
            is_followed = below < len(index.lines) and index.content(below + 1).strip()
            changes.add(below, ["", *texts, *([""] if is_followed else [])])
        else:
            at_end[path] = texts
    if at_end:
        end = index.form.insertion_at_end(index, at_end, matched.last_row, known)
        changes.add(end.below, end.texts)


def _add_among(
    changes: RowChanges, group: Sequence[RowMatch], additions: Sequence[Addition]
) -> None:
    """Add rows between existing ones, each below the last row of an earlier heading."""
    pairs = zip(group, in_heading_order(group), strict=True)
    matched = [pair for pair in pairs if pair[1].status is MatchStatus.MATCHED]
    lines = [(before.row.line, after.line) for before, after in matched]
    for addition in additions:
        above = [line for line, heading in lines if heading <= addition.target.line]
        changes.add(above[-1] if above else group[0].row.line - 1, [addition.text])


def relocated(
    index: MemoryIndex,
    before: Sequence[IndexedFile],
    after: Sequence[IndexedFile],
    moves: Mapping[HeadingLocation, HeadingLocation],
) -> MemoryIndex:
    """Return an index whose rows, with their line numbers, have followed their headings.

    before and after are the files that the index lists; moves are the headings with a new line or
    file.
    """
    headings = {(file.path, h.line): RowTarget(file, h) for file in after for h in file.headings}
    changes = RowChanges()
    additions = []
    for row_match in match_rows(index, before).row_matches:
        row, old = row_match.row, row_match.target
        is_row = row_match.status in (MatchStatus.MATCHED, MatchStatus.DUPLICATE)
        new = headings.get(moves.get(old.location, ("", 0))) if old and is_row else None
        if old is None or old.heading is None or new is None or new.heading is None:
            continue
        text = _with_new_path(row_match, new.file.path)
        for pointer in row.reading.pointers:
            text = _with_new_lines(text, pointer, old.heading, new.heading)
        if index.form.has_sections and new.file.path != row_match.path:
            changes.removed.add(row.line)
            additions.append(Addition(new, text))
        elif text != row.text:
            changes.replaced[row.line] = text
    additions.sort(key=lambda addition: addition.target.line)
    add_rows(changes, index, after, match_rows(index, after), additions)
    return changes.applied_to(index)


def _with_new_path(row_match: RowMatch, path: str) -> str:
    """Return a row's text with the file's new name, in the same folder, for the old one."""
    old, name = row_match.path.rpartition("/")[2], path.rpartition("/")[2]
    # The name, but not as part of a longer one.
    pattern = rf"(?<![\w.-]){re.escape(old)}(?![\w-]|\.\w)"
    return re.sub(pattern, lambda _: name, row_match.row.text)


def _with_new_lines(text: str, pointer: Pointer, old: IndexedHeading, new: IndexedHeading) -> str:
    """Return a row's text with its line number updated, unless the number was wrong."""
    if pointer.first != old.line:
        return text
    # The number and the end of its range; the last such number in the row is the pointer.
    span = rf"(?<!\d){pointer.first}(?!\d)(?:([ ]?[-–][ ]?L?){pointer.last}(?!\d))?"
    *_, match = re.finditer(span, text)
    last = min(new.line + pointer.last - pointer.first, new.last)
    lines = f"{new.line}{match[1]}{last}" if match[1] else str(new.line)
    return text[: match.start()] + lines + text[match.end() :]
