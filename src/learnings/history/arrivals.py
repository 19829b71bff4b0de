"""The origins of entries that a commit moved into a file: blocks of lines in other text files."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.entry_changes import comparable_line
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, encode
from learnings.history.blobs import BlobReader
from learnings.history.file_graph import GraphCommit
from learnings.history.file_history import FileHistory
from learnings.history.text_changes import ParentDiff
from learnings.history.trails import Trail, Trails

MIN_BLOCK = 40
"""Minimum letters and digits for a block of lines to count as moved, as in `blame -C`."""

# A run of letters: a date before the title may have been removed.
_WORDS = lazy_pattern(r"[^\W\d_]+")
# Files whose contents are requested before they are searched; chosen without a measurement.
_LOOK_AHEAD = 8


class End(NamedTuple):
    """Entries that a commit brought into the file at a path, with its blob there."""

    path: str
    commit: GraphCommit
    blob: str
    trails: Trails


class Arrival(NamedTuple):
    """Entries that were in the file at a path before a commit, in a version with a certain blob."""

    path: str
    commit: str
    blob: str
    trails: Trails


def arrivals(end: End, diffs: list[ParentDiff], history: FileHistory) -> Iterator[Arrival]:
    """Yield earlier places of entries: blocks of lines in other text files that a commit changed.

    If it created the file, all text files of its parents are searched.
    """
    changed = [file for diff in diffs for file in diff.files if file.path != end.path]
    sources = [(file.path, file.before) for file in changed if file.before is not None]
    left = yield from _from_files(end, end.trails, sources, history)
    changes = [diff.file(end.path) for diff in diffs]
    is_created = all(file is not None and file.before is None for file in changes)
    if left and is_created:
        for diff in diffs:
            sources = [*history.changes.all_files(diff.parent).items()]
            left = yield from _from_files(end, left, sources, history)


def _from_files(
    end: End, trails: Trails, sources: Sequence[tuple[str, str]], history: FileHistory
) -> Generator[Arrival, None, Trails]:
    """Yield the sources (path and blob) with entries; return the trails without one."""
    block_finder = _Blocks(end.blob, trails, history.blobs)
    best: dict[Trail, _Block] = {}
    versions = sorted(set(sources))
    for index, version in enumerate(versions):
        if index % _LOOK_AHEAD == 0:
            history.blobs.prefetch(blob for _, blob in versions[index : index + 2 * _LOOK_AHEAD])
        for trail, block in block_finder.blocks(*version):
            if block.size > best.get(trail, _NO_BLOCK).size:
                best[trail] = block
    for path, blob in versions:
        there: Trails = {}
        for trail, block in best.items():
            if (block.path, block.blob) == (path, blob):
                older = block.trail._replace(moved_from=trail.moved_from or path)
                there[older] = there.get(older, 0) | trails[trail]
        if there:
            yield Arrival(path, end.commit.commit, blob, there)
    return {trail: bits for trail, bits in trails.items() if trail not in best}


class _Block(NamedTuple):
    """Lines of another file that equal the lines of an entry; size counts letters and digits."""

    size: int
    path: str
    blob: str
    trail: Trail


_NO_BLOCK = _Block(MIN_BLOCK - 1, "", "", Trail("", ""))


class _Blocks:
    """A search for the lines of entries in other files; blank lines do not count."""

    def __init__(self, blob: str, trails: Trails, blobs: BlobReader) -> None:
        self._blob = blob
        self._trails = trails
        self._blobs = blobs
        words = (max(_WORDS.findall(trail.line), key=len, default="") for trail in trails)
        self._screen = tuple({encode(word) for word in words})

    def blocks(self, path: str, blob: str) -> Iterator[tuple[Trail, _Block]]:
        """Yield the entries whose first line is in a version of a file, with their block."""
        data = self._blobs.version(blob)
        if not any(word in data for word in self._screen):
            return
        document = self._blobs.document(blob)
        lines = _lines(document)
        places = _places(document, lines)
        for trail, (rank, titles) in self._wanted.ranks.items():
            for other in {other: None for title in titles for other in places.get(title, ())}:
                number = lines[other][0]
                entry = document.by_first_line.get(number)
                line = chomp(document.lines[number - 1])
                older = trail.at(entry) if entry else trail._replace(line=line)
                size = self._wanted.size(rank, lines, other)
                yield trail, _Block(size, path, blob, older)

    @cached_property
    def _wanted(self) -> _Wanted:
        """Made only if a file may contain an entry, which is rare."""
        return _Wanted(self._blobs.document(self._blob), self._trails)


class _Wanted:
    """The lines of the version that entries came with.

    ranks gives the position of each first line among the non-blank lines, and the line and title in
    comparable form: the title of a list item omits its date.
    """

    def __init__(self, document: Document, trails: Trails) -> None:
        self._lines = _lines(document)
        index = {number: rank for rank, (number, _) in enumerate(self._lines)}
        self.ranks: dict[Trail, tuple[int, frozenset[str]]] = {}
        self._new: set[int] = set()
        for trail in trails:
            entry = document.by_identity.get(trail.identity)
            first = entry.first if entry else _number(document, trail.line)
            if first in index:
                title = comparable_line(entry.title if entry else trail.line).letters
                line = self._lines[index[first]][1]
                self.ranks[trail] = index[first], frozenset((line, title))
                last = entry.last if entry else _hidden_last(document, first)
                numbers = range(first, last + 1)
                self._new |= {index[number] for number in numbers if number in index}

    def size(self, rank: int, lines: Sequence[tuple[int, str]], other: int) -> int:
        """Count the letters and digits of the equal, new lines around a first line."""
        size = _size(lines[other][1])
        for step in (1, -1):
            shift = step
            while rank + shift in self._new and 0 <= other + shift < len(lines):
                letters = lines[other + shift][1]
                if letters != self._lines[rank + shift][1]:
                    break
                size += _size(letters)
                shift += step
        return size


def _size(letters: str) -> int:
    return len(letters) if letters[0].isalnum() else 0


def _places(document: Document, lines: Sequence[tuple[int, str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for rank, (number, letters) in enumerate(lines):
        entry = document.by_first_line.get(number)
        titles = {letters, comparable_line(entry.title).letters} if entry else {letters}
        for title in titles:
            places.setdefault(title, []).append(rank)
    return places


def _lines(document: Document) -> list[tuple[int, str]]:
    """Return the non-blank lines: their numbers (1-based) and comparable texts."""
    lines = ((n, comparable_line(line).letters) for n, line in enumerate(document.lines, start=1))
    return [(number, letters) for number, letters in lines if letters]


def _hidden_last(document: Document, first: int) -> int:
    """Return the last line (1-based) of text that looks like an entry but is hidden in a fence.

    Archives store entries in this way. The text ends at the next heading, or with the version;
    surplus lines do no harm, since they must be equal in the other file.
    """
    following = range(first, len(document.lines))
    next_heading = (n for n in following if document.lines[n].startswith("#"))
    return next(next_heading, len(document.lines))


def _number(document: Document, line: str) -> int:
    """Return the number of a line that begins no entry, 0 if it is absent."""
    return next((n for n, text in enumerate(document.lines, start=1) if chomp(text) == line), 0)
