"""The fix of a memory index: from an index to its bytes.

Rows of reworded headings get the new words, paths and line numbers are corrected, rows of another
file's headings move, the rows of a section are put in order, and rows of structural headings are
removed. On request, headings without a row get one. An index block is generated: it always gets a
row for each entry, and loses rows that match no entry or repeat another row. Everything else stays,
byte for byte.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from learnings.core.errors import FixRefused
from learnings.core.markdown.blocks import blocks_of
from learnings.core.text import chomp, newline_of
from learnings.index import problems as kinds
from learnings.index.comparison import Comparison, Match, blockers, problems_of, stale_pointers
from learnings.index.headings import Heading, IndexedFile
from learnings.index.near import sole
from learnings.index.placing import Addition, Places, in_heading_order, is_row_of, is_title
from learnings.index.problems import IndexProblem
from learnings.index.rows import (
    MISSING,
    Index,
    Span,
    cells,
    edited,
    renamed,
)

IgnoredProblem = tuple[str, str]
"""A problem that is not to be fixed: its kind and its subject, as in IndexProblem."""
Identity = tuple[str, str, str]
"""Kind, path and subject of a problem."""

# Renames may come in several rounds, since a pair can become unambiguous when others are gone; all
# else takes three. Chosen.
_MOST_ROUNDS = 20


class Fixed(NamedTuple):
    """An index after a fix, its files as they then are, and the problems that renames fixed."""

    after: Index
    files: Sequence[IndexedFile]
    renamed: frozenset[Identity]


def fixed(
    index: Index,
    files: Sequence[IndexedFile],
    *,
    add_missing: bool = False,
    ignored: Container[IgnoredProblem] = (),
) -> Fixed:
    """Return an index after all fixes that need no decision; a second fix changes nothing.

    Raises FixRefused if the new index could not be read as intended, or if the index block contains
    entries or a second marker.
    """
    names: set[Identity] = set()
    compared = Comparison(index, files)
    for _ in range(_MOST_ROUNDS):
        draft = _Draft(compared, ignored, add_missing=add_missing)
        lines = draft.next_lines()
        if lines is None:
            return Fixed(compared.index, files, frozenset(names))
        for line, reason in blockers(compared.index, files):
            raise FixRefused(f"{index.path}:{line}: {reason}")
        names |= draft.renamed
        after = compared.index.with_lines(lines)
        files = [_moved(file, compared.index, after) for file in files] if index.block else files
        compared = Comparison(after, files)
        if not draft.is_read(compared):
            break
    raise FixRefused(
        f"cannot fix {index.path}: its fences, comments or tables run into its rows, so the fix "
        "would not last; close them or put blank lines around them, then fix again"
    )


def with_fixes(
    index: Index,
    files: Sequence[IndexedFile],
    found: Collection[IndexProblem],
    *,
    ignored: Container[IgnoredProblem] = (),
) -> Iterator[IndexProblem]:
    """Yield the problems of an index, with those marked that are gone after a trial fix."""
    trial = Fixed(index, files, frozenset())
    for add_missing in (True, False):  # perhaps all but the added rows can be read
        with suppress(FixRefused):
            trial = fixed(index, files, add_missing=add_missing, ignored=ignored)
            break
    left = Counter(map(_identity, problems_of(trial.after, trial.files)))
    gone = Counter(map(_identity, found)) - left
    for problem in found:
        identity = _identity(problem)
        is_fixable, is_renamed = gone[identity] > 0, identity in trial.renamed
        gone[identity] -= 1
        in_block = index.form.is_block
        yield problem._replace(is_fixable=is_fixable, is_renamed=is_renamed, in_block=in_block)


def _identity(problem: IndexProblem) -> Identity:
    return problem.kind, problem.path, problem.subject


def _moved(file: IndexedFile, before: Index, after: Index) -> IndexedFile:
    """Return the file of an index block whose end has moved, and the entries below it too."""
    shift, end = len(after.lines) - len(before.lines), before.block[1] if before.block else 0
    headings = (
        heading._replace(line=heading.line + shift, last=heading.last + shift)
        if heading.line > end
        else heading
        for heading in file.headings
    )
    return IndexedFile(file.path, tuple(headings), after.lines)


class _Draft:
    """One round of edits by 1-based line number (0: the top); texts have no terminators.

    renamed are the problems that renames fix; rows are the added lines that must then be rows.
    """

    def __init__(
        self, compared: Comparison, ignored: Container[IgnoredProblem], *, add_missing: bool
    ) -> None:
        self.index = compared.index
        self.compared = compared
        self.places = Places(compared)
        self.ignored = ignored
        self.add_missing = add_missing
        self.replaced: dict[int, str] = {}
        self.removed: set[int] = set()
        self.added: defaultdict[int, list[str]] = defaultdict(list)
        self.rows: list[str] = []
        self.renamed: set[Identity] = set()

    def next_lines(self) -> list[str] | None:
        """Return the lines after the first of four kinds of edits that changes any, else None."""
        for edit in (self._rename, self._correct_paths, self._place_rows, self._correct_numbers):
            edit()
            lines = self._lines()
            if lines != [*self.index.lines]:
                return lines
        return None

    def _lines(self) -> list[str]:
        """Return all lines; no blank one is added at the top or below another blank line.

        If a removed line stands between blank lines, one of these is removed too.
        """
        newline = newline_of("".join(self.index.lines))
        lines = [""]
        has_gap = False  # just below removed lines
        for number, line in enumerate(("", *self.index.lines)):
            text = chomp(line)
            changed = self.replaced.get(number, text) + line[len(text) :]
            if number in self.removed:
                has_gap = True
            elif number:
                if changed.strip() or not (has_gap and not lines[-1].strip()):
                    lines.append(changed)
                has_gap = False
            for added in self.added.get(number, ()):
                if added or lines[-1].strip():
                    # An unterminated last line; one that ends in "\r" lacks the "\n".
                    if lines[-1] and not lines[-1].endswith(newline[-1]):
                        lines[-1] += "\n" if lines[-1].endswith("\r") else newline
                    lines.append(added + newline)
        if has_gap and not lines[-1].strip():
            lines.pop()
        return lines[1:]

    def is_read(self, after: Comparison) -> bool:
        """Return True if no heading is lost, and each row is a row in the new index."""
        kept = (match.row for match in self.compared.matches if match.row.line not in self.removed)
        rows = [self.replaced.get(row.line, row.text) for row in kept] + self.rows
        read = Counter(match.row.text.strip() for match in after.matches)
        titles = Counter(s.title for s in self.index.sections if s.first not in self.replaced)
        titles -= Counter([None, *(section.title for section in after.index.sections)])
        return not titles and not Counter(row.strip() for row in rows) - read

    def _is_ignored(self, kind: str, subject: str) -> bool:
        return (kind, subject) in self.ignored

    def _rename(self) -> None:
        """Give orphan rows the new words of their headings; a block renames only rows it keeps.

        If an orphan row and a heading without a row are each other's only candidate, the heading
        was renamed. The row stays on its line and keeps its other text. A line in a section that
        names no file may be a note.
        """
        if self.index.form.is_block and not self._is_whole:
            return
        fixed_lines = {row.line for row in self.compared.notes} | self._unused
        for _, row, heading in sole(self.compared.candidates):
            subjects = (kinds.ORPHAN_ROW, row.text), (kinds.MISSING_ROW, heading.title)
            if row.line in fixed_lines or any(subject in self.ignored for subject in subjects):
                continue
            file = self.compared.files[heading.path]
            text = renamed(row, heading, file.summary(heading), self.places.style_of(file.path))
            if is_row_of(text, heading, file, row.table):
                self.replaced[row.line] = text
                (orphan, old), (missing, title) = subjects
                self.renamed |= {(orphan, self.index.path, old), (missing, file.path, title)}

    @cached_property
    def _misplaced(self) -> Sequence[tuple[Match, Heading]]:
        """The rows of headings of another file, each with its heading."""
        return [
            (match, match.heading)
            for match in self.compared.matches
            if match.problem == kinds.WRONG_SECTION and match.heading
            if not self._is_ignored(kinds.WRONG_SECTION, self.compared.subject_of(match))
        ]

    def _correct_paths(self) -> None:
        """Correct the paths of rows, and of sections whose rows all belong to one other file."""
        of_section: defaultdict[int, list[Match]] = defaultdict(list)
        for match, heading in self._misplaced:
            if match.row.path_at != MISSING:
                self.replaced[match.row.line] = self._with_path(match, heading.path)
            else:
                of_section[self.index.section_at(match.row.line).first].append(match)
        for first, matches in of_section.items():
            written, old = self.index.section_at(first).path, matches[0].path
            new, *others = {match.heading.path for match in matches if match.heading}
            is_known = new in self.places.sections or any(
                match.path in (old, new) and match.problem in ("", kinds.MISSING_FILE)
                for match in self.compared.matches
            )
            is_gone = old in self.compared.absent and not self._is_ignored(kinds.MISSING_FILE, old)
            if is_gone and not others and not is_known:
                text, path = self.index.lines[first - 1], self.index.path_like(written, old, new)
                self.replaced[first] = chomp(text).replace(written, path)
                self.replaced |= {m.row.line: self._with_path(m, new) for m in matches}
                return  # another section may mean the same file

    def _with_path(self, match: Match, path: str) -> str:
        """Return the text of a row with another path, also in the lines that it points at."""
        row, resolve = match.row, self.index.resolve
        written = {row.path_at: row.path} | {p.path_at: p.path for p in row.pointers}
        parts = {
            at: self.index.path_like(old, match.path, path)
            for at, old in written.items()
            if old and resolve(old, (match.path,)) == match.path
        }
        return edited(row.text, parts)

    def _correct_numbers(self) -> None:
        """Correct the line numbers of rows; a range keeps its length within the section."""
        for match in self.compared.matches:
            row, heading, parts = match.row, match.heading, dict[Span, str]()
            for pointer, _ in stale_pointers(self.compared, match):
                if heading and not self._is_ignored(kinds.STALE_LINE_NUMBER, row.text):
                    last = heading.line + pointer.last - pointer.first
                    last = min(last, heading.last) if last >= heading.line else heading.last
                    parts |= {pointer.first_at: str(heading.line), pointer.last_at: str(last)}
            if parts:
                self.replaced[row.line] = edited(row.text, parts)

    def _place_rows(self) -> None:
        """Move, remove, add and sort rows."""
        additions: list[Addition] = []
        for match, heading in self._misplaced:
            if match.row.table is None and is_title(heading.path):
                self.removed.add(match.row.line)
                additions.append((heading, self._with_path(match, heading.path)))
        self.removed |= self._unused | {
            match.row.line
            for match in self.compared.matches
            if match.problem == kinds.STRUCTURAL_ROW
            if not self._is_ignored(kinds.STRUCTURAL_ROW, match.row.text)
        }
        groups = [
            [match for match in group if match.row.line not in self.removed]
            for group in self.compared.groups()
        ]
        for group in groups:
            if not any(self._is_ignored(kinds.ORDER, match.row.text) for match in group):
                for before, after in zip(group, in_heading_order(group), strict=True):
                    self.replaced[before.row.line] = after.row.text
        if self.add_missing or (self.index.form.is_block and self._is_whole):
            additions += [
                (heading, text)
                for heading, text in self.places.new_rows()
                if not self._is_ignored(kinds.MISSING_ROW, heading.title)
            ]
        additions.sort(key=lambda addition: addition[0].line)
        self.rows = [text for _, text in additions]
        for below, texts in self.places.of(additions, groups).items():
            self.added[below] += texts

    @cached_property
    def _is_whole(self) -> bool:
        """True if entries are known: there are some, and no unclosed block hides more."""
        hiding = blocks_of(self.index.to_bytes()).outline.hiding_blocks
        has_headings = any(file.headings for file in self.compared.files.values())
        return has_headings and all(block.closed for block in hiding)

    @cached_property
    def _unused(self) -> set[int]:
        """The lines of a block's rows that no entry needs and that contain nothing else."""
        return {
            match.row.line
            for match in self.compared.matches
            if match.problem in (kinds.ORPHAN_ROW, kinds.DUPLICATE_ROW) and self.index.form.is_block
            if self._is_whole and not self._is_ignored(match.problem, match.row.text)
            if match.row.table is not None
            for texts in [zip_longest(cells(match.row.text), match.row.table.columns)]
            if not any(text and meaning is None for text, meaning in texts)
        }
