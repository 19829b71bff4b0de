"""The findings about a confidence memory: in its files, in its entries, and since a commit."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from learnings.confidence.documents.applied import AppliedFile, read_applied
from learnings.confidence.documents.entries import EntryFile, read_entries
from learnings.confidence.entry_checks import (
    REFERENCE,
    check_against_head,
    check_entries,
    check_observations,
)
from learnings.confidence.kinds import KINDS
from learnings.confidence.values import ACTIVE, reviews_among
from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import decode
from learnings.forms.confidence.loaded_memory import (
    NO_NUMBERS,
    LoadedMemory,
    MemoryReader,
    Numbers,
    load_memory,
    memory_of,
    stories_of,
)
from learnings.forms.confidence.memory_folder import MemoryFolder
from learnings.history.git.repository import head_commit, open_repository
from learnings.history.git.snapshots import Snapshot, snapshot_of

UNREADABLE, WRONG_VALUE = "memory-unreadable", "memory-wrong-value"
"""The names of the findings about an unreadable file, and about one value in a file."""

_KINDS = {kind.key: kind for kind in KINDS}


def report_on_memory(
    folder: MemoryFolder, *, numbers: Numbers = NO_NUMBERS, since: str = "HEAD"
) -> CheckReport:
    """Return the findings about all files of a memory, compared with a commit if HEAD is one.

    Raises UntrustedHistory if git cannot read the files of the commit.
    """
    loaded = load_memory(folder, numbers=numbers)
    findings = []
    for path, line, message, subject, is_unreadable in loaded.problems:
        rule = UNREADABLE if is_unreadable else WRONG_VALUE
        findings.append(Finding(rule, Severity.ERROR, path, line, 1, message, subject=subject))
    for key, kind in _KINDS.items():
        entries: Sequence[Any] = loaded.files[key].entries
        findings += check_entries(kind, folder.entry_file(key), entries, loaded.settings)
    findings += _about_observations(loaded)
    # Without git there is nothing to compare with.
    if os.path.lexists(folder.root / ".git") and head_commit(folder.root):
        repository = open_repository(folder.root, rev=since)
        with snapshot_of(repository, commit=repository.head) as snapshot:
            findings += _changes_since(loaded, snapshot)
    looked_at = sum(text is not None for text in loaded.texts.values()) + len(loaded.sources)
    return CheckReport.of(findings, files=looked_at)


def _about_observations(loaded: LoadedMemory) -> Iterator[Finding]:
    # A reference to a broken entry may be right; the entry itself is reported.
    memory = memory_of(
        {
            key: (*file.entries, *(entry._replace(status=ACTIVE) for entry in file.broken))
            for key, file in loaded.files.items()
        }
    )
    # References into an unreadable file are also unknown.
    is_known = not {loaded.folder.entry_file(key) for key in _KINDS} & loaded.unreadable
    stories = stories_of(loaded)
    reviews = reviews_among(stories)
    for story in stories:
        for finding in check_observations(story.source, story, memory, loaded.settings, reviews):
            if is_known or finding.rule != REFERENCE:
                yield finding


def _changes_since(loaded: LoadedMemory, snapshot: Snapshot) -> Iterator[Finding]:
    reader = MemoryReader(loaded.folder.root)  # problems of that time concern nobody now
    path = loaded.folder.applied_file
    rows_then = reader.read(path, _text(snapshot, path), read_applied, AppliedFile()).rows
    if path in loaded.unreadable:
        return
    for key, kind in _KINDS.items():
        path = loaded.folder.entry_file(key)
        now = loaded.files[key]
        parse = partial(read_entries, key=key)
        then = reader.read(path, _text(snapshot, path), parse, EntryFile())
        if path in loaded.unreadable:
            continue
        broken = {entry.id for entry in (*now.broken, *then.broken)}
        entries: list[Any] = [entry for entry in now.entries if entry.id not in broken]
        head: list[Any] = [entry for entry in then.entries if entry.id not in broken]
        rows = loaded.applied.rows
        yield from check_against_head(kind, path, entries, head, rows=rows, head_rows=rows_then)


def _text(snapshot: Snapshot, path: str) -> str | None:
    data = snapshot.read(path)
    return None if data is None else decode(data)
