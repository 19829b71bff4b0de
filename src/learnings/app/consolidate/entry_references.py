"""What the entries of a memory refer to, and what of that is gone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from learnings.check.reference_facts import References
from learnings.core.entries.document import Document, Entry, read
from learnings.core.errors import LearningsError, UntrustedHistory
from learnings.references.dead import Judged
from learnings.references.entries import EntryReferences, references_by_entry
from learnings.workspace.disk import find_root, read_file
from learnings.workspace.memory_file import MemoryFile


def entry_references(file: MemoryFile, document: Document) -> Mapping[str, EntryReferences]:
    """Return the references of a memory's entries by identity, of those that have any.

    Empty without a history that can be trusted.
    """
    root = find_root(file.path.parent)
    try:
        references = References(root)
        if document.entries and document.entries[0].path:
            return dict(_in_folder(references, root, document.entries))
        path = file.path.resolve().relative_to(root.resolve()).as_posix()
        judged = references.in_file(path, document, is_learnings=True)
        return references_by_entry(document, judged)
    except (UntrustedHistory, ValueError):
        return {}


def _in_folder(
    references: References, root: Path, entries: Iterable[Entry]
) -> Iterable[tuple[str, EntryReferences]]:
    """Give the references of entries that are files of their own."""
    for entry in entries:
        try:
            document = read(read_file(root / entry.path, shown=entry.path))
        except LearningsError:
            continue
        judged: Judged = references.in_file(entry.path, document, is_learnings=False)
        if judged.lines:
            yield entry.identity, EntryReferences(len(judged.lines), judged.dead)
