"""All that git says about one memory file, read with as little waiting as possible."""

from __future__ import annotations

from collections.abc import Mapping

from learnings.core.due.ages import UNCOMMITTED, Activity, History, Origin
from learnings.core.entries.document import Document
from learnings.core.text import counted
from learnings.history import activity, file_cache
from learnings.history.file_history import FileHistory
from learnings.history.git import process
from learnings.history.git.repository import synthetic_merge


def read_history(history: FileHistory) -> tuple[Document, History]:
    """Read a memory file and its history, with git's processes side by side.

    Raises what opening.open_history() raises.
    """
    query, location, repository = history.query, history.location, history.repository
    synthetic = synthetic_merge(repository)
    dates = _start_dates(history, synthetic=synthetic)
    document = history.document
    consolidation = file_cache.last_consolidation(history)
    origins = file_cache.origins_of(history)
    process.stop_prefetched()
    everything = activity.activity_until(dates.finish(history.cache), until=query.tomorrow)
    active = everything.until(query.as_of) if query.as_of else everything
    # Days that are counted already end where the query does.
    is_past = bool(query.as_of and query.known_days) or active.as_of != everything.as_of
    if not everything.skewed_commits:
        file_cache.save_consolidation(history, consolidation)
    if not is_past and location.rev is None:
        from learnings.history.uncommitted import (  # noqa: PLC0415  (most files are as HEAD has them)
            uncommitted_consolidation,
        )

        uncommitted = uncommitted_consolidation(history, document, as_of=active.as_of)
        consolidation = uncommitted or consolidation
    notes = *notes_of(history, active, synthetic=synthetic), *history.ignored.notes
    return document, History(
        head=repository.head,
        shallow=repository.shallow,
        activity=active,
        origins=origins_until(origins, active.as_of or "") if is_past else origins,
        consolidation=consolidation,
        notes=notes,
    )


def _start_dates(history: FileHistory, *, synthetic: bool) -> activity.DateWalk:
    query, repository = history.query, history.repository
    tips = repository.parents if synthetic else (repository.head,)
    if query.known_days is not None:
        return activity.from_known_days(repository, query.known_days)
    return activity.start(repository, tips, query.ignore_authors, history.cache)


def origins_until(origins: Mapping[str, Origin], as_of: str) -> dict[str, Origin]:
    """Return the origins up to a day, ISO text; uncommitted text is newer than all."""
    return {
        identity: origin
        for identity, origin in origins.items()
        if origin.basis != UNCOMMITTED and (origin.date is None or origin.date <= as_of)
    }


def notes_of(history: FileHistory, active: Activity, *, synthetic: bool) -> list[str]:
    """Return sentences that say why a history differs from the repository's own."""
    query, repository = history.query, history.repository
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
