"""Entries that merges in the history mixed or doubled and that are still in the file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from learnings.core.entries.document import Document
from learnings.core.entries.merge_damage import MergeDamage, merge_damage, text_of
from learnings.history.file_changes import FileChange, all_changes
from learnings.history.file_history import FileHistory
from learnings.history.git.merge_bases import merge_bases


def damage_by_merges(history: FileHistory) -> tuple[MergeDamage, ...]:
    """Return the damage from commits with several parents; raises UntrustedHistory."""
    found = {(damage.kind, damage.pieces): damage for damage in _damage(history)}
    return tuple(found.values())


def _damage(history: FileHistory) -> Iterator[MergeDamage]:
    present = {text_of(entry) for entry in history.document.entries}
    for change in all_changes(history):
        before = [*dict.fromkeys(change.older_blobs)]
        if change.blob is None or len(before) < 2:
            continue
        merged = history.blobs.document(change.blob)
        if present.isdisjoint(map(text_of, merged.entries)):
            continue
        parents = [history.blobs.document(blob) for blob in before]
        for damage in merge_damage(merged, parents, partial(_base, history, change)):
            if damage.places(history.document):
                yield damage._replace(commit=change.commit)


def _base(history: FileHistory, change: FileChange) -> Document | None:
    """Return the version from which the first two parents of a merge come, or None."""
    one, other, *_ = history.blobs.parents(change.commit)
    for commit in merge_bases(history.repository, one, other):
        blob = history.blobs.find(commit, change.path)
        if blob is not None:
            return history.blobs.document(blob)
    return None
