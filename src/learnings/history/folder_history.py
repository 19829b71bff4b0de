"""The history of a memory folder: when files were added, and which files left it.

A file is as old as its first commit, through renames, and through a time in which it was away or in
the archive. A file that a commit made of a part of another one is as old as that part. A commit
consolidated the folder if it removed enough files, or moved one to its archive.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.due import ages
from learnings.core.entries.memory_folder import FolderDocument
from learnings.core.entries.titles import identity_key
from learnings.core.file_names import ARCHIVE_FOLDER
from learnings.core.roles import memory_folder_of
from learnings.history.activity import raw_day, started_count
from learnings.history.cached_history import notes_of, origins_until
from learnings.history.file_history import HistoryQuery, open_history, repository_of
from learnings.history.git.cached import Cache
from learnings.history.git.commands import RAW, RawChange, all_commits, raw_changes
from learnings.history.git.objects import entries_below
from learnings.history.git.repository import Repository, synthetic_merge
from learnings.history.origins import find_origin_of_part
from learnings.history.removals import is_same


class _Commit(NamedTuple):
    """A commit that changed files of the folder, with its author's day (ISO text)."""

    id: str
    day: str
    changes: list[RawChange]


def folder_history(query: HistoryQuery, paths: Sequence[str]) -> ages.History:
    """Return the history of files in a folder, given as POSIX paths from the top, perhaps by links.

    Raises UntrustedHistory, and UsageProblem for a commit that does not exist.
    """
    repository = repository_of(query)
    folder = Path(os.path.realpath(query.file)).relative_to(os.path.realpath(repository.top))
    synthetic = synthetic_merge(repository)
    cache = Cache(repository.cache_folder)
    active_days = started_count(repository, query.ignore_authors, cache, synthetic=synthetic)
    active = active_days(query.tomorrow)
    if query.as_of:
        active = active.until(query.as_of)
    reader = _CommitReader(query, repository, folder.as_posix())
    origins = reader.origins(paths)
    last = reader.last_consolidation(query.min_removed, until=active.as_of or "")
    if not query.as_of and query.today:
        last = reader.uncommitted_consolidation(query.min_removed, query.today) or last
    return ages.History(
        head=repository.head,
        shallow=repository.shallow,
        activity=active,
        origins=origins_until(origins, active.as_of or "") if query.as_of else origins,
        consolidation=last,
        notes=tuple(notes_of(query, repository, active, synthetic=synthetic)),
    )


