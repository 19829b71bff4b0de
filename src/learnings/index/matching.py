"""Matches the rows of a memory index with headings, once for both checks and fixes.

A row belongs to the first heading of its own file that has one of its keys (see RowReading); rows
of headings that share a key take turns. The other rows may belong to a heading of another file, to
a structural heading or, with a fuzzy threshold, to a similar one. In a section that names no file,
a line is a row only if it names a heading without a row.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.index.headings import HeadingKind, HeadingLocation, IndexedFile, RowTarget
from learnings.index.index_file import IndexRow, Match, MatchStatus, MemoryIndex, RowMatch


def match_rows(
    index: MemoryIndex, files: Sequence[IndexedFile], *, fuzzy: float | None = None
) -> Match:
    """Compare an index with the files whose headings it must list.

    fuzzy is the ratio (0 to 1) from which a key is similar, None for exact keys only. A similar row
    is not an orphan, but its heading still has no row.
    """
    matching = _Matching(index, {file.path: file for file in files})
    row_matches = tuple(sorted(matching.run(fuzzy), key=lambda row_match: row_match.row.line))
    missing, absent = tuple(matching.missing()), matching.absent()
    return Match(row_matches, missing, matching.similar, absent, tuple(matching.notes))


class _Matching:
    """The state of the matching: matched and similar are the rows by location of their target."""

    def __init__(self, index: MemoryIndex, files: dict[str, IndexedFile]) -> None:
        self.index = index
        self.files = files
        self.matched: dict[HeadingLocation, IndexRow] = {}
        self.similar: dict[HeadingLocation, IndexRow] = {}
        self.by_key: dict[str, list[RowTarget]] = {}
        self.near_keys: dict[str, NearKeys] = {}
        self.notes: list[IndexRow] = []

    def run(self, fuzzy: float | None) -> Iterator[RowMatch]:
        """Yield the rows in passes: exact in their own file, in others, without a file, others."""
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

    def missing(self) -> Iterator[RowTarget]:
        for file in self.files.values():
            targets = self.index.form.targets_of_file(self.index, file, self.matched)
            yield from (target for target in targets if target.location not in self.matched)

    def absent(self) -> dict[str, tuple[int, ...]]:
        """Return the named files that do not exist, with the lines that name them."""
        lines: defaultdict[str, list[int]] = defaultdict(list)
        in_rows = [(row.reading.path, row.line) for row in self.index.rows]
        for written, line in (*self.index.section_paths(), *in_rows):
            if written is None:
                continue
            path = self.index.resolve(written, self.files)
            if path is not None and path not in self.files:
                lines[path].append(line)
        return {path: tuple(sorted(set(numbers))) for path, numbers in lines.items()}

    def _in_own_file(self, row: IndexRow, path: str) -> RowMatch | None:
        file = self.files.get(path)
        if file is None:
            return None
        targets = self.index.form.targets_of_row(row.reading.keys, file)
        return self._assign(row, path, targets, MatchStatus.MATCHED)

    def _assign(
        self, row: IndexRow, path: str, targets: Sequence[RowTarget], status: MatchStatus
    ) -> RowMatch | None:
        """Assign the row to the first target without one; None if there is no target."""
        if not targets:
            return None
        for target in targets:
            if target.location not in self.matched:
                self.matched[target.location] = row
                return RowMatch(row, path, status, target)
        rival = self.matched[targets[-1].location]
        return RowMatch(row, path, MatchStatus.DUPLICATE, targets[-1], rival)

    def _in_other_file(self, row: IndexRow, path: str) -> RowMatch | None:
        """Match a row with another file's heading, else with a structural one of its own file."""
        targets = self._targets_in_other_files(row, path)
        row_match = self._assign(row, path, targets, MatchStatus.OTHER_FILE)
        if row_match is not None and row_match.status is MatchStatus.OTHER_FILE:
            return row_match
        file = self.files.get(path)
        headings = file.headings_with(row.reading.keys, HeadingKind.STRUCTURAL) if file else ()
        if file is not None and headings:
            return RowMatch(row, path, MatchStatus.STRUCTURAL, RowTarget(file, headings[0]))
        return row_match

    def _without_file(self, row: IndexRow) -> RowMatch | None:
        """Match a row in a section without a file with a heading without a row, else note it."""
        if not self.index.form.has_sections or not row.reading.plain or row.reading.fault:
            return None
        targets = self._targets_in_other_files(row, "")
        row_match = self._assign(row, "", targets, MatchStatus.NO_FILE)
        if row_match is not None and row_match.status is MatchStatus.NO_FILE:
            return row_match
        self.notes.append(row)
        return None

    def _targets_in_other_files(self, row: IndexRow, path: str) -> Sequence[RowTarget]:
        """Return the headings of other files that have the first key that any file has."""
        if not self.by_key:
            for file in self.files.values():
                for key, headings in file.by_key[HeadingKind.SEMANTIC].items():
                    self.by_key.setdefault(key, []).append(RowTarget(file, headings[0]))
        keys = (key for key in row.reading.keys if key in self.by_key)
        targets = self.by_key.get(next(keys, ""), [])
        return [target for target in targets if target.file.path != path]

    def _unknown(self, row: IndexRow, path: str, fuzzy: float | None) -> RowMatch:
        file = self.files.get(path)
        if file is None:
            return RowMatch(row, path, MatchStatus.FILE_MISSING)
        targets = []
        if fuzzy is not None:
            semantic = file.by_key[HeadingKind.SEMANTIC]
            if file.path not in self.near_keys:
                self.near_keys[file.path] = NearKeys(semantic)
            near = self.near_keys[file.path].near(row.reading.keys[-1], ratio=fuzzy)
            targets = [RowTarget(file, semantic[key][0]) for _, key in near]
        rows = self.matched | self.similar
        for target in targets:
            if target.location not in rows:
                self.similar[target.location] = row
                return RowMatch(row, path, MatchStatus.FUZZY, target)
        if targets:
            rival = rows[targets[0].location]
            return RowMatch(row, path, MatchStatus.COLLISION, targets[0], rival)
        return RowMatch(row, path, MatchStatus.ORPHAN)


