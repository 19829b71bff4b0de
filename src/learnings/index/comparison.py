"""A memory index compared with the headings of its files, and the problems between them.

A row belongs to the first heading of its own file that has one of its keys; rows of headings that
share a key take turns. The other rows may belong to a heading of another file or to a structural
heading. In a section that names no file, a line is a row only if it names a heading without a row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

from learnings.core.findings.finding import quoted
from learnings.core.text import chomp, counted
from learnings.index import problems as kinds
from learnings.index.headings import Heading, HeadingKind, HeadingLocation, IndexedFile
from learnings.index.near import Candidate, candidates, nearest
from learnings.index.problems import IndexProblem
from learnings.index.rows import MISSING, Index, Pointer, Row


class Match(NamedTuple):
    """A row with the path of its file from the root (or empty) and its heading.

    problem is its kind, empty for a row of a heading of its file; words say what is wrong.
    """

    row: Row
    path: str
    problem: str
    heading: Heading | None = None
    words: str = ""

    @property
    def line(self) -> int:
        return self.heading.line if self.heading else 0


class Comparison:
    """An index compared with the files whose headings it must list.

    matches are in the order of the rows. notes are lines that look like rows in a section without a
    file, but name no heading that lacks a row.
    """

    def __init__(self, index: Index, files: Sequence[IndexedFile]) -> None:
        self.index = index
        self.files = {file.path: file for file in files}
        self.notes: list[Row] = []
        self._taken: dict[HeadingLocation, Row] = {}
        self.matches = sorted(self._matches(), key=lambda match: match.row.line)

    def _matches(self) -> Iterator[Match]:
        """Yield the rows in passes: exact in their own file, in others, without a file, others."""
        placed, unplaced = [], []
        for row in self.index.rows:
            path = None if row.path is None else self.index.resolve(row.path, self.files)
            if row.fault and (path is not None or row.path is None):
                yield Match(row, path or self.index.path, kinds.ROW_FORM, words=row.fault)
            elif path is None:
                unplaced.append(row)
            elif path not in self.index.unread:
                placed.append((row, path))
        placed.sort(key=lambda pair: pair[0].bullet != "")  # a list item may be a note
        for match_row in (self._in_own_file, self._in_other_file):
            tried = [(row, path, match_row(row, path)) for row, path in placed]
            yield from (match for _, _, match in tried if match)
            placed = [(row, path) for row, path, match in tried if not match and row.plain]
        for row in unplaced if not self.index.form.is_block else ():
            if row.plain and not row.fault:
                match = self._claim(row, "", self._elsewhere(row, ""), kinds.WRONG_SECTION)
                if match and match.problem == kinds.WRONG_SECTION:
                    yield match
                else:
                    self.notes.append(row)
        for row, path in placed:
            yield Match(row, path, kinds.ORPHAN_ROW if path in self.files else kinds.MISSING_FILE)

    def _in_own_file(self, row: Row, path: str) -> Match | None:
        file = self.files.get(path)
        if file is None:
            return None
        headings = file.headings_with(row.keys, HeadingKind.SEMANTIC)
        headings = headings or file.headings_with(row.keys, HeadingKind.EXEMPT)
        match = self._claim(row, path, headings, "")
        return None if match and match.problem and row.bullet else match

    def _in_other_file(self, row: Row, path: str) -> Match | None:
        """Match a row with another file's heading, else with a structural one of its own file."""
        match = self._claim(row, path, self._elsewhere(row, path), kinds.WRONG_SECTION)
        if path not in self.files or (match and match.problem == kinds.WRONG_SECTION):
            return match
        structural = self.files[path].headings_with(row.keys, HeadingKind.STRUCTURAL)
        if not structural:
            return match
        where = f"{quoted(structural[0].title)} on line {structural[0].line} of {quoted(path)}"
        words = f"{where} is structural and needs no row; remove the row"
        return Match(row, path, kinds.STRUCTURAL_ROW, structural[0], words)

    def _claim(
        self, row: Row, path: str, headings: Sequence[Heading], problem: str
    ) -> Match | None:
        """Give the row the first heading without one; None if there is no heading."""
        for heading in headings:
            if self._taken.setdefault(heading.location, row) is row:
                where = f"the heading {quoted(heading.title)} is in {quoted(heading.path)}"
                words = f"{where}, not in {quoted(path)}; move the row to the section of that file"
                return Match(row, path, problem, heading, words if problem else "")
        if not headings:
            return None
        rival = self._taken[headings[-1].location]
        words = f"{quoted(row.text)} repeats the row on line {rival.line}; keep one"
        return Match(row, path, kinds.DUPLICATE_ROW, headings[-1], words)

    def _elsewhere(self, row: Row, path: str) -> Sequence[Heading]:
        """Return the headings of other files that have the first key that any file has."""
        headings = next((self._by_key[key] for key in row.keys if key in self._by_key), ())
        return [heading for heading in headings if heading.path != path]

    @cached_property
    def _by_key(self) -> Mapping[str, Sequence[Heading]]:
        """The first heading of each file with a key."""
        by_key: defaultdict[str, list[Heading]] = defaultdict(list)
        for file in self.files.values():
            for key, headings in file.by_key[HeadingKind.SEMANTIC].items():
                by_key[key].append(headings[0])
        return by_key

    @cached_property
    def missing(self) -> Sequence[Heading]:
        """The headings without a row.

        Several entries of a block may have one title: the order tells them apart. Elsewhere a
        second heading with the same words is a finding, since no row could tell the two apart.
        """
        is_block = self.index.form.is_block
        files = self.files.values() if not is_block or self.index.block else ()
        groups = chain.from_iterable(file.by_key[HeadingKind.SEMANTIC].values() for file in files)
        wanted = (heading for group in groups for heading in (group if is_block else group[:1]))
        return [heading for heading in wanted if heading.location not in self._taken]

    @cached_property
    def absent(self) -> Mapping[str, Sequence[int]]:
        """The named files that do not exist, with the lines that name them."""
        lines: defaultdict[str, list[int]] = defaultdict(list)
        in_rows = ((row.path, row.line) for row in self.index.rows if row.path is not None)
        for written, line in (*self.index.section_paths(), *in_rows):
            path = self.index.resolve(written, self.files)
            if path is not None and path not in self.files and path not in self.index.unread:
                lines[path].append(line)
        return {path: sorted(numbers) for path, numbers in lines.items()}

    @cached_property
    def candidates(self) -> Sequence[Candidate]:
        """The orphan rows and notes with similar headings that have no row."""
        rows = defaultdict(list, {"": self.notes})
        for match in self.matches:
            if match.problem == kinds.ORPHAN_ROW:
                rows[match.path].append(match.row)
        return [*candidates(rows, self.missing)]

    def groups(self) -> Sequence[Sequence[Match]]:
        """Return the rows of each file in each section or table, which are kept in order."""
        # Including duplicates: otherwise the order would decide which of two rows is the first.
        groups: defaultdict[tuple[int, str], list[Match]] = defaultdict(list)
        for match in self.matches:
            is_own = match.heading is not None and match.heading.path == match.path
            if is_own and match.problem in ("", kinds.DUPLICATE_ROW):
                groups[match.row.group, match.path].append(match)
        return list(groups.values())

    def subject_of(self, match: Match) -> str:
        """Return the subject of a row in a wrong section: perhaps the heading of the section."""
        section = self.index.section_at(match.row.line)
        heading = "" if section.title is None else chomp(self.index.lines[section.first - 1])
        return heading if self.is_without_file(match) else match.row.text

    def is_without_file(self, match: Match) -> bool:
        """Return True for a row of a heading if its section names no file, or a missing file.

        Every other row in a wrong section is a problem of its own.
        """
        is_gone = match.path in self.absent and match.row.path_at == MISSING
        return match.problem == kinds.WRONG_SECTION and (not match.path or is_gone)


