"""Entries followed back: a step between two versions of a file, or from another file."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.entry_changes import (
    comparable_line,
    counterpart,
    hidden_line,
    rewritten_pairs,
)
from learnings.core.entries.versions import title_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, encode
from learnings.history.blobs import BlobReader, ChangedFiles
from learnings.history.file_graph import GraphCommit
from learnings.history.file_history import FileHistory


class Trail(NamedTuple):
    """The identity and first line of an entry in the version that it was followed to.

    moved_from is the file that it last came from, None if it was always in its own. gap has the
    days on which it last left its file and came back.
    """

    identity: str
    line: str
    reworded: bool = False
    moved_from: str | None = None
    gap: tuple[str, ...] | None = None

    def at(self, entry: Entry) -> Trail:
        """Return the trail with the name of the entry in another version."""
        return self._replace(identity=entry.identity, line=chomp(entry.lines[0]))


Trails = dict[Trail, int]
"""Trails that arrive at a version; the bits of the number stand for the followed entries."""


_Place = TypeVar("_Place", bound=Hashable)


def add(places: dict[_Place, Trails], place: _Place, trails: Trails) -> None:
    """Add trails to those at a place; if one side has all, its object stays."""
    there = places.get(place)
    if there is None or there is trails or there == trails:
        places[place] = trails
    else:
        both = {**there, **trails}
        places[place] = {trail: there.get(trail, 0) | trails.get(trail, 0) for trail in both}


def without_bits(trails: Trails, bits: int) -> Trails:
    """Return the trails of the other entries."""
    return {trail: left for trail, there in trails.items() if (left := there & ~bits)}


def step_back(
    trails: Trails,
    blob: str,
    blobs_before: Sequence[str | None],
    blobs: BlobReader,
    *,
    is_ignored: bool = False,
) -> tuple[list[Trails], Trails]:
    """Follow entries from a version to its parents, using another heading if necessary.

    Return the trails that continue in each parent version, in blob order, and the rest. is_ignored:
    entries that the commit rewrote keep their age.
    """
    steps = [_held(trails, blob, before, blobs) for before in blobs_before]
    left = _left(trails, steps)
    older = [before for before in blobs_before if before is not None]
    if left and not all(blobs.version_change(before, blob).keeps_entries for before in older):
        for step, before in zip(steps, blobs_before, strict=True):
            if before is not None:
                others = tuple(other for other in older if other != before)
                step.update(_reworded(left, blob, before, others, blobs, is_ignored=is_ignored))
        left = _left(left, steps)
    parents: list[Trails] = []
    for step in steps:
        arriving = trails  # the same object if all continue under their names
        if len(step) < len(trails) or any(new is not old for old, new in step.items()):
            arriving = {}
            for old, new in step.items():
                arriving[new] = arriving.get(new, 0) | trails[old]
        parents.append(arriving)
    return parents, left


def _left(trails: Trails, steps: Sequence[dict[Trail, Trail]]) -> Trails:
    held = steps[0] if len(steps) == 1 else set().union(*steps)
    return {trail: bits for trail, bits in trails.items() if trail not in held}


def _held(
    trails: Iterable[Trail], blob: str, before: str | None, blobs: BlobReader
) -> dict[Trail, Trail]:
    if before is None:
        return {}
    if before == blob:
        return {trail: trail for trail in trails}
    change = blobs.version_change(before, blob)
    held: dict[Trail, Trail] = {}
    for trail in trails:
        if change.holds(trail.line):
            held[trail] = trail
        elif not change.lacks(trail.line):
            older = _in_version(trail, blobs.document(blob), blobs.document(before))
            if older is not None:
                held[trail] = older
    return held


def _in_version(trail: Trail, new: Document, old: Document) -> Trail | None:
    entry = entry_of(trail, new)
    older = counterpart(entry, new, old) if entry else old.by_identity.get(trail.identity)
    if older is not None:
        return trail.at(older)
    number = hidden_line(comparable_line(trail.line), new, old)
    if number is None:
        return None
    hidden = old.by_first_line.get(number)
    return trail.at(hidden) if hidden else trail._replace(line=chomp(old.lines[number - 1]))


def entry_of(trail: Trail, version: Document) -> Entry | None:
    """Return the entry of a trail; another dialect may give the same line another identity."""
    entry = version.by_identity.get(trail.identity)
    if entry is not None:
        return entry
    same = [entry for entry in version.entries if chomp(entry.lines[0]) == trail.line]
    return same[0] if len(same) == 1 else None


def _reworded(
    trails: Iterable[Trail],
    blob: str,
    before: str,
    others: tuple[str, ...],
    blobs: BlobReader,
    *,
    is_ignored: bool,
) -> dict[Trail, Trail]:
    changes = blobs.changes(before, blob, *others)
    older = {new.identity: old for old, new in changes.reworded}
    if is_ignored:
        older = rewritten_pairs(changes) | older
    entries = ((trail, entry_of(trail, blobs.document(blob))) for trail in trails if older)
    return {
        trail: trail.at(older[entry.identity])._replace(reworded=True)
        for trail, entry in entries
        if entry is not None and entry.identity in older
    }


MIN_BLOCK = 40
"""Minimum letters and digits for a block of lines to count as moved, as in `blame -C`."""

# A run of letters: a date before the title may have been removed.
_WORDS = lazy_pattern(r"[^\W\d_]+")
# Files whose contents are requested before they are searched; chosen without a measurement.
_LOOK_AHEAD = 8


class End(NamedTuple):
    """Entries in a version (blob) of the file at a path.

    The commit brought them in; at their earlier place, in another file, it is the commit after.
    """

    path: str
    commit: GraphCommit
    blob: str
    trails: Trails


def arrivals(
    end: End, diffs: Mapping[str, ChangedFiles], history: FileHistory, known: int = 0
) -> Iterator[End]:
    """Yield earlier places of entries: blocks of lines in other text files that a commit changed.

    If it created the file, all text files of its parents are searched, but not for known entries.
    """
    changed = [file for files in diffs.values() for file in files.items() if file[0] != end.path]
    sources = [(path, before) for path, (before, _) in changed if before is not None]
    left = yield from _from_files(end, end.trails, sources, history)
    changes = [files.get(end.path) for files in diffs.values()]
    is_created = all(change is not None and change[0] is None for change in changes)
    left = without_bits(left, known)
    if left and is_created:
        for parent in diffs:
            sources = [*history.blobs.text_files(parent).items()]
            left = yield from _from_files(end, left, sources, history)


def _from_files(
    end: End, trails: Trails, sources: Sequence[tuple[str, str]], history: FileHistory
) -> Generator[End, None, Trails]:
    """Yield the sources (path and blob) with entries; return the trails without one."""
    words = (max(_WORDS.findall(trail.line), key=len, default="") for trail in trails)
    screen = {encode(word) for word in words}
    moved: _MovedEntries | None = None
    best: dict[Trail, tuple[int, tuple[str, str], Trail]] = {}
    versions = sorted(set(sources))
    for index, (path, blob) in enumerate(versions):
        if index % _LOOK_AHEAD == 0:
            history.blobs.prefetch(blob for _, blob in versions[index : index + 2 * _LOOK_AHEAD])
        data = history.blobs.version(blob)
        if not any(word in data for word in screen):
            continue
        moved = moved or _MovedEntries(history.blobs.document(end.blob), trails)
        for trail, size, older in moved.found_in(history.blobs.document(blob)):
            if size >= MIN_BLOCK and (trail not in best or size > best[trail][0]):
                moved_from = trail.moved_from or path
                best[trail] = size, (path, blob), older._replace(moved_from=moved_from)
    there: dict[tuple[str, str], Trails] = {}
    for trail, (_, version, older) in best.items():
        arriving = there.setdefault(version, {})
        arriving[older] = arriving.get(older, 0) | trails[trail]
    yield from (End(path, end.commit, blob, there[path, blob]) for path, blob in sorted(there))
    return {trail: bits for trail, bits in trails.items() if trail not in best}


class _MovedEntries:
    """A search for the lines of entries of a version in other files; blank lines do not count."""

    def __init__(self, document: Document, trails: Iterable[Trail]) -> None:
        self._lines = _lines(document)
        self._new: set[int] = set()
        """The ranks of the lines of the entries among all lines."""
        self._starts: dict[Trail, tuple[int, tuple[str, ...]]] = {}
        """The rank of each first line, and the line and title to look for.

        The title of a list item omits its date.
        """
        ranks = {number: rank for rank, (number, _) in enumerate(self._lines)}
        for trail in trails:
            entry = document.by_identity.get(trail.identity)
            first = entry.first if entry else _number(document, trail.line)
            if first in ranks:
                title = comparable_line(entry.title if entry else title_of(trail.line)).letters
                self._starts[trail] = ranks[first], (self._lines[ranks[first]][1], title)
                last = entry.last if entry else _hidden_last(document, first)
                self._new |= {ranks[n] for n in range(first, last + 1) if n in ranks}

    def found_in(self, document: Document) -> Iterator[tuple[Trail, int, Trail]]:
        """Yield the entries whose first line is in a version of another file.

        With them come the letters and digits of the equal lines around it, and the trail there.
        """
        lines = _lines(document)
        places: dict[str, dict[int, None]] = {}
        for rank, (number, letters) in enumerate(lines):
            entry = document.by_first_line.get(number)
            for title in (letters, comparable_line(entry.title).letters) if entry else (letters,):
                places.setdefault(title, {})[rank] = None
        for trail, (first, titles) in self._starts.items():
            for rank in {rank: None for title in titles for rank in places.get(title, ())}:
                number = lines[rank][0]
                entry = document.by_first_line.get(number)
                line = chomp(document.lines[number - 1])
                older = trail.at(entry) if entry else trail._replace(line=line)
                yield trail, self._size(first, lines, rank), older

    def _size(self, first: int, lines: Sequence[tuple[int, str]], other: int) -> int:
        """Count the letters and digits of the equal lines of entries around a first line."""
        size = _size(lines[other][1])
        for step in (1, -1):
            shift = step
            while first + shift in self._new and 0 <= other + shift < len(lines):
                letters = lines[other + shift][1]
                if letters != self._lines[first + shift][1]:
                    break
                size += _size(letters)
                shift += step
        return size


def _size(letters: str) -> int:
    return len(letters) if letters[0].isalnum() else 0


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
