"""Plan moves of entries to the archive of their file and back. Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import FoundEntry, SourceFile
from learnings.app.consolidate.related_changes import (
    ended_decisions,
    folder_move,
    link_index_changes,
    with_former_rows,
    with_index_rows,
)
from learnings.consolidation.entry_names import entries_named, several, unknown
from learnings.consolidation.proof.proof import ALL, prove
from learnings.consolidation.proof.results import MemoryVersion
from learnings.core.entries.archives import contains, dropped_part, read_archive
from learnings.core.entries.decisions import read_decisions
from learnings.core.entries.document import Entry, digest_of, read, read_older
from learnings.core.entries.rewriting import (
    original_of,
    read_as_archived,
    with_entry,
    without_entries,
)
from learnings.core.errors import UsageProblem
from learnings.core.file_names import archive_date
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable, short_commit
from learnings.history.git.gitpython import file_at
from learnings.store.files import Change
from learnings.store.safe_moves import Move
from learnings.workspace.disk import exists

# The number of a file whose name was taken in the archive.
_NUMBER = lazy_pattern(r"~\d+(?=\.md$)")


class Chosen(NamedTuple):
    """The named entries of one file: those to move, and those that are there already."""

    source: SourceFile
    entries: tuple[FoundEntry, ...]
    done: tuple[FoundEntry, ...]


def choose(names: Sequence[str], sources: Sequence[SourceFile], *, restore: bool = False) -> Chosen:
    """Return the entries to archive, in the order of their file, or the archived ones to restore.

    Raises UsageProblem for a name of no entry or several, and unless all are in one file.
    """
    found = [_found(name, sources, restore=restore) for name in names]
    files = list(dict.fromkeys(printable(source.name) for source, _, _ in found))
    if len(files) > 1:
        raise UsageProblem(
            f"these entries {'left' if restore else 'are in'} {' and '.join(files)}; name entries "
            "of one file at a time"
        )
    rows = {row: is_left for _, row, is_left in found}
    left = [row for row in rows if rows[row]]
    if not restore:
        left.sort(key=lambda row: row.entry.position)
    return Chosen(found[0][0], tuple(left), tuple(row for row in rows if not rows[row]))


def _found(
    name: str, sources: Sequence[SourceFile], *, restore: bool
) -> tuple[SourceFile, FoundEntry, bool]:
    """Return the entry with a name, its file, and False if it has been moved already."""
    found = [
        (s, row) for s in sources for row in _named(name, s.archived if restore else s.present)
    ]
    left = [(s, row) for s, row in found if not (restore and s.has(row))]
    files = list(dict.fromkeys(printable(source.name) for source, _ in left))
    if len(files) > 1:
        where = f"left {' and '.join(files)}" if restore else f"is in {' and in '.join(files)}"
        raise UsageProblem(f"this entry {where}; name the file with --file")
    if len(left) > 1:
        places = ", ".join(f"{printable(row.path)}:{row.line}" for _, row in left)
        raise UsageProblem(f"{several(name, [row.entry for _, row in left])} ({places})")
    if not found and not restore:
        found = [(s, row) for s in sources for row in _named(name, s.archived)]
    if found:
        return *(left or found)[0], bool(left)

    place = " or ".join(printable(source.name) for source in sources)
    if not restore:
        raise UsageProblem(unknown(name, [e for s in sources for e in s.document.entries], place))
    entries = [row.entry for source in sources for row in source.archived]
    advice = "`learnings archive --list` prints the archived entries"
    raise UsageProblem(unknown(name, entries, f"the archives of {place}", advice=advice))


def _named(name: str, rows: Sequence[FoundEntry]) -> Iterator[FoundEntry]:
    named = entries_named(name, [row.entry for row in rows])
    return (row for row in rows if row.entry in named)


def archiving(source: SourceFile, rows: Sequence[FoundEntry], reason: str, *, today: str) -> Move:
    """Return the move of entries to today's archive as dropped for a reason.

    Raises FixRefused if the rest of the file would be read differently, UnusableFile and
    MissingFile.
    """
    entries = [row.entry for row in rows]
    if source.is_folder:
        files = {row.path: row.data for row in rows}
        return folder_move(source, files, targets=ended_decisions(source, entries))
    part = dropped_part(reason, [row.data for row in rows])
    after = without_entries(source.document, entries, source.options)
    move = Move(
        (source.archive_change([part], today),),
        part.originals,
        (Change(source.path, source.data, after),),
        ended_decisions(source, entries),
    )
    return with_index_rows(source.workspace, move)


class Left(NamedTuple):
    """Entries that have left a file since a commit, by its short id.

    rows are those that are in no archive.
    """

    source: SourceFile
    commit: str
    entries: tuple[Entry, ...]
    rows: tuple[FoundEntry, ...]


def rescuing(found: Sequence[Left], reason: str | None, *, today: str) -> Move:
    """Return the move of entries that have left their files to today's archives.

    The index rows of all that have left go as well, as if they left now; so a second run finishes
    an interrupted one. Raises UnusableFile and MissingFile.
    """
    archives, originals, sources = list[Change](), list[bytes](), list[Change]()
    earlier: dict[str, bytes] = {}
    for source, commit, entries, rows in found:
        if rows:
            why = reason or f"left the file after {commit}"
            part = dropped_part(why, [row.data for row in rows])
            archives.append(source.archive_change([part], today))
            originals += part.originals
        if source.data is not None and entries:
            sources.append(Change(source.path, source.data, source.data))
            earlier[source.path] = b"\n".join((source.data, *map(original_of, entries)))
    move = Move(tuple(archives), tuple(originals), tuple(sources))
    if any(left.entries for left in found):
        move = with_index_rows(found[0].source.workspace, move, earlier=earlier)
    return move._replace(sources=tuple(c for c in move.sources if c.after != c.before))


def restoring(source: SourceFile, rows: Sequence[FoundEntry]) -> Move:
    """Return the move of entries back to their file; its archives stay, as proof of what left.

    The files of a folder move. Raises UsageProblem if another file has the name of one, and
    FixRefused if an entry would be read differently.
    """
    entries = [row.entry for row in rows]
    if source.is_folder:
        new = _former_files(source, rows)
        return Move(
            sources=(*new, *(Change(row.path, row.data, None) for row in rows)),
            targets=ended_decisions(source, entries),
            indexes=link_index_changes(source, new=new),
        )
    data = source.data or b""
    for row in rows:
        document = read(data, source.options)
        if source.document.entries:
            document = document.read_as(source.document.dialect)
        data = with_entry(
            document,
            row.data,
            insert=source.workspace.file_settings(source.path).insert,
            options=source.options,
            older=source.committed,
        )
    dates = {date for row in rows if (date := archive_date(row.path))}
    move = Move(
        sources=(Change(source.path, source.data, data),),
        targets=ended_decisions(source, entries, settled=dates),
    )
    return with_former_rows(source.workspace, with_index_rows(source.workspace, move))


def _former_files(source: SourceFile, rows: Sequence[FoundEntry]) -> Sequence[Change]:
    """Return the restored files under their former names, or under those in the archive."""
    new: dict[str, Change] = {}
    for row in rows:
        former = _NUMBER.sub("", row.path)
        names = [former, row.path] if former in source.archives else [row.path]
        paths = [name.replace(source.archive(""), source.path, 1) for name in names]
        free = [path for path in paths if path not in new and not exists(source.root / path)]
        if not free:
            raise UsageProblem(
                f"{printable(paths[0])} is a different file now; rename it, then restore the entry"
            )
        new[free[0]] = Change(free[0], None, row.data)
    return [*new.values()]


def left_since(source: SourceFile, rev: str) -> Left:
    """Return the entries that left a file since a commit.

    Raises UntrustedHistory, and UsageProblem if rev is no commit or its commit lacks the file.
    """
    if source.is_folder:
        raise UsageProblem(
            f"--from takes files, and {printable(source.name)} is a folder; `git restore "
            f"--source {printable(rev)} -- {printable(source.path)}` restores what left it"
        )
    older = file_at(source.root, rev, source.path)
    if older is None:
        raise UsageProblem(
            f"{printable(rev)} has no file {printable(source.name)}; name another commit, "
            "or the file with --file"
        )
    document = read_older(older.data, source.options)
    if not document.entries:
        document = read_as_archived(document, source.archives.values())
    before = MemoryVersion({source.path: document}, {}, {})
    after = MemoryVersion({source.path: source.document}, {}, {})
    losses = prove(before, after, coverage=ALL).losses
    left = tuple(loss.entry for loss in losses if loss.entry)
    texts = [read_archive(data).text for data in source.archives.values()]
    lost = tuple(
        FoundEntry(entry, original_of(entry), source.path, entry.first)
        for entry in left
        if not any(contains(text, entry) for text in texts)
    )
    return Left(source, short_commit(older.commit), left, lost)


def resolving(chosen: Chosen) -> tuple[Change, ...]:
    """Return the changes that end decisions; raises UsageProblem for an entry without one."""
    entries = [row.entry for row in (*chosen.entries, *chosen.done)]
    changes = ended_decisions(chosen.source, entries)
    ended = {digest for c in changes for digest in read_decisions(c.before or b"").by_digest}
    for entry in entries:
        if digest_of(entry) not in ended:
            raise UsageProblem(f"no decision about {printable(entry.heading)}; nothing to end")
    return changes
