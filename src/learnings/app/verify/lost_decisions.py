"""Decisions that a change removes although the entry they are about is still there, unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.verify.versions import MemoryVersions
from learnings.consolidation.proof.losses import DECISION, FilePlace, Notice
from learnings.core.entries.decisions import is_decisions_name, joined, read_decisions
from learnings.core.entries.digests import digest_of


def lost_decisions(versions: MemoryVersions) -> Iterator[Notice]:
    """Give a notice for each removed decision whose entry is still there, unchanged."""
    older = {path: data for path, data in versions.older.items() if is_decisions_name(path)}
    if not older:
        return
    newer = [versions.newer[path] for path in versions.newer if is_decisions_name(path)]
    left = joined(read_decisions(data) for data in newer if data is not None).by_digest
    entries = {
        digest_of(entry): (path, entry)
        for path, document in versions.after.learnings.items()
        for entry in document.entries
    }
    for path, data in older.items():
        for digest, decision in read_decisions(data or b"").by_digest.items():
            if digest in entries and digest not in left:
                file, entry = entries[digest]
                yield Notice(
                    DECISION,
                    entry.title,
                    entry.identity,
                    FilePlace(path, 1),
                    FilePlace(file, entry.first),
                    missing=(f"{decision.kind} on {decision.date}",),
                )
