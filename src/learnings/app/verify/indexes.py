"""The rows of memory indexes that a change has lost."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.verify.versions import MemoryVersions
from learnings.consolidation.proof.losses import Loss
from learnings.consolidation.proof.proof import IndexedMemory, lost_rows
from learnings.core.entries.document import ReadOptions, excess_of, read
from learnings.core.roles import exclusion, matches
from learnings.history.git.snapshots import CommitSnapshot, Snapshot
from learnings.index.forms import has_block, read_index
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.index_file import MemoryIndex
from learnings.index.table_forms import BlockForm
from learnings.workspace.workspace import Workspace


def rows_lost(
    versions: MemoryVersions, snapshot: Snapshot, older: CommitSnapshot
) -> Iterator[Loss]:
    """Give index rows that led to a heading before a change and lead to none now.

    Only indexes in both versions are compared, if they or one of their files has changed.
    """
    workspace = versions.paths.workspace
    for path in _indexes(versions):
        before, after = older.read(path), snapshot.read(path)
        if not before or not after or excess_of(before) or excess_of(after):
            continue
        form = _form(versions, path, before)
        past = _indexed(workspace, older, read_index(before, form=form, path=path))
        now = _indexed(workspace, snapshot, read_index(after, form=form, path=path))
        listed = {file.path for file in (*past.files, *now.files)}
        if versions.older.keys() & {path, *listed} or _is_missing(versions, past, now):
            yield from lost_rows(past, now)


def _is_missing(versions: MemoryVersions, past: IndexedMemory, now: IndexedMemory) -> bool:
    named = (*past.memory_index.named_paths(), *now.memory_index.named_paths())
    return any(path in versions.older for path in named)


def _indexes(versions: MemoryVersions) -> list[str]:
    blocks = (
        path for path in versions.before.learnings if has_block(versions.older.get(path) or b"")
    )
    indexes = [path for path in versions.paths.workspace.settings.index if path]
    return [*dict.fromkeys((*indexes, *blocks))]


def _form(versions: MemoryVersions, path: str, data: bytes) -> str:
    if path in versions.before.learnings and has_block(data):
        return BlockForm.name
    return versions.paths.workspace.settings.index_form


def _indexed(workspace: Workspace, snapshot: Snapshot, index: MemoryIndex) -> IndexedMemory:
    if index.form.lists_itself:
        options = ReadOptions.of(workspace.file_settings(index.path))
        return IndexedMemory(index, [entries_of(index.path, read(index.to_bytes(), options))])
    return IndexedMemory(index, [*_listed(workspace, index, snapshot)])


def _listed(workspace: Workspace, index: MemoryIndex, snapshot: Snapshot) -> Iterator[IndexedFile]:
    settings, named = workspace.settings, frozenset(index.named_paths())
    for name in snapshot.paths():
        is_listed = any(matches(name, pattern) for pattern in settings.indexed)
        is_listed = is_listed and exclusion(name, settings) is None
        if name in settings.index or not (is_listed or name in named):
            continue
        data = snapshot.read(name)
        if data is not None and excess_of(data) is None:
            yield headings_of(name, data)