# Compare a key only with this many keys, those that share most groups of three characters with it.
# Among 1,565 titles of real memory files, the most similar one was among them for 89 of the 90 that
# have one above 0.75 in their file.
_MOST_COMPARED = 8
# Skip a group of characters that more keys share, because it says little. Chosen so that 2,000 keys
# take a second at most.
_TOO_COMMON = 100
# A comparison takes time quadratic in the length of a key, and a line may have megabytes. The
# longest of those titles has 250 characters.
_LONGEST_KEY = 300


class NearKeys:
    """A set of non-empty keys that finds the keys similar to a given one."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys_with: defaultdict[str, list[str]] = defaultdict(list)
        for key in dict.fromkeys(keys):
            for group in _groups_of_three(key):
                self._keys_with[group].append(key)

    def near(self, key: str, *, ratio: float) -> list[tuple[float, str]]:
        """Return difflib's ratio (at least `ratio`) and key of similar keys, most similar first.

        Keys with the same ratio keep their order.
        """
        from difflib import SequenceMatcher  # noqa: PLC0415  (slow, for similar keys only)

        matcher = SequenceMatcher(b=key[:_LONGEST_KEY], autojunk=False)
        ratios = []
        shared: Counter[str] = Counter()
        for group in _groups_of_three(key):
            keys = self._keys_with.get(group, ())
            if len(keys) <= _TOO_COMMON:
                shared.update(keys)
        for other, _ in shared.most_common(_MOST_COMPARED):
            matcher.set_seq1(other[:_LONGEST_KEY])
            if matcher.real_quick_ratio() >= ratio and matcher.quick_ratio() >= ratio:
                ratios.append((matcher.ratio(), other))
        return sorted((pair for pair in ratios if pair[0] >= ratio), key=lambda pair: -pair[0])


def _groups_of_three(key: str) -> set[str]:
    """Return the runs of three characters, with blanks around the key so that its ends count."""
    padded = f"  {key[:_LONGEST_KEY]}  "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}


# Of 1,565 titles of real memory files, 6 in 100 have another title in their file that is this
# similar, and in few such pairs both lack a row. A heading with one or two changed words is above
# it.
_NEAR_RATIO = 0.75


class Pairs(NamedTuple):
    """Orphan rows and headings without a row: each by the line of the row, and by its location."""

    heading_of: Mapping[int, RowTarget]
    row_of: Mapping[HeadingLocation, IndexRow]


def pairs_of(matched: Match) -> Pairs:
    """Pair orphan rows with similar headings of their file without a row, most similar first.

    A line in a section that names no file may mean any file. Rows that the matching itself found to
    be similar are left out.
    """
    heading_of: dict[int, RowTarget] = {}
    row_of: dict[HeadingLocation, IndexRow] = {}
    pairs = sorted(_candidate_pairs(matched), key=lambda pair: (-pair[0], pair[1].line))
    for _, row, target in pairs:
        if row.line not in heading_of and target.location not in row_of:
            heading_of[row.line] = target
            row_of[target.location] = row
    return Pairs(heading_of, row_of)


def sole_pairs(matched: Match) -> Iterator[tuple[IndexRow, RowTarget]]:
    """Yield each orphan row with its heading if neither has another candidate.

    A line in a section that names no file may be a note, so it only makes other pairs ambiguous.
    """
    pairs = [(row, target) for _, row, target in _candidate_pairs(matched)]
    of_row = Counter(row.line for row, _ in pairs)
    of_target = Counter(target.location for _, target in pairs)
    notes = {row.line for row in matched.notes}
    for row, target in pairs:
        if of_row[row.line] == of_target[target.location] == 1 and row.line not in notes:
            yield row, target


def _candidate_pairs(matched: Match) -> Iterator[tuple[float, IndexRow, RowTarget]]:
    rows: defaultdict[str, list[IndexRow]] = defaultdict(list, {"": [*matched.notes]})
    for row_match in matched.row_matches:
        if row_match.status is MatchStatus.ORPHAN:
            rows[row_match.path].append(row_match.row)
    missing = [target for target in matched.missing if target.location not in matched.similar]
    for path, rows_of_file in rows.items():
        by_key: defaultdict[str, list[RowTarget]] = defaultdict(list)
        for target in missing:
            if target.heading is not None and path in ("", target.file.path):
                by_key[target.heading.key].append(target)
        near_keys = NearKeys(by_key if rows_of_file else ())
        for row in rows_of_file if by_key else ():
            for similarity, key in near_keys.near(row.reading.keys[-1], ratio=_NEAR_RATIO):
                yield from ((similarity, row, target) for target in by_key[key])
