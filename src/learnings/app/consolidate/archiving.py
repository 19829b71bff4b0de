"""Plan moves of entries to the archive of their file and back. Nothing is written here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import (
    ArchivedEntry,
    SourceFile,
    archived_entries,
    archives_of,
    read_if_there,
)
from learnings.app.consolidate.related_changes import (
    ChangedContents,
    archive_changes,
    ended_decisions,
    link_index_changes,
    read_entries,
    updated_indexes,
)
from learnings.consolidation.entry_names import entries_named, name_of, several, unknown
from learnings.core.entries.archives import (
    ArchivePart,
    archive_date,
    archive_folder,
    archive_path,
    dropped_part,
    read_archive,
    with_originals,
)
from learnings.core.entries.archives import contains as holds
from learnings.core.entries.decisions import read_decisions
from learnings.core.entries.document import Document, Entry, digest_of, read, read_older
from learnings.core.entries.entry_changes import compare_entries, is_alike
from learnings.core.entries.rewriting import original_of, with_entry, without_entries
from learnings.core.errors import UsageProblem
from learnings.core.text import printable, short_commit
from learnings.history.git.work_tree import file_at
from learnings.store.files import Change
from learnings.store.safe_moves import Move, changes_of
from learnings.workspace.disk import exists
from learnings.workspace.git_files import committed_data


class Archiving(NamedTuple):
    """Entries to archive, entries already archived, and the paths that change."""

    file: str
    archive: str
    entries: tuple[Entry, ...]
    done: tuple[Entry, ...]
    paths: tuple[str, ...]
    move: Move | None
    notes: tuple[str, ...] = ()


class ChosenEntries(NamedTuple):
    """The chosen entries in the order of their file, and those already archived."""

    source: SourceFile
    entries: tuple[Entry, ...]
    done: tuple[Entry, ...]


def choose(names: Sequence[str], sources: Sequence[SourceFile]) -> ChosenEntries:
    """Return the named entries. Raises UsageProblem unless all are in one file."""
    rows = [_entry_to_archive(name, sources) for name in names]
    used = list(dict.fromkeys(source.path for source, _, _ in rows))
    if len(used) > 1:
        files = " and ".join(map(printable, used))
        raise UsageProblem(f"these entries are in {files}; name entries of one file at a time")
    source = rows[0][0]
    moved = {entry.position: entry for _, entry, is_there in rows if is_there}
    done = tuple(entry for _, entry, is_there in rows if not is_there)
    return ChosenEntries(source, tuple(entry for _, entry in sorted(moved.items())), done)


def _entry_to_archive(name: str, sources: Sequence[SourceFile]) -> tuple[SourceFile, Entry, bool]:
    """Return the entry with its file, and False if it is already archived."""
    matches = [
        (source, entry)
        for source in sources
        for entry in entries_named(name, source.document.entries)
    ]
    if len(matches) == 1:
        return *matches[0], True
    if matches:
        files = list(dict.fromkeys(printable(source.path) for source, _ in matches))
        if len(files) == 1:
            raise UsageProblem(several(name, [entry for _, entry in matches]))
        raise UsageProblem(f"this entry is in {' and in '.join(files)}; name the file with --file")
    for source in sources:
        archived = [row.entry for row in archived_entries(source, archives_of(source))]
        for entry in entries_named(name, archived):
            return source, entry, False
    entries = [entry for source in sources for entry in source.document.entries]
    place = " or ".join(printable(source.path) for source in sources)
    raise UsageProblem(unknown(name, entries, place))


def plan_archive(chosen: ChosenEntries, reason: str, *, today: str) -> Archiving:
    """Plan to move entries to today's archive as dropped for a reason.

    Raises FixRefused if the rest of the file would be read differently, UnusableFile and
    MissingFile.
    """
    source, entries, done = chosen
    folder = archive_folder(source.home)
    path = folder if source.is_folder else archive_path(source.path, today)
    result = Archiving(source.path, path, entries, done, (), None)
    if not entries:
        return result
    if source.is_folder:
        files = read_entries(source, entries)
        move = Move(
            archive_changes(source, files),
            tuple(files.values()),
            tuple(Change(path, data, None) for path, data in files.items()),
            targets=ended_decisions(source, entries),
            indexes=link_index_changes(source, files, {}),
        )
        return result._replace(paths=tuple(c.path for c in changes_of(move)), move=move)
    originals = tuple(map(original_of, entries))
    archive = _archive_change(source, dropped_part(reason, originals), today)
    after = without_entries(source.document, entries, source.options)
    change, indexes, notes = _indexed_change(source, after)
    ended = ended_decisions(source, entries)
    move = Move((archive,), originals, (change,), targets=ended, indexes=indexes)
    paths = (path, *(other.path for other in (*ended, *indexes)), change.path)
    return result._replace(paths=paths, move=move, notes=notes)


def _indexed_change(
    source: SourceFile, after: bytes
) -> tuple[Change, tuple[Change, ...], tuple[str, ...]]:
    """Return the change of a learnings file, those of all indexes, and notes on the others."""
    contents = ChangedContents({source.path: source.data or b""}, {source.path: after})
    indexes, notes, own = updated_indexes(source.workspace, contents, source.path)
    return Change(source.path, source.data, own), indexes, notes


class Rescue(NamedTuple):
    """Entries that left a file since a commit and are in no archive; change is None without any."""

    file: str
    commit: str
    entries: tuple[Entry, ...]
    change: Change | None


def plan_rescue(source: SourceFile, rev: str, *, reason: str | None, today: str) -> Rescue:
    """Plan to archive the entries that left a file since a commit.

    Raises UntrustedHistory, and UsageProblem if rev is no commit or its commit lacks the file.
    """
    if source.is_folder:
        raise UsageProblem(
            f"--from takes files, and {printable(source.path)} is a folder; `git restore "
            f"--source {printable(rev)} -- {printable(source.path)}` restores what left it"
        )
    older = file_at(source.root, rev, source.path)
    if older is None:
        raise UsageProblem(
            f"{printable(rev)} has no file {printable(source.path)}; name another commit, "
            "or the file with --file"
        )
    before = read_older(older.data, source.options)
    archives = archives_of(source)
    texts = [read_archive(data).text for data in archives.values()]
    lost = tuple(
        entry
        for entry in compare_entries(before, source.document).removed
        if not any(holds(text, entry) for text in texts)
    )
    commit = short_commit(older.commit)
    part = dropped_part(reason or f"left the file after {commit}", map(original_of, lost))
    change = _archive_change(source, part, today) if lost else None
    return Rescue(source.path, commit, lost, change)


def _archive_change(source: SourceFile, part: ArchivePart, today: str) -> Change:
    path = archive_path(source.path, today)
    before = read_if_there(source.root / path, shown=path)
    after = with_originals(before, [part], learnings_file=source.path, date=today)
    return Change(path, before, after)


class Restoring(NamedTuple):
    """Entries to restore, those already in their file, and the changes: indexes, then the file."""

    file: str
    entries: tuple[ArchivedEntry, ...]
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    done: tuple[ArchivedEntry, ...] = ()


def plan_restore(names: Sequence[str], sources: Sequence[SourceFile]) -> Restoring:
    """Plan to restore archived entries; archives stay, as proof of what left.

    An entry in its file is done. Raises UsageProblem for a name of no entry or several entries, and
    FixRefused if an entry would be read differently.
    """
    found = list(dict.fromkeys(_entry_to_restore(name, sources) for name in names))
    used = list(dict.fromkeys(source.path for source, _, _ in found))
    if len(used) > 1:
        files = " and ".join(map(printable, used))
        raise UsageProblem(f"these entries left {files}; name entries of one file at a time")
    done = tuple(row for _, row, is_done in found if is_done)
    rows = tuple(row for _, row, is_done in found if not is_done)
    source = found[0][0]
    if not rows:
        return Restoring(source.path, (), done=done)
    if source.is_folder:
        return _plan_folder_restore(source, rows)._replace(done=done)
    older = _committed_document(source)
    insert = source.workspace.file_settings(source.path).insert
    data = source.data or b""
    for archived in rows:
        document = read(data, source.options)
        if source.document.entries:
            document = document.read_as(source.document.dialect)
        data = with_entry(
            document, archived.data, insert=insert, options=source.options, older=older
        )
    change, indexes, notes = _indexed_change(source, data)
    dates = {date for row in rows if (date := archive_date(row.path))}
    ended = ended_decisions(source, [row.entry for row in rows], settled=dates)
    # Write the file last: after a kill, a second run restores the entry and completes the rest.
    changes = (*ended, *indexes, change)
    return Restoring(source.path, rows, changes, notes, done)


def _plan_folder_restore(source: SourceFile, rows: Sequence[ArchivedEntry]) -> Restoring:
    folder = archive_folder(source.home)
    files = {row.path.replace(folder, source.path, 1): row for row in rows}
    for path in files:
        if exists(source.root / path):
            raise UsageProblem(
                f"{printable(path)} is a different file now; rename it, then restore the entry"
            )
    changes = (
        *ended_decisions(source, [row.entry for row in rows]),
        *link_index_changes(source, (), {path: row.data for path, row in files.items()}),
        *(Change(path, None, row.data) for path, row in files.items()),
        *(Change(row.path, row.data, None) for row in rows),
    )
    return Restoring(source.path, tuple(rows), changes)


def resolving(chosen: ChosenEntries) -> tuple[Change, ...]:
    """Return the changes that end decisions; raises UsageProblem for an entry without one."""
    entries = (*chosen.entries, *chosen.done)
    changes = ended_decisions(chosen.source, entries)
    ended = {digest for c in changes for digest in read_decisions(c.before or b"").by_digest}
    for entry in entries:
        if digest_of(entry) not in ended:
            raise UsageProblem(f"no decision about {printable(entry.heading)}; nothing to end")
    return changes


def _committed_document(source: SourceFile) -> Document | None:
    if source.is_folder:
        return None
    data = committed_data(source.root, [source.path], rev="HEAD").get(source.path)
    return None if data is None else read_older(data, source.options)


def _entry_to_restore(
    name: str, sources: Sequence[SourceFile]
) -> tuple[SourceFile, ArchivedEntry, bool]:
    """Return the archived entry with this name, and True if it is already in its file."""
    known = [(source, archived_entries(source, archives_of(source))) for source in sources]
    matches = [
        (source, archived)
        for source, rows in known
        for archived in rows
        if archived.entry in entries_named(name, [row.entry for row in rows])
    ]
    older = {source.path: _committed_document(source) for source, _ in matches}
    left = [match for match in matches if not _is_in_file(*match, older[match[0].path])]
    if matches and not left:
        return (*matches[0], True)
    if len(left) == 1:
        return (*left[0], False)
    if len({source.path for source, _ in left}) > 1:
        paths = " and ".join(dict.fromkeys(printable(source.path) for source, _ in left))
        raise UsageProblem(f"this entry left {paths}; name the file with --file")
    if left:
        lines = ", ".join(f"{printable(row.path)}:{row.line}" for _, row in left)
        raise UsageProblem(f"{several(name, [row.entry for _, row in left])} ({lines})")
    entries = [row.entry for _, rows in known for row in rows]
    place = f"the archives of {' or '.join(printable(source.path) for source in sources)}"
    advice = "`learnings archive --list` prints the archived entries"
    raise UsageProblem(unknown(name, entries, place, advice=advice))


class ArchiveListing(NamedTuple):
    """The archived entries of a file, newest first."""

    file: str
    rows: tuple[ListedEntry, ...]


class ListedEntry(NamedTuple):
    """An archived entry, the name that restores it, and True if it is in its file."""

    archived: ArchivedEntry
    name: str
    is_back: bool


def listing(source: SourceFile) -> ArchiveListing:
    """Return the archived entries of a file. Raises MissingFile and UnusableFile."""
    rows = archived_entries(source, archives_of(source))
    entries = [row.entry for row in rows]
    older = _committed_document(source) if rows else None
    listed = []
    for row in rows:
        name = name_of(row.entry, entries)
        if name.startswith("-"):  # on a command line it would be an option
            name = digest_of(row.entry)
        listed.append(ListedEntry(row, name, _is_in_file(source, row, older)))
    return ArchiveListing(source.path, tuple(listed))


def _is_in_file(source: SourceFile, archived: ArchivedEntry, older: Document | None) -> bool:
    """Return True if an entry is in its file, perhaps edited.

    If it was committed several times, or beside others of its name, it must be there as often.
    """
    entry, data = archived.entry, archived.data.strip()
    committed = [original_of(other).strip() for other in older.entries] if older else []
    originals = {original_of(other).strip(): other for other in source.document.entries}
    count = [original_of(other).strip() for other in source.document.entries].count(data)
    if count:
        return count >= committed.count(data)
    edited = [o for d, o in originals.items() if data not in committed or d not in committed]
    return any(other.key == entry.key and is_alike(entry, other) for other in edited)