class _CommitReader:
    """Reads the commits that changed a folder, oldest first."""

    def __init__(self, query: HistoryQuery, repository: Repository, folder: str) -> None:
        self._query = query
        self._repository = repository
        self._changing_others: set[str] = set()
        self._folder = folder
        self._commits = list(self._log(repository.head, "--", folder))

    def origins(self, paths: Sequence[str]) -> Mapping[str, ages.Origin]:
        """Return the origin of each of the files by identity, its path in the folder."""
        known: dict[str, ages.Origin] = {}
        left: dict[str, tuple[ages.Origin, RawChange, str]] = {}
        first_paths: dict[str, str] = {}
        for commit in self._commits:
            for change in commit.changes:
                older = known.pop(change.path_before, None)
                first_path = first_paths.pop(change.path_before, change.path)
                if change.status == "D" or not self._has(change.path):
                    if older is not None:
                        left[change.path] = older, change, commit.day
                    continue
                if older is None and change.path_before in left:
                    older = self._restored(change, commit.day, *left[change.path_before])
                added = ages.Origin(ages.COMMIT, commit.day, commit.id)
                known[change.path] = older or self._elsewhere(change, commit) or added
                first_paths[change.path] = first_path
        known |= self._parts_of_files(known, first_paths)
        renamed = {change.path: change.path_before for change in self._uncommitted()}
        folder = f"{self._folder}/"
        head = self._repository.head
        tracked = {entry.path for entry in entries_below(self._repository, head, folder)}
        unknown = ages.Origin(ages.UNKNOWN, reason="no known commit added the file")
        origins = {}
        for path in paths:
            inner = self._inner(path)
            real = f"{folder}{inner}"
            origin = known.get(renamed.get(real, real))
            if origin is None:
                origin = unknown if real in tracked else ages.Origin(ages.UNCOMMITTED)
            origins[identity_key(None, inner)] = origin
        return origins

    def _inner(self, path: str) -> str:
        """Return a path relative to the folder, which the path may name by a link."""
        if path.startswith(f"{self._folder}/"):
            return path.removeprefix(f"{self._folder}/")
        top = Path(os.path.realpath(self._repository.top))
        around = (
            f for f in Path(path).parents if Path(os.path.realpath(top / f)) == top / self._folder
        )
        return Path(path).relative_to(next(around)).as_posix()

    def last_consolidation(self, least: int, *, until: str) -> ages.Consolidation | None:
        """Return the last commit up to a day that consolidated the folder."""
        found = None
        for commit in self._commits:
            removed, archived = self._taken_out(commit.changes)
            is_one = removed >= least or archived
            if is_one and commit.day <= until and (found is None or found.date <= commit.day):
                found = ages.Consolidation(commit.id, commit.day, removed)
        return found

    def uncommitted_consolidation(self, least: int, today: str) -> ages.Consolidation | None:
        """Return the consolidation that committing the working tree would be, or None."""
        removed, archived = self._taken_out(self._uncommitted())
        return ages.Consolidation(None, today, removed) if removed >= least or archived else None

    def _taken_out(self, changes: Sequence[RawChange]) -> tuple[int, bool]:
        """Count the files that left the folder; the flag is True if one moved to its archive."""
        left = [
            change
            for change in changes
            if self._has(change.path_before)
            and (change.status == "D" or not self._has(change.path))
        ]
        archive = f"/{ARCHIVE_FOLDER}/"
        return len(left), any(c.status == "R" and archive in f"/{c.path}" for c in left)

    def _has(self, path: str) -> bool:
        return memory_folder_of(path, [self._folder]) == self._folder

    def _restored(
        self, change: RawChange, day: str, origin: ages.Origin, removal: RawChange, left: str
    ) -> ages.Origin | None:
        """Return the origin of a file that left the folder and is back with about the same text."""
        if change.status == "A":
            blobs = removal.before or "", change.after or ""
            texts = [self._repository.run("cat-file", "blob", blob) for blob in blobs]
            old, new = FolderDocument("", [("", text) for text in texts]).entries
            if not is_same(old, new):
                return None
        return origin._replace(basis=ages.RESTORED, gap=(left, day))

    def _parts_of_files(
        self, known: Mapping[str, ages.Origin], first_paths: Mapping[str, str]
    ) -> dict[str, ages.Origin]:
        """Return the origins of files that a commit made of parts of files outside."""
        created = {
            path: origin.commit
            for path, origin in known.items()
            if origin.basis == ages.COMMIT and origin.commit in self._changing_others
        }
        if not created:
            return {}
        query = self._query._replace(file=self._repository.top / next(iter(created)))
        with open_history(query, self._repository) as history:
            found = {
                path: find_origin_of_part(first_paths[path], commit or "", history)
                for path, commit in created.items()
            }
        return {path: origin for path, origin in found.items() if origin is not None}

    def _elsewhere(self, change: RawChange, commit: _Commit) -> ages.Origin | None:
        if change.status != "A":
            return None
        changes = self._changes("show", "--diff-filter=RMD", "--format=", commit.id)
        folder = f"{self._folder}/"
        if any(c.status in "MD" and not c.path_before.startswith(folder) for c in changes):
            self._changing_others.add(commit.id)
        renames = {c.path: c.path_before for c in changes if c.status == "R"}
        before = renames.get(change.path)
        if before is None:
            return None
        first = next(self._log("--follow", "--diff-filter=A", f"{commit.id}^", "--", before), None)
        return ages.Origin(ages.MOVED, first.day, first.id, moved_from=before) if first else None

    def _uncommitted(self) -> list[RawChange]:
        return self._changes("diff", "--no-ext-diff", self._repository.head, "--", self._folder)

    def _changes(self, command: str, *arguments: str) -> list[RawChange]:
        printed = self._repository.run(command, *RAW, "-M", *arguments)
        return [*raw_changes(printed).values()]

    def _log(self, *arguments: str) -> Iterator[_Commit]:
        options = ("log", "--topo-order", *RAW, "-M", "--date=raw", "--format=%x01%H%x02%ad")
        printed = all_commits(self._repository.run(*options, *arguments))
        for (commit, date), diffs in reversed(printed):
            changes = [change for diff in diffs for change in diff.values()]
            yield _Commit(commit, raw_day(date), changes)
