"""Which row of a memory index stands for which heading: the one answer for checks and fixes.

A row is read in all ways that its text allows (see reading.Reading) and belongs to the first
heading of its own file that has one of these keys; keys are equal or they are not. Rows whose key
several headings of a file share are given to them one after another. What is left over may belong
to a heading of another file, to a structural one or, with a fuzzy threshold, be similar to one. In
a section that names no file a line is a row if it belongs to a heading that has none else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.index.files import HeadingKind, IndexedFile, Location, Target
from learnings.core.index.lines import Row
from learnings.core.index.match import Match, MatchStatus, RowMatch
from learnings.core.index.model import IndexFile

if TYPE_CHECKING:
    from learnings.core.index.near_keys import NearKeys


def match(index: IndexFile, files: Sequence[IndexedFile], *, fuzzy: float | None = None) -> Match:
    """Compare an index with the files whose headings it has to list.

    fuzzy is a ratio above 0 up to 1 from which a key counts as similar, None for exact keys only:
    a similar row is not an orphan, but its heading still is without a row.
    """
    matching = _Matching(index, {file.path: file for file in files})
    row_matches = sorted(matching.run(fuzzy), key=lambda row_match: row_match.row.line)
    missing = tuple(matching.missing())
    absent, notes = matching.absent(), tuple(matching.notes)
    return Match(tuple(row_matches), missing, matching.similar, absent, notes)


class _Matching:
    """The work in progress: matched and similar are the rows by the location of their target."""

    def __init__(self, index: IndexFile, files: dict[str, IndexedFile]) -> None:
        self.index = index
        self.files = files
        self.matched: dict[Location, Row] = {}
        self.similar: dict[Location, Row] = {}
        self.by_key: dict[str, list[Target]] = {}
        self.near_keys: dict[str, NearKeys] = {}
        self.notes: list[Row] = []

    def run(self, fuzzy: float | None) -> Iterator[RowMatch]:
        """Give the rows in passes: exact in their own file, in others, without a file, the rest."""
        rest, without_file = [], []
        for row in self.index.rows:
            path = None if row.path is None else self.index.resolve(row.path, self.files)
            if row.reading.fault is not None and (path is not None or row.path is None):
                yield RowMatch(row, path or self.index.path, MatchStatus.UNREADABLE)
            elif path is None:
                without_file.append(row)
            else:
                rest.append((row, path))
        for match_one in (self._in_own_file, self._in_other_file):
            row_matches = [(row, path, match_one(row, path)) for row, path in rest]
            yield from (row_match for _, _, row_match in row_matches if row_match)
            rest = [(row, path) for row, path, m in row_matches if not m and row.reading.plain]
        yield from filter(None, map(self._without_file, without_file))
        yield from (self._unknown(row, path, fuzzy) for row, path in rest)

    def missing(self) -> Iterator[Target]:
        """Give the targets without a row."""
        for file in self.files.values():
            targets = self.index.form.targets_of_file(self.index, file, matched=self.matched)
            yield from (target for target in targets if target.location not in self.matched)

    def absent(self) -> dict[str, tuple[int, ...]]:
        """Return the files that are named and not there, with the lines that name them."""
        lines: defaultdict[str, list[int]] = defaultdict(list)
        for written, line in self._named():
            path = self.index.resolve(written, self.files)
            if path is not None and path not in self.files:
                lines[path].append(line)
        return {path: tuple(sorted(set(numbers))) for path, numbers in lines.items()}

    def _named(self) -> Iterator[tuple[str, int]]:
        yield from self.index.section_paths()
        for row in self.index.rows:
            if row.reading.path is not None:
                yield row.reading.path, row.line

    def _in_own_file(self, row: Row, path: str) -> RowMatch | None:
        """Match a row with what its own file has for it, None if there is nothing."""
        file = self.files.get(path)
        if file is None:
            return None
        targets = self.index.form.targets_of_row(row.reading.keys, file)
        return self._assign(row, path, targets, MatchStatus.MATCHED)

    def _assign(
        self, row: Row, path: str, targets: Sequence[Target], status: MatchStatus
    ) -> RowMatch | None:
        """Give the row to the first target without one; None if there is no target."""
        if not targets:
            return None
        for target in targets:
            if target.location not in self.matched:
                self.matched[target.location] = row
                return RowMatch(row, path, status, target)
        rival = self.matched[targets[-1].location]
        return RowMatch(row, path, MatchStatus.DUPLICATE, targets[-1], rival)

    def _in_other_file(self, row: Row, path: str) -> RowMatch | None:
        """Match a row with a heading of another file, else with a structural one of its own.

        A second row of a heading in another file comes last.
        """
        targets = self._targets_in_other_files(row, path)
        row_match = self._assign(row, path, targets, MatchStatus.OTHER_FILE)
        if row_match is not None and row_match.status is MatchStatus.OTHER_FILE:
            return row_match
        file = self.files.get(path)
        headings = file.headings_with(row.reading.keys, HeadingKind.STRUCTURAL) if file else ()
        if file is not None and headings:
            return RowMatch(row, path, MatchStatus.STRUCTURAL, Target(file, headings[0]))
        return row_match

    def _without_file(self, row: Row) -> RowMatch | None:
        """Match a row in a section that names no file with a heading that has no row.

        Anything else there is a note, such as an example of a row.
        """
        if not self.index.form.has_sections or not row.reading.plain or row.reading.fault:
            return None
        for target in self._targets_in_other_files(row, ""):
            if target.location not in self.matched:
                self.matched[target.location] = row
                return RowMatch(row, "", MatchStatus.NO_FILE, target)
        self.notes.append(row)
        return None

    def _targets_in_other_files(self, row: Row, path: str) -> Sequence[Target]:
        """Return the headings of other files that have the first key that any file has."""
        if not self.by_key:
            for file in self.files.values():
                for key, headings in file.by_key[HeadingKind.SEMANTIC].items():
                    self.by_key.setdefault(key, []).append(Target(file, headings[0]))
        keys = (key for key in row.reading.keys if key in self.by_key)
        targets = self.by_key.get(next(keys, ""), [])
        return [target for target in targets if target.file.path != path]

    def _unknown(self, row: Row, path: str, fuzzy: float | None) -> RowMatch:
        """Return what a row is whose key no heading has."""
        file = self.files.get(path)
        if file is None:
            return RowMatch(row, path, MatchStatus.FILE_MISSING)
        targets = [] if fuzzy is None else self._similar(row, file, fuzzy)
        rows = self.matched | self.similar
        for target in targets:
            if target.location not in rows:
                self.similar[target.location] = row
                return RowMatch(row, path, MatchStatus.FUZZY, target)
        if targets:
            rival = rows[targets[0].location]
            return RowMatch(row, path, MatchStatus.COLLISION, targets[0], rival)
        return RowMatch(row, path, MatchStatus.ORPHAN)

    def _similar(self, row: Row, file: IndexedFile, ratio: float) -> list[Target]:
        """Return the headings of a file whose key is like that of a row, the likest first."""
        from learnings.core.index.near_keys import NearKeys  # noqa: PLC0415  (only with a threshold)

        semantic = file.by_key[HeadingKind.SEMANTIC]
        if file.path not in self.near_keys:
            self.near_keys[file.path] = NearKeys(semantic)
        near = self.near_keys[file.path].near(row.reading.keys[-1], ratio=ratio)
        return [Target(file, semantic[key][0]) for _, key in near]
