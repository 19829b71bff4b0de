"""The versions of a file: every commit that changed it, newest first, under each of its names."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from learnings.history.blobs import BlobReader
from learnings.history.dates import usable_day
from learnings.history.git import commands, process
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository, explained

_CHUNK = 1 << 16  # bytes, what a pipe holds on Linux
_HEADER = b"\x01"  # what commands.file_commits() makes git print before each commit
_SUBMODULE = b"160000"  # the mode of a submodule, whose id is not a blob


class FileCommit(NamedTuple):
    """A commit that changed a file: its author date, its parents and the file's blobs.

    blob is the file after the commit, None where the commit deleted it; before holds the blob in
    each parent, None where the parent has no such file. A merge changed the file only where it
    differs from that of every parent. path is the file's name after the commit. date is ISO text,
    LATEST where it cannot be used.
    """

    commit: str
    date: str
    parents: tuple[str, ...]
    path: str
    blob: str | None
    before: tuple[str | None, ...]


class _Change(NamedTuple):
    """A commit with git's raw records: (blobs before, blob after) by path."""

    commit: str
    date: str
    parents: tuple[str, ...]
    records: dict[str, tuple[tuple[str | None, ...], str | None]]


def file_commits(
    repository: Repository, path: str, blobs: BlobReader, *, rev: str | None = None
) -> Generator[FileCommit, None, None]:
    """Yield the commits that changed a file in git's default order, full history, through renames.

    path is relative to the top, at rev (default: the repository's head). Close the iterator to
    stop early; git then stops as well.
    """
    names = [path]
    seen: set[str] = set()
    while True:
        older = None
        with closing(_walk(repository, rev or repository.head, names)) as changes:
            for change in changes:
                if change.commit in seen:
                    continue
                older = _renamed_from(repository, blobs, change, names)
                if older is not None:
                    break
                seen.add(change.commit)
                file_commit = _file_commit(change, names, blobs)
                if file_commit is not None:
                    yield file_commit
        if older is None:
            return
        # Branches may have changed the file under its older name, so the walk starts again.
        names.append(older)


def first_parent_commits(
    repository: Repository, path: str, blobs: BlobReader, *, rev: str | None = None
) -> Generator[FileCommit, None, None]:
    """Yield the commits that changed a file along the first parents: the versions of the branch."""
    names = [path]
    position: str | None = rev or repository.head
    while position is not None:
        start, position = position, None
        with closing(_walk(repository, start, names[-1:], first_parent=True)) as changes:
            for change in changes:
                older = _renamed_from(repository, blobs, change, names)
                if older is not None:
                    names.append(older)
                file_commit = _file_commit(change, names, blobs)
                if file_commit is not None:
                    yield file_commit
                if older is not None:
                    position = change.parents[0]
                    break


def _file_commit(change: _Change, names: Sequence[str], blobs: BlobReader) -> FileCommit | None:
    """Return the change of the file in a commit; None where it changed another of the same name."""
    name = _name_at(change, names, blobs)
    if name is None:
        return None
    older, blob = change.records[name]
    before = tuple(
        blob_before or _under_another_name(change, index, name, names, blobs)
        for index, blob_before in enumerate(older[: len(change.parents)])
    )
    return FileCommit(change.commit, change.date, change.parents, name, blob, before)


def _name_at(change: _Change, names: Sequence[str], blobs: BlobReader) -> str | None:
    """Return the name that the file has after a commit, or had before it was deleted.

    That is the newest name that exists after the commit; None where the commit did not touch it.
    """
    for name in names:
        record = change.records.get(name)
        if record is not None and record[1] is not None:
            return name
        if record is None and len(names) > 1 and blobs.find(change.commit, name):
            return None
    return next(name for name in names if name in change.records)


def _under_another_name(
    change: _Change, index: int, name: str, names: Sequence[str], blobs: BlobReader
) -> str | None:
    """Return the blob that the file has in a parent under another of its names."""
    for other_name in names:
        if other_name != name:
            record = change.records.get(other_name)
            parent = change.parents[index]
            blob = record[0][index] if record else blobs.find(parent, other_name)
            if blob:
                return blob
    return None


def _renamed_from(
    repository: Repository, blobs: BlobReader, change: _Change, names: Sequence[str]
) -> str | None:
    """Return the name that a commit renamed to one of the file's names, None where it did not.

    Only a name that is not known yet is returned. A rename is what git detects as one at its
    default similarity.
    """
    for name in names:
        before, after = change.records.get(name, ((), None))
        if after is None:
            continue
        for parent, blob in zip(change.parents, before, strict=False):
            exists = blob or any(blobs.find(parent, known_name) for known_name in names)
            if not exists:
                return name_before(repository, parent, change.commit, name)
    return None


def name_before(repository: Repository, parent: str, commit: str, name: str) -> str | None:
    """Return the name in a parent of a file that a commit renamed; name is its name after it.

    None where git detects no rename at its default similarity.
    """
    arguments = ["diff-tree", "-r", "-M", "--raw", "-z", "--diff-filter=R", parent, commit]
    fields = repository.run(*arguments).split(b"\0")
    for old, new in zip(fields[1::3], fields[2::3], strict=False):
        if os.fsdecode(new) == name:
            return os.fsdecode(old)
    return None


def _walk(
    repository: Repository, rev: str, names: Sequence[str], *, first_parent: bool = False
) -> Generator[_Change, None, None]:
    """Yield the changes of some paths as git logs them; raises UntrustedHistory at the end."""
    arguments = commands.file_commits(rev, names, first_parent=first_parent)
    running = process.start(arguments, repository.top, unbuffered=True)
    finished = False
    try:
        yield from _parse(_tokens(running.stdout))
        finished = True
    finally:
        if not finished:
            process.stop(running)
    try:
        process.output_of(running)
    except GitFailed as error:
        raise explained(error, repository.top) from error


def _tokens(stream: object) -> Iterator[bytes]:
    """Split a stream at NUL as it arrives."""
    rest = b""
    while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]
        *complete, rest = (rest + chunk).split(b"\0")
        yield from complete
    if rest:
        yield rest


def _parse(tokens: Iterator[bytes]) -> Iterator[_Change]:
    change: _Change | None = None
    for token in tokens:
        if token.startswith(_HEADER):
            if change is not None and change.records:
                yield change
            commit, date, parents = token[1:].decode("ascii", "replace").split(commands.SEPARATOR)
            change = _Change(commit, usable_day(date), tuple(parents.split()), {})
        elif token.lstrip(b"\n").startswith(b":") and change is not None:
            path = os.fsdecode(next(tokens))
            change.records[path] = _record(token.lstrip(b"\n"))
    if change is not None and change.records:
        yield change


def _record(token: bytes) -> tuple[tuple[str | None, ...], str | None]:
    """Return (blobs before, blob after) of `::mode mode mode blob blob blob status`.

    There is one colon for each parent.
    """
    count = len(token) - len(token.lstrip(b":"))
    fields = token[count:].split(b" ")
    modes, ids = fields[: count + 1], fields[count + 1 : 2 * count + 2]
    blobs = [_blob(mode, name) for mode, name in zip(modes, ids, strict=True)]
    return tuple(blobs[:-1]), blobs[-1]


def _blob(mode: bytes, name: bytes) -> str | None:
    return None if mode == _SUBMODULE or not name.strip(b"0") else name.decode("ascii")
