"""Opens the history of a memory file: its repository, the file in it, and the reader of both."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from learnings.core.entries.document import LARGEST_FILE, excess, excess_of
from learnings.core.errors import MissingFile, UntrustedHistory
from learnings.history.blobs import BlobReader
from learnings.history.file_history import FileHistory
from learnings.history.git import process
from learnings.history.git.repository import Repository, open_repository, refuse_submodule
from learnings.history.query import FileLocation, HistoryQuery
from learnings.history.regular_file import read_regular


@contextmanager
def open_history(query: HistoryQuery) -> Iterator[FileHistory]:
    """Open the history of a memory file; what is read of it stays until the end.

    Raises MissingFile for a file that is not there, UntrustedHistory for a history that cannot
    answer, UsageProblem for a commit that does not exist; so does whatever reads the history.
    """
    repository = _open_repository(query)
    try:
        with BlobReader(repository, query.read_options) as blobs:
            location = _locate_file(query, repository, blobs)
            with FileHistory(query, location, blobs) as history:
                yield history
    finally:
        process.stop_prefetched()


def _open_repository(query: HistoryQuery) -> Repository:
    """Open the repository of the query's file; refuse one that would give wrong numbers.

    Raises MissingFile, UntrustedHistory, or UsageProblem for a commit that does not exist.
    """
    if query.at is None and not os.path.exists(query.file):  # noqa: PTH110  (never raises)
        raise MissingFile(f"{query.file} does not exist; give the path of a learnings file")
    file = Path(os.path.realpath(query.file))
    # At an older commit the file may lie in a folder that is gone.
    folder = next(folder for folder in file.parents if os.path.isdir(folder))  # noqa: PTH112
    repository = open_repository(folder, rev="HEAD" if query.at is None else query.at)
    refuse_submodule(repository.top, Path(os.path.realpath(query.cwd)), query.file)
    if repository.shallow and not query.allow_shallow:
        remedies = "run git fetch --unshallow, or check out with fetch-depth: 0"
        if query.may_allow_shallow:
            remedies += ", or accept lower bounds with --allow-shallow"
        raise UntrustedHistory(
            f"this is a shallow clone, which makes everything look young; {remedies}"
        )
    return repository


def _locate_file(query: HistoryQuery, repository: Repository, blobs: BlobReader) -> FileLocation:
    """Find the file in its repository and read it.

    Raises MissingFile, or UntrustedHistory for a file that git does not track.
    """
    path = (
        Path(os.path.realpath(query.file)).relative_to(os.path.realpath(repository.top)).as_posix()
    )
    head_blob = blobs.find(repository.head, path)
    if query.at is not None:
        if head_blob is None:
            raise MissingFile(f"{path} does not exist at {query.at}; see git log -- {path}")
        data = blobs.data(head_blob)
        _refuse(excess_of(data), path)
        return FileLocation(repository, path, data, head_blob, repository.head)
    data = _read_file(query.file, shown=path)
    if head_blob is None and not repository.run("ls-files", "-z", "--", path):
        import shlex  # noqa: PLC0415  (for errors only)

        raise UntrustedHistory(
            f"git does not track {path}, so nothing is known of its age; run: "
            f"git add {shlex.quote(path)} and commit it"
        )
    clean = head_blob is not None and data == blobs.data(head_blob)
    return FileLocation(repository, path, data, head_blob, repository.head if clean else None)


def _read_file(file: Path, *, shown: str) -> bytes:
    """Return the bytes of a file; raises MissingFile, with the path shown, where it cannot be read.

    A folder, and a file larger than any memory file, are refused likewise.
    """
    try:
        if file.is_dir():
            raise MissingFile(f"{shown} is a folder; give the path of a learnings file")
        _refuse(excess(file.stat().st_size), shown)
        data = read_regular(file, most=LARGEST_FILE)
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise MissingFile(
            f"{shown} cannot be read ({reason}); check the path and its mode"
        ) from error
    _refuse(excess_of(data), shown)
    return data


def _refuse(too_much: str | None, shown: str) -> None:
    if too_much is not None:
        raise MissingFile(f"{shown} {too_much}; split it or leave it out")
