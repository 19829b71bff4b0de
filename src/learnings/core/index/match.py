"""Which row of a memory index stands for which heading: the one answer for checks and fixes.

A row is read in all ways that its text allows (see index_forms.Reading) and belongs to the first
heading of its own file that has one of these keys; keys are equal or they are not. Rows whose key
several headings of a file share are given to them one after another. What is left over may belong
to a heading of another file, to a structural one, or, with a fuzzy threshold, come near to one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from learnings.core.index.files import IndexedFile, IndexedHeading, Kind
from learnings.core.index.forms import ARROW, BLOCK
from learnings.core.index.model import IndexFile, Row


class MatchStatus(Enum):
    """What a line of the index turned out to be."""

    PLACED = "placed"  # the row of a heading of its file
    ELSEWHERE = "elsewhere"  # the row of a heading of another file
    DUPLICATE = "duplicate"  # its heading has a row with that key already
    STRUCTURAL = "structural"  # its heading is structural
    FUZZY = "near"  # no heading has its key, one without a row comes near
    COLLISION = "collision"  # no heading has its key, the nearest has a row
    ORPHAN = "orphan"  # no heading has its key
    FILE_MISSING = "homeless"  # its file is missing, and no other file has the heading
    UNREADABLE = "unreadable"  # it has the form of a row, but no key


class Target(NamedTuple):
    """What a row stands for; heading is None for the file as a whole."""

    file: IndexedFile
    heading: IndexedHeading | None

    @property
    def line(self) -> int:
        """The line of the heading, 0 for the file."""
        return self.heading.line if self.heading else 0

    @property
    def title(self) -> str:
        """The title of the heading, the path of the file."""
        return self.heading.title if self.heading else self.file.path

    @property
    def mark(self) -> tuple[str, int]:
        """What tells two targets apart."""
        return self.file.path, self.line


class RowMatch(NamedTuple):
    """A row with its fate. path is that of its file; rival is the row that was there before."""

    row: Row
    path: str
    status: MatchStatus
    target: Target | None = None
    rival: Row | None = None


class Match(NamedTuple):
    """An index held against its files.

    placements are in the order of the rows. missing are the targets without a row, near the rows
    that come near to one of them, by its mark. absent are the files that the index names and that
    are not there, each with its lines.
    """

    row_matches: tuple[RowMatch, ...]
    missing: tuple[Target, ...]
    near: Mapping[tuple[str, int], Row]
    absent: Mapping[str, tuple[int, ...]]

    def groups(self) -> list[list[RowMatch]]:
        """The rows of headings of their file, by what they have an order in; as they stand there.

        A duplicate is among them: else the order would decide which of two rows is the first.
        """
        found: defaultdict[tuple[int, str], list[RowMatch]] = defaultdict(list)
        for row_match in self.row_matches:
            at_home = row_match.target is not None and row_match.target.file.path == row_match.path
            if at_home and row_match.status in (MatchStatus.PLACED, MatchStatus.DUPLICATE):
                found[row_match.row.group, row_match.path].append(row_match)
        return list(found.values())


def arranged(group: Sequence[RowMatch]) -> list[RowMatch]:
    """Return the rows of a group in the order of their headings; as they are, if that is right.

    Duplicates do not make an order wrong, but follow what they repeat when it is put right.
    """
    lines = [_line(each) for each in group if each.status is MatchStatus.PLACED]
    return list(group) if lines == sorted(lines) else sorted(group, key=_line)


def _line(row_match: RowMatch) -> int:
    return row_match.target.line if row_match.target else 0


def match(index: IndexFile, files: Sequence[IndexedFile], *, fuzzy: float | None = None) -> Match:
    """Hold an index against the files whose headings it has to list.

    fuzzy is a ratio above 0 up to 1 from which a key counts as near, None for exact keys only: a
    near row is no orphan, but its heading still is without a row.
    """
    matching = _Matching(index, {file.path: file for file in files})
    row_matches = tuple(sorted(matching.run(fuzzy), key=lambda each: each.row.line))
    return Match(row_matches, tuple(matching.missing()), matching.near, matching.absent())


class _Matching:
    """The work in progress: which target has which row by now."""

    def __init__(self, index: IndexFile, files: dict[str, IndexedFile]) -> None:
        self.index = index
        self.files = files
        self.served: dict[tuple[str, int], Row] = {}
        self.near: dict[tuple[str, int], Row] = {}
        self.by_key: dict[str, list[Target]] = {}

    def run(self, fuzzy: float | None) -> Iterator[RowMatch]:
        left = []
        for row in self.index.rows:
            path = None if row.place is None else self.index.resolved(row.place, self.files)
            if row.place is None and row.reading.fault is not None:
                yield RowMatch(row, self.index.path, MatchStatus.UNREADABLE)
            elif path is None or (self.index.form == BLOCK and path not in self.files):
                continue
            elif row.reading.fault is not None:
                yield RowMatch(row, path, MatchStatus.UNREADABLE)
            elif row_match := self._at_home(row, path):
                yield row_match
            elif row.reading.plain:
                left.append((row, path))
        doubtful = []
        for row, path in left:
            if row_match := self._astray(row, path):
                yield row_match
            else:
                doubtful.append((row, path))
        for row, path in doubtful:
            yield self._unknown(row, path, fuzzy)

    def missing(self) -> Iterator[Target]:
        if self.index.form == BLOCK and self.index.block is None:
            return
        for file in self.files.values():
            if self.index.form == ARROW and not self._is_partly_listed(file):
                if (file.path, 0) not in self.served:
                    yield Target(file, None)
                continue
            for headings in file.by_key[Kind.SEMANTIC].values():
                # The second of the same name is a finding of its own, and no row could tell them
                # apart; entries of one name are told apart by their order.
                wanted = headings if self.index.form == BLOCK else headings[:1]
                targets = (Target(file, heading) for heading in wanted)
                yield from (target for target in targets if target.mark not in self.served)

    def absent(self) -> dict[str, tuple[int, ...]]:
        named: defaultdict[str, list[int]] = defaultdict(list)
        for place, line in self._named():
            path = self.index.resolved(place, self.files)
            if path is not None and path not in self.files and self.index.form != BLOCK:
                named[path].append(line)
        return {path: tuple(sorted(set(lines))) for path, lines in named.items()}

    def _named(self) -> Iterator[tuple[str, int]]:
        yield from self.index.headings()
        for row in self.index.rows:
            if row.reading.place is not None:
                yield row.reading.place, row.line

    def _is_partly_listed(self, file: IndexedFile) -> bool:
        """Whether an index of names lists this file heading by heading."""
        return (file.path, 0) not in self.served and any(
            (file.path, heading.line) in self.served for heading in file.headings
        )

    def _at_home(self, row: Row, path: str) -> RowMatch | None:
        file = self.files.get(path)
        if file is None:
            return None
        found = file.named(row.reading.keys, Kind.SEMANTIC)
        if not found and self.index.form == ARROW and file.names.intersection(row.reading.keys):
            return self._serve(row, path, [Target(file, None)], MatchStatus.PLACED)
        found = found or file.named(row.reading.keys, Kind.EXEMPT)
        return self._serve(row, path, [Target(file, each) for each in found], MatchStatus.PLACED)

    def _serve(
        self, row: Row, path: str, targets: Sequence[Target], status: MatchStatus
    ) -> RowMatch | None:
        """Give the row to the first target without one; None where there is no target."""
        if not targets:
            return None
        for target in targets:
            if target.mark not in self.served:
                self.served[target.mark] = row
                return RowMatch(row, path, status, target)
        rival = self.served[targets[-1].mark]
        return RowMatch(row, path, MatchStatus.DUPLICATE, targets[-1], rival)

    def _astray(self, row: Row, path: str) -> RowMatch | None:
        """Place a row that names no heading of its own file which has to have one."""
        elsewhere = self._serve(row, path, self._elsewhere(row, path), MatchStatus.ELSEWHERE)
        if elsewhere is not None and elsewhere.status is MatchStatus.ELSEWHERE:
            return elsewhere
        file = self.files.get(path)
        structural = file.named(row.reading.keys, Kind.STRUCTURAL) if file else ()
        if file is not None and structural:
            return RowMatch(row, path, MatchStatus.STRUCTURAL, Target(file, structural[0]))
        return elsewhere

    def _elsewhere(self, row: Row, path: str) -> Sequence[Target]:
        if self.index.form == BLOCK:
            return ()
        if not self.by_key:
            for file in self.files.values():
                for key, headings in file.by_key[Kind.SEMANTIC].items():
                    self.by_key.setdefault(key, []).append(Target(file, headings[0]))
        keys = (key for key in row.reading.keys if key in self.by_key)
        found = self.by_key.get(next(keys, ""), [])
        return [target for target in found if target.file.path != path]

    def _unknown(self, row: Row, path: str, fuzzy: float | None) -> RowMatch:
        file = self.files.get(path)
        if file is None:
            return RowMatch(row, path, MatchStatus.FILE_MISSING)
        near = [] if fuzzy is None else _near(row.reading.keys[-1], file, fuzzy)
        taken = self.served | self.near
        targets = [Target(file, heading) for heading in near]
        for target in targets:
            if target.mark not in taken:
                self.near[target.mark] = row
                return RowMatch(row, path, MatchStatus.FUZZY, target)
        if targets:
            return RowMatch(row, path, MatchStatus.COLLISION, targets[0], taken[targets[0].mark])
        return RowMatch(row, path, MatchStatus.ORPHAN)


def _near(key: str, file: IndexedFile, threshold: float) -> list[IndexedHeading]:
    """Return the headings whose key comes near, the nearest first."""
    from difflib import SequenceMatcher  # noqa: PLC0415  (only where somebody asks for it)

    matcher = SequenceMatcher(b=key, autojunk=False)
    scores = []
    for known, headings in file.by_key[Kind.SEMANTIC].items():
        matcher.set_seq1(known)
        if matcher.real_quick_ratio() >= threshold and matcher.quick_ratio() >= threshold:
            ratio = matcher.ratio()
            if ratio >= threshold:
                scores.append((-ratio, headings[0].line, headings[0]))
    return [heading for *_, heading in sorted(scores, key=lambda score: score[:2])]
