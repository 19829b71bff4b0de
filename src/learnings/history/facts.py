"""All that git says about one memory file, gathered with as little waiting as possible."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from learnings.core.due.ages import UNCOMMITTED, Activity, Consolidation, History, Origin
from learnings.core.entries.document import LARGEST_FILE, Document
from learnings.core.errors import MissingFile, UntrustedHistory
from learnings.history import activity
from learnings.history.blobs import Blobs
from learnings.history.file_cache import FileHistoryCache
from learnings.history.git import process
from learnings.history.git.cache import Cache
from learnings.history.git.repository import (
    Repository,
    open_repository,
    refuse_submodule,
    synthetic_merge,
)
from learnings.history.query import HistoryQuery, Place
from learnings.history.removals import consolidations


def gather(query: HistoryQuery) -> tuple[Document, History]:
    """Read a memory file and its history.

    Raises MissingFile for a file that is not there, UntrustedHistory for a history that cannot
    answer, UsageProblem for a commit that does not exist.
    """
    repository = open_for(query)
    with Blobs(repository, query.reading) as blobs:
        place = locate(query, repository, blobs)
        cache = cache_of(repository)
        try:
            return _gather(query, place, blobs, cache)
        finally:
            process.end_begun()


def all_consolidations(query: HistoryQuery) -> tuple[Consolidation, ...]:
    """Return every consolidation of a file, in git's default order; raises what gather() does."""
    repository = open_for(query)
    with Blobs(repository, query.reading) as blobs:
        path = locate(query, repository, blobs).path
        return tuple(consolidations(repository, path, blobs, min_removed=query.min_removed))


def open_for(query: HistoryQuery) -> Repository:
    """Open the repository of the file asked for; refuse what would give wrong numbers."""
    if not query.file.exists() and query.at is None:
        raise MissingFile(f"{query.file} does not exist; give the path of a learnings file")
    file = Path(os.path.realpath(query.file))
    # At an older commit the file may lie in a folder that is gone.
    folder = next(folder for folder in file.parents if folder.is_dir())
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
    """Return the repository's cache; a history that is bent or cut off is never remembered."""
    return Cache(None if repository.has_replacements else repository.common_dir / "learnings")


def locate(query: HistoryQuery, repository: Repository, blobs: Blobs) -> Place:
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
        _refuse_large(len(data), path)
        return Place(repository, path, data, head_blob, repository.head)
    data = read_file(query.file)
    if head_blob is None and not repository.run("ls-files", "-z", "--", path):
        raise UntrustedHistory(
            f"git does not track {path}, so nothing is known of its age; run: "
            f"git add {shlex.quote(path)} and commit it"
        )
    clean = head_blob is not None and data == blobs.data(head_blob)
    return Place(repository, path, data, head_blob, repository.head if clean else None)


def read_file(file: Path) -> bytes:
    """Return the bytes of a file; raises MissingFile where it is none or cannot be read.

    That is so too for more bytes than any memory has.
    """
    try:
        _refuse_large(file.stat().st_size, file)
        return file.read_bytes()
    except IsADirectoryError as error:
        raise MissingFile(f"{file} is a folder; give the path of a learnings file") from error
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise MissingFile(
            f"{file} cannot be read ({reason}); check the path and its mode"
        ) from error


def _refuse_large(size: int, shown: object) -> None:
    if size > LARGEST_FILE:
        limit = LARGEST_FILE // 1_000_000
        raise MissingFile(
            f"{shown} has more than {limit} MB, which no memory file has; split it or leave it out"
        )


def _gather(
    query: HistoryQuery, place: Place, blobs: Blobs, cache: Cache
) -> tuple[Document, History]:
    """Ask git for dates, origins and consolidation side by side."""
    repository = place.repository
    synthetic = synthetic_merge(repository)
    dates = _start_dates(query, repository, cache, synthetic=synthetic)
    document = query.reading.read(place.data)
    memory = FileHistoryCache(query, place, blobs, cache)
    added = memory.origins_of(document)
    consolidation = memory.consolidation()
    process.end_begun()
    everything = activity.counted(dates.finish(cache), until=query.tomorrow)
    counted = everything.until(query.as_of) if query.as_of else everything
    if not everything.skewed_commits:
        memory.save_consolidation(consolidation)
    origins = added.finish()
    history = History(
        head=repository.head,
        shallow=repository.shallow,
        activity=counted,
        origins=origins if counted.as_of == everything.as_of else _known_then(origins, counted),
        consolidation=consolidation,
        notes=tuple(_notes(query, repository, counted, synthetic=synthetic)),
    )
    return document, history


def _start_dates(
    query: HistoryQuery, repository: Repository, cache: Cache, *, synthetic: bool
) -> activity.DateWalk:
    tips = repository.parents if synthetic else (repository.head,)
    if query.known_days is not None:
        return activity.known(repository, query.known_days)
    return activity.start(repository, tips, query.ignore_authors, cache)


def _known_then(found: Mapping[str, Origin], counted: Activity) -> dict[str, Origin]:
    """Leave out what came after the newest day that counts; uncommitted text is newer than all."""
    as_of = counted.as_of or ""
    return {
        identity: origin
        for identity, origin in found.items()
        if origin.basis != UNCOMMITTED and (origin.date is None or origin.date <= as_of)
    }


def _notes(
    query: HistoryQuery, repository: Repository, counted: Activity, *, synthetic: bool
) -> list[str]:
    notes = list(repository.notes)
    if repository.shallow:
        notes.append("shallow clone: every age and the staleness are lower bounds")
    if counted.skewed_commits:
        notes.append(
            f"{counted.skewed_commits} commits are dated later than tomorrow and not counted"
        )
    if query.ignore_authors:
        notes.append(f"commits of {', '.join(query.ignore_authors)} are not counted")
    if synthetic:
        notes.append("the merge commit at HEAD was made by a server and is not counted")
    return notes
