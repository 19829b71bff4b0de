"""Where an entry was before the commit that its first line is blamed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.history.blame import LineOrigin
from learnings.history.blobs import BlobReader
from learnings.history.git.repository import Repository
from learnings.history.versions import name_before


class EntryLine(NamedTuple):
    """The first line of an entry, 1-based, in a file of a commit."""

    commit: str
    path: str
    line: int


class Predecessors(NamedTuple):
    """Where an entry was in the parents of a commit.

    reworded is True if it had another heading there.
    """

    lines: tuple[EntryLine, ...] = ()
    reworded: bool = False


class _Parent(NamedTuple):
    commit: str
    path: str
    blob: str


def predecessors(origin: LineOrigin, repository: Repository, blobs: BlobReader) -> Predecessors:
    """Return where an entry was before a commit that blame names for its first line.

    An entry that a parent has under the same identity was only moved, which blame does not always
    see. Else it is an entry that the commit removed from the same file, with another heading and a
    similar body. There is more than one where several parents of a merge qualify.
    """
    if origin.commit is None or origin.previous is None:
        return Predecessors()
    new = blobs.find(origin.commit, origin.path)
    if new is None:
        return Predecessors()
    parents = list(_parents(origin, repository, blobs))
    entry = None if _is_new(origin, new, parents, blobs) else _entry_at(blobs, new, origin.line)
    if entry is None:
        return Predecessors()
    moved = [(p, blobs.document(p.blob).by_identity.get(entry.identity)) for p in parents]
    lines = tuple(EntryLine(p.commit, p.path, old.first) for p, old in moved if old is not None)
    if lines:
        return Predecessors(lines)
    return Predecessors(tuple(_reworded(entry, new, parents, blobs)), reworded=True)


def _reworded(
    entry: Entry, new: str, parents: list[_Parent], blobs: BlobReader
) -> Iterator[EntryLine]:
    for parent in parents:
        other_blobs = (sibling.blob for sibling in parents if sibling is not parent)
        old = blobs.changes(parent.blob, new, *other_blobs).origin_of(entry)
        if old is not None:
            yield EntryLine(parent.commit, parent.path, old.first)


def _parents(origin: LineOrigin, repository: Repository, blobs: BlobReader) -> Iterator[_Parent]:
    """Yield the parents that have the file, under any name."""
    assert origin.commit is not None
    for commit in blobs.parents(origin.commit):
        path = origin.previous_path if commit == origin.previous else origin.path
        assert path is not None
        blob = blobs.find(commit, path)
        if blob is None:
            path = name_before(repository, commit, origin.commit, origin.path) or path
            blob = blobs.find(commit, path)
        if blob is not None:
            yield _Parent(commit, path, blob)


def _is_new(origin: LineOrigin, new: str, parents: list[_Parent], blobs: BlobReader) -> bool:
    """Return True if the commit certainly added the entry.

    That is where it only inserted lines, and there was no such heading before: true for most
    entries, and found in a tenth of the time that parsing both versions takes.
    """
    if len(parents) != 1:
        return False
    if not blobs.only_inserts(parents[0].blob, new):
        return False
    before, after = blobs.sketch(parents[0].blob), blobs.sketch(new)
    line = after.lines[origin.line - 1]
    return line.startswith(b"#") and not before.may_hold_heading(line)


def _entry_at(blobs: BlobReader, blob: str, line: int) -> Entry | None:
    return blobs.document(blob).by_first_line.get(line)
