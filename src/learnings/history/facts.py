"""All that git says about one memory file, read with as little waiting as possible."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from learnings.core.due.ages import UNCOMMITTED, Activity, History, Origin
from learnings.core.entries.document import LARGEST_FILE, Document, excess, excess_of, read
from learnings.core.errors import MissingFile, UntrustedHistory
from learnings.core.text import counted
from learnings.history import activity
from learnings.history.blobs import BlobReader
from learnings.history.file_cache import FileHistoryCache
from learnings.history.file_history import FileHistory
from learnings.history.git import process
from learnings.history.git.cache import Cache
from learnings.history.git.repository import (
    Repository,
    open_repository,
    refuse_submodule,
    synthetic_merge,
)
from learnings.history.query import FileLocation, HistoryQuery
from learnings.history.regular_file import read_regular


def read_history(query: HistoryQuery) -> tuple[Document, History]:
    """Read a memory file and its history.

    Raises MissingFile for a file that is not there, UntrustedHistory for a history that cannot
    answer, UsageProblem for a commit that does not exist.
    """
    repository = open_repository_of(query)
    with BlobReader(repository, query.read_options) as blobs:
        location = locate_file(query, repository, blobs)
        try:
            with FileHistory(repository, location.path, blobs) as file_history:
                return _read_history(query, location, file_history, cache_of(repository))
        finally:
            process.stop_prefetched()


def open_repository_of(query: HistoryQuery) -> Repository:
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


def cache_of(repository: Repository) -> Cache:
    """Return the repository's cache; a replaced or shallow history is never cached."""
    return Cache(None if repository.has_replacements else repository.common_dir / "learnings")


def locate_file(query: HistoryQuery, repository: Repository, blobs: BlobReader) -> FileLocation:
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
    data = read_file(query.file, shown=path)
    if head_blob is None and not repository.run("ls-files", "-z", "--", path):
        import shlex  # noqa: PLC0415  (for errors only)

        raise UntrustedHistory(
            f"git does not track {path}, so nothing is known of its age; run: "
            f"git add {shlex.quote(path)} and commit it"
        )
    clean = head_blob is not None and data == blobs.data(head_blob)
    return FileLocation(repository, path, data, head_blob, repository.head if clean else None)


def read_file(file: Path, *, shown: str) -> bytes:
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


def _read_history(
    query: HistoryQuery, location: FileLocation, file_history: FileHistory, cache: Cache
) -> tuple[Document, History]:
    """Read dates, origins and consolidation, with git's processes side by side."""
    repository = location.repository
    synthetic = synthetic_merge(repository)
    dates = _start_dates(query, repository, cache, synthetic=synthetic)
    history_cache = FileHistoryCache(query, location, file_history, cache)
    document = read(location.data, query.read_options)
    consolidation = history_cache.consolidation()
    origins = history_cache.origins_of(document)
    process.stop_prefetched()
    everything = activity.activity_until(dates.finish(cache), until=query.tomorrow)
    active = everything.until(query.as_of) if query.as_of else everything
    # Days that are counted already end where the query does.
    is_past = bool(query.as_of and query.known_days) or active.as_of != everything.as_of
    if not everything.skewed_commits:
        history_cache.save_consolidation(consolidation)
    if not is_past and location.rev is None:
        from learnings.history.uncommitted import (  # noqa: PLC0415  (most files are as HEAD has them)
            uncommitted_consolidation,
        )

        uncommitted = uncommitted_consolidation(
            query, location, file_history.blobs, document, as_of=active.as_of
        )
        consolidation = uncommitted or consolidation
    history = History(
        head=repository.head,
        shallow=repository.shallow,
        activity=active,
        origins=origins_until(origins, active.as_of or "") if is_past else origins,
        consolidation=consolidation,
        notes=(
            *notes_of(query, repository, active, synthetic=synthetic),
            *history_cache.ignored.notes,
        ),
    )
    return document, history


def _start_dates(
    query: HistoryQuery, repository: Repository, cache: Cache, *, synthetic: bool
) -> activity.DateWalk:
    tips = repository.parents if synthetic else (repository.head,)
    if query.known_days is not None:
        return activity.from_known_days(repository, query.known_days)
    return activity.start(repository, tips, query.ignore_authors, cache)


def origins_until(origins: Mapping[str, Origin], as_of: str) -> dict[str, Origin]:
    """Return the origins up to a day, ISO text; uncommitted text is newer than all."""
    return {
        identity: origin
        for identity, origin in origins.items()
        if origin.basis != UNCOMMITTED and (origin.date is None or origin.date <= as_of)
    }


def notes_of(
    query: HistoryQuery, repository: Repository, active: Activity, *, synthetic: bool
) -> list[str]:
    """Return sentences that say why a history differs from the repository's own."""
    notes = list(repository.notes)
    if repository.shallow:
        notes.append("shallow clone: every age and the staleness are lower bounds")
    if active.skewed_commits:
        verb = "is" if active.skewed_commits == 1 else "are"
        commits = counted(active.skewed_commits, "commit")
        notes.append(f"{commits} {verb} dated later than tomorrow and not counted")
    if active.undated_commits:
        number = active.undated_commits
        have, are = ("has", "is") if number == 1 else ("have", "are")
        commits = counted(number, "commit")
        notes.append(f"{commits} {have} no author date that can be read and {are} not counted")
    if query.ignore_authors:
        notes.append(f"commits of {', '.join(query.ignore_authors)} are not counted")
    if synthetic:
        notes.append("the merge commit at HEAD was made by a server and is not counted")
    return notes
