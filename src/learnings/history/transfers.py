"""The last changes of target files, and the lines they received from learnings files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from learnings.core.due.ages import LATEST
from learnings.core.due.history_facts import Transfer, Transfers
from learnings.core.text import decode, split_lines
from learnings.history.activity import usable_day
from learnings.history.blobs import BlobReader
from learnings.history.file_changes import FileChange, changes_in
from learnings.history.file_history import FileHistory
from learnings.history.git import commands
from learnings.history.git.raw_log import dated_paths

MAX_COMMITS = 400
"""Maximum commits of the target files to read, newest first.

A file that none of them changed is not a recent one. Chosen without a measurement.
"""

MAX_TRANSFERS = 24
"""Maximum consolidations to read, newest first; chosen: the measured histories had five."""


def transfers(history: FileHistory, targets: Sequence[Path]) -> Transfers:
    """Return the transfers to target files of this repository; raises UntrustedHistory."""
    repository, blobs = history.repository, history.blobs
    top = Path(os.path.realpath(repository.top))
    real_paths = [Path(os.path.realpath(target)) for target in targets]
    paths = [path.relative_to(top).as_posix() for path in real_paths if path.is_relative_to(top)]
    if not paths:
        return Transfers()

    def newest_removals() -> list[FileChange]:
        changes = changes_in(history.graph(), blobs)
        return [*islice((change for change in changes if change.removed), MAX_TRANSFERS)]

    received = []
    for change in history.through_renames(newest_removals):
        if change.date != LATEST:
            added = {path: _added(change, path, blobs) for path in paths}
            added = {path: lines for path, lines in added.items() if lines}
            received.append(Transfer(change.commit, change.date, change.entries(blobs), added))
    options = "--date=raw", f"--max-count={MAX_COMMITS}"
    printed = repository.run(*commands.last_changes(repository.head, paths, *options))
    days: dict[str, str] = {}
    for path, time in dated_paths(printed):
        if usable_day(time) != LATEST:
            days.setdefault(path, usable_day(time))
    return Transfers(tuple(received), days)


def _added(change: FileChange, path: str, blobs: BlobReader) -> tuple[str, ...]:
    after = blobs.find(change.commit, path)
    before = [blobs.find(parent, path) for parent in blobs.parents(change.commit)]
    if after is None or after in before:
        return ()
    old: Counter[str] = Counter()
    for blob in before:
        old |= Counter(_lines(blob, blobs))
    new: list[str] = []
    for line in _lines(after, blobs):
        if old[line]:
            old[line] -= 1
        else:
            new.append(line)
    return tuple(new)


def _lines(blob: str | None, blobs: BlobReader) -> list[str]:
    return [] if blob is None else split_lines(decode(blobs.version(blob)))