def problems_of(index: Index, files: Sequence[IndexedFile]) -> Iterator[IndexProblem]:
    """Yield all problems, in no particular order.

    files are all files that must have rows and exist: the configured ones and those that a section
    or row of the index names (see Index.named_paths). For an index block it is the file itself,
    given by headings.entries_of().
    """
    compared = Comparison(index, files)
    blocked = blockers(index, files)
    for line, reason in blocked:
        yield IndexProblem(kinds.ROW_FORM, index.path, line, reason, chomp(index.lines[line - 1]))
    yield from _row_problems(compared)
    yield from _section_problems(compared)
    yield from _absent_files(compared)
    if not blocked:
        yield from _missing_rows(compared)
    if not index.form.is_block:  # then rows name headings by words alone
        yield from _ambiguous_headings(files)


_NO_TABLE = (
    "the index block is not a table of entries, such as | Date | Entry |; delete the text between "
    "its markers, then run `learnings fix` to write one"
)


def blockers(index: Index, files: Sequence[IndexedFile]) -> Sequence[tuple[int, str]]:
    """Return the lines that prevent a rewrite of an index block, each with the reason."""
    if index.block is None:
        return index.faults
    first, last = index.block
    reason = "an entry is inside the index block, and a rebuild would delete it; move it out"
    entries = chain.from_iterable(file.headings for file in files if file.path == index.path)
    inside = {heading.line: reason for heading in entries if first < heading.line < last}
    reasons = inside | dict(index.faults)
    return sorted(reasons.items()) or ([] if index.is_block_readable else [(first, _NO_TABLE)])


