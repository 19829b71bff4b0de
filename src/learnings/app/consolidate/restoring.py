"""Bringing entries back from the archives of their file, planned: nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.consolidate.archives import (
    ArchivedEntry,
    SourceFile,
    archived_entries,
    archives_of,
)
from learnings.app.consolidate.archiving import files_in_words
from learnings.app.consolidate.index_changes import indexed_change
from learnings.app.workspace.committed import committed_data
from learnings.consolidation.entry_names import entries_named, several, unknown
from learnings.core.entries.changes import is_alike
from learnings.core.entries.document import Document, read, read_older
from learnings.core.entries.rewriting import original_of, with_entry
from learnings.core.errors import UsageProblem
from learnings.core.findings.finding import quoted
from learnings.core.text import printable
from learnings.store.files import Change


class Restoring(NamedTuple):
    """Entries that come back to their file; changes are those of indexes, then of the file."""

    root: Path
    file: str
    entries: tuple[ArchivedEntry, ...]
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()


def plan_restore(names: Sequence[str], sources: Sequence[SourceFile]) -> Restoring:
    """Return what is to be written so that archived entries are in their file again.

    The archives stay as they are: they are the proof of what left. Raises UsageProblem for a name
    that means none or several, or an entry that is in its file; FixRefused where an entry would not
    be read as it is.
    """
    rows = list(dict.fromkeys(_meant(name, sources) for name in names))
    used = list(dict.fromkeys(source.path for source, _ in rows))
    if len(used) > 1:
        files = " and ".join(map(printable, used))
        raise UsageProblem(f"these entries left {files}; name those of one file at a time")
    source, older = rows[0][0], _committed(rows[0][0])
    insert = source.workspace.file_settings(source.path).insert
    data = source.data or b""
    for _, archived in rows:
        document = read(data, source.options)
        if source.document.entries:
            document = document.read_as(source.document.dialect)
        data = with_entry(
            document, archived.data, insert=insert, options=source.options, older=older
        )
    change, indexes, notes = indexed_change(source.workspace, source.path, source.data, data)
    entries = tuple(archived for _, archived in rows)
    # The file last: where this is killed, a second run restores the entry and completes the rest.
    return Restoring(source.root, source.path, entries, (*indexes, change), notes)


def _committed(source: SourceFile) -> Document | None:
    """Return the file as it was committed last, None where it was not."""
    data = committed_data(source.root, [source.path], rev="HEAD").get(source.path)
    return None if data is None else read_older(data, source.options)


def _meant(name: str, sources: Sequence[SourceFile]) -> tuple[SourceFile, ArchivedEntry]:
    known = [(source, archived_entries(source, archives_of(source))) for source in sources]
    matches = [
        (source, archived)
        for source, rows in known
        for archived in rows
        if archived.entry in entries_named(name, [row.entry for row in rows])
    ]
    older = {source.path: _committed(source) for source, _ in matches}
    left = [match for match in matches if not _is_in_file(*match, older[match[0].path])]
    if matches and not left:
        source, archived = matches[0]
        raise UsageProblem(
            f"{quoted(archived.entry.heading)} is in {printable(source.path)}; there is nothing to "
            "restore"
        )
    if len(left) == 1:
        return left[0]
    if left:
        raise UsageProblem(_ambiguous(name, left))
    entries = [row.entry for _, rows in known for row in rows]
    place = f"the archives of {files_in_words(sources)}"
    raise UsageProblem(unknown(name, entries, place, advice="name one that is there"))


def _is_in_file(source: SourceFile, archived: ArchivedEntry, older: Document | None) -> bool:
    """Return True if an entry is in its file, edited at most.

    Where it was committed several times, or one of the same name with it, as often as then.
    """
    entry, data = archived.entry, archived.data.strip()
    committed = [original_of(other).strip() for other in older.entries] if older else []
    originals = {original_of(other).strip(): other for other in source.document.entries}
    count = [original_of(other).strip() for other in source.document.entries].count(data)
    if count:
        return count >= committed.count(data)
    edited = [o for d, o in originals.items() if data not in committed or d not in committed]
    return any(other.key == entry.key and is_alike(entry, other) for other in edited)


def _ambiguous(name: str, matches: Sequence[tuple[SourceFile, ArchivedEntry]]) -> str:
    if len({source.path for source, _ in matches}) > 1:
        paths = " and ".join(dict.fromkeys(printable(source.path) for source, _ in matches))
        return f"such an entry has left {paths}; name the file with --file"
    lines = ", ".join(f"{printable(archived.path)}:{archived.line}" for _, archived in matches)
    return f"{several(name, [archived.entry for _, archived in matches])} ({lines})"
