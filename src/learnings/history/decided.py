"""Decisions of earlier consolidations about a memory file, in the working tree or a commit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from learnings.core.entries.archives import archive_folder, home_of_folder
from learnings.core.entries.decisions import (
    NO_DECISIONS,
    Decisions,
    decisions_path,
    is_decisions,
    is_decisions_name,
    joined,
    read_decisions,
)
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.file_names import ARCHIVE_FOLDER, LEARNINGS_FOLDERS
from learnings.core.text import printable
from learnings.history.file_history import FileHistory
from learnings.history.regular_file import read_regular


def decisions_about(history: FileHistory) -> tuple[Decisions, tuple[str, ...]]:
    """Return the decisions in force at the query's date, and a note for each broken line.

    Decisions name texts by digest, so the decisions of a renamed or moved memory still count.
    """
    files: Iterable[tuple[str, bytes]]
    if history.query.at is None:
        files = decision_files(history.repository.top, history.path)
    else:
        own = decisions_path(history.path)
        blob = history.blobs.find(history.repository.head, own)
        files = [(own, history.blobs.data(blob))] if blob is not None else []
    return _joined(files, until=history.query.as_of)


def decisions_about_folder(
    top: Path, folder: str, *, until: str | None
) -> tuple[Decisions, tuple[str, ...]]:
    """Return the same for a memory folder, POSIX from the top of its repository; until is ISO."""
    return _joined(decision_files(top, home_of_folder(folder)), until=until)


def _joined(
    files: Iterable[tuple[str, bytes]], *, until: str | None
) -> tuple[Decisions, tuple[str, ...]]:
    read, notes = [], []
    for path, data in files:
        if not is_decisions(path, data):
            continue
        decisions = read_decisions(data)
        read.append(decisions)
        notes += [
            f"{printable(path)}:{line} is not a decision; correct or remove the line"
            for line in decisions.broken
        ]
    if not read:
        return NO_DECISIONS, ()
    decisions = joined(read)
    return (decisions.until(until) if until else decisions), tuple(notes)


def decision_files(top: Path, memory: str) -> Iterator[tuple[str, bytes]]:
    """Yield the decision files on disk that may be about a memory, its own file last.

    memory and the returned paths are POSIX from the top of the repository.
    """
    own = decisions_path(memory)
    usual = (f"{folder}/{ARCHIVE_FOLDER}".lstrip("/") for folder in LEARNINGS_FOLDERS)
    for path in [*_names(top, dict.fromkeys([*usual, archive_folder(memory)]), own), own]:
        try:
            yield path, read_regular(top / path, most=LARGEST_FILE, inside=top)
        except OSError:
            continue  # absent, or unreadable and so without decisions


def _names(top: Path, folders: dict[str, None], own: str) -> list[str]:
    found = []
    for folder in folders:
        try:
            names = os.listdir(os.path.join(top, folder))  # noqa: PTH118, PTH208  (most are not there)
        except OSError:
            continue
        found += [f"{folder}/{name}" for name in names if is_decisions_name(name)]
    return sorted(path for path in found if path != own)