def _row_problems(compared: Comparison) -> Iterator[IndexProblem]:
    """Yield the problems of single rows, and of the first row in each group that stands too low."""
    path = compared.index.path
    meant = {pair.row.line: pair for pair in nearest(compared.candidates)}
    for match in compared.matches:
        row, message = match.row, match.words
        if match.problem == kinds.ORPHAN_ROW:
            near, advice = meant.get(row.line), "correct the row, or remove it"
            if near:
                where = f"{quoted(near.heading.title)} on line {near.heading.line}"
                advice = f"did you mean {where}, which has no row?"
            message = f"{quoted(match.path)} has no heading {quoted(row.keys[-1])}; {advice}"
        if message and not compared.is_without_file(match):
            yield IndexProblem(match.problem, path, row.line, message, row.text)
        for _, message in stale_pointers(compared, match)[:1]:
            yield IndexProblem(kinds.STALE_LINE_NUMBER, path, row.line, message, row.text)
    for group in compared.groups():
        own = [match for match in group if not match.problem]
        for low in [low.row for high, low in pairwise(own) if low.line < high.line][:1]:
            rows = f"the rows of {quoted(group[0].path)}"
            message = f"{rows} are not in the order of its headings; reorder them"
            yield IndexProblem(kinds.ORDER, path, low.line, message, low.text)


def stale_pointers(compared: Comparison, match: Match) -> Sequence[tuple[Pointer, str]]:
    """Return the wrong line numbers in the row of a heading, each with a message."""
    heading, path = match.heading, match.path
    if match.problem or heading is None:
        return ()
    stale = []
    for pointer in match.row.pointers:
        if pointer.path is not None and compared.index.resolve(pointer.path, (path,)) != path:
            continue
        where = f"{quoted(heading.title)} is on line {heading.line}"
        if pointer.first != heading.line:
            where += f" of {quoted(path)}, not on line {pointer.first}"
        elif not pointer.first <= pointer.last <= heading.last:
            where += f" and ends on line {heading.last} of {quoted(path)}"
        else:
            continue
        stale.append((pointer, f"{where}; correct the number"))
    return stale


def _section_problems(compared: Comparison) -> Iterator[IndexProblem]:
    """Yield the problem of each section without a file that has rows for headings."""
    index = compared.index
    sections: defaultdict[int, list[Match]] = defaultdict(list)
    for match in filter(compared.is_without_file, compared.matches):
        sections[index.section_at(match.row.line).first].append(match)
    for first, matches in sections.items():
        # A missing file is a problem of its own, on the heading.
        is_at_heading = index.section_at(first).title is not None and not matches[0].path
        line = first if is_at_heading else matches[0].row.line
        paths = list(dict.fromkeys(match.heading.path for match in matches if match.heading))
        others = f" and {counted(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
        verb = "stands" if len(matches) == 1 else "stand"
        where = "above the first heading"
        if index.section_at(first).title is not None:
            lacks = "which names no file" if is_at_heading else "whose file does not exist"
            where = f"in this section, {lacks}"
        message = (
            f"{counted(len(matches), 'row')} for {quoted(paths[0])}{others} {verb} {where}; "
            "a row belongs below a heading that is the path of its file"
        )
        subject = compared.subject_of(matches[0])
        yield IndexProblem(kinds.WRONG_SECTION, index.path, line, message, subject)


def _absent_files(compared: Comparison) -> Iterator[IndexProblem]:
    for path, lines in compared.absent.items():
        rows = sum(m.path == path and m.problem == kinds.MISSING_FILE for m in compared.matches)
        which = f" (it has {counted(rows, 'row')})" if rows else ""
        message = f"the file {quoted(path)} does not exist{which}; correct the path, or remove this"
        yield IndexProblem(kinds.MISSING_FILE, compared.index.path, lines[0], message, path)


def _missing_rows(compared: Comparison) -> Iterator[IndexProblem]:
    meant = {pair.heading.location: pair for pair in nearest(compared.candidates)}
    for heading in compared.missing:
        near, advice = meant.get(heading.location), "add one"
        if near:
            advice = f"did you mean the row on line {near.row.line}, {quoted(near.row.text)}?"
        where = f"has no row in {quoted(compared.index.path)}"
        message = f"the heading {quoted(heading.title)} {where}; {advice}"
        yield IndexProblem(kinds.MISSING_ROW, *heading.location, message, heading.title)


def _ambiguous_headings(files: Sequence[IndexedFile]) -> Iterator[IndexProblem]:
    by_key: defaultdict[str, list[Heading]] = defaultdict(list)
    for heading in chain.from_iterable(file.headings for file in files):
        if heading.kind is HeadingKind.SEMANTIC:
            by_key[heading.key].append(heading)
    for first, *repeated in by_key.values():
        for heading in repeated:
            of_file = "" if heading.path == first.path else f" of {quoted(first.path)}"
            where = f"on line {first.line}{of_file}"
            message = f"{quoted(heading.title)} is also a heading {where}; reword one of the two"
            yield IndexProblem(kinds.AMBIGUOUS_HEADING, *heading.location, message, heading.title)
