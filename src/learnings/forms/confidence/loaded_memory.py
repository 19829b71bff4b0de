"""A confidence memory read from disk: entries, observations, settings, and its findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from learnings.confidence.documents.entries import EntryFile, read_entries
from learnings.confidence.documents.fields import DocumentProblem, UnreadableDocument
from learnings.confidence.documents.observations import (
    AppliedFile,
    Handoff,
    ObservationsFile,
    read_applied,
    read_handoff,
    read_observations,
)
from learnings.confidence.documents.settings_text import SettingsFile, read_settings
from learnings.confidence.entry_checks import (
    REFERENCE,
    check_against_head,
    check_entries,
    check_observations,
)
from learnings.confidence.kinds import KINDS
from learnings.confidence.values import (
    ACTIVE,
    INCIDENT,
    ConfidenceSettings,
    Memory,
    Story,
    reviews_among,
)
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import decode
from learnings.forms.confidence.memory_folder import (
    FILE_NAMES,
    ConfidenceFolder,
    ObservationsSource,
)
from learnings.history.git.commands import dates_of_last_changes
from learnings.history.git.repository import head_commit, open_repository
from learnings.history.git.snapshots import Snapshot, snapshot_of
from learnings.history.git.work_tree import read_regular
from learnings.workspace.disk import is_folder

T = TypeVar("T")

LARGEST_MEMORY = 16 * LARGEST_FILE
"""Maximum bytes of a file that only grows, by entries or applied rows, which nobody removes.

Ten thousand applied rows are a megabyte.
"""


class MemoryReader:
    """Reads files below a root and collects their errors in `problems`.

    unreadable has the paths of files whose contents are unknown.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.problems: list[DocumentProblem] = []
        self.unreadable: set[str] = set()

    def text(self, path: str, *, most: int = LARGEST_FILE) -> str | None:
        """Return the text of a file of at most so many bytes.

        None if it does not exist, or is not readable.
        """
        try:
            data = read_regular(self._root / path, most=most, inside=self._root)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self._refuse(path, DocumentProblem(1, self._reason(path, error, most)))
            return None
        return decode(data)

    def _reason(self, path: str, error: OSError, most: int) -> str:
        if is_folder(self._root / path):
            return "is a folder instead of a file; move it away"
        reason = error.strerror or "unknown reason"
        if reason.startswith("more than"):
            return f"has more than {most // 1_000_000} MB, too large for a memory file; split it"
        return f"cannot be read ({reason}); fix this"

    def read(self, path: str, text: str | None, parse: Callable[[str], T], empty: T) -> T:
        """Return the parsed text; `empty` if there is none, or nothing usable."""
        if text is None:
            return empty
        try:
            return parse(text)
        except UnreadableDocument as error:
            self._refuse(path, error.problem)
            return empty

    def add(self, path: str, problem: DocumentProblem) -> None:
        """Record a problem in a file that is otherwise usable."""
        self.problems.append(problem._replace(path=path))

    def _refuse(self, path: str, problem: DocumentProblem) -> None:
        self.add(path, problem)
        self.unreadable.add(path)


STORY, WORKFLOW = "story", "workflow"
"""The default types of workflows: with a handoff file, and without."""
Numbers = Mapping[str, Decimal | int]
NO_NUMBERS: Numbers = MappingProxyType({})


class UnusableMemory(LearningsError):
    """An essential file is broken; str() says which and where."""


class LoadedObservations(NamedTuple):
    """An observations file with its content and its handoff file's; text None: no file.

    is_readable is False if either file could not be read.
    """

    source: ObservationsSource
    text: str | None
    content: ObservationsFile
    handoff_text: str | None
    handoff: Handoff
    is_readable: bool

    @property
    def is_captured(self) -> bool:
        """True if its observations are in the memory, by the file or its handoff file."""
        return self.content.is_captured or self.handoff.is_captured


class LoadedMemory(NamedTuple):
    """All files of a memory, and their problems; texts are the texts of the memory files."""

    folder: ConfidenceFolder
    texts: Mapping[str, str | None]
    files: Mapping[str, EntryFile]
    applied: AppliedFile
    sources: tuple[LoadedObservations, ...]
    settings: ConfidenceSettings
    problems: tuple[DocumentProblem, ...]
    unreadable: frozenset[str]

    @property
    def memory(self) -> Memory:
        """The entries; an entry with a wrong value is UNUSABLE, and its id stays taken."""
        files: dict[str, Any] = {k: (*file.entries, *file.broken) for k, file in self.files.items()}
        return Memory(**files)

    def refuse_unreadable(self) -> None:
        """Raise UnusableMemory if a memory file, the applied rows or settings cannot be used."""
        folder = self.folder
        needed = {folder.entry_file(key) for key in FILE_NAMES}
        needed |= {folder.applied_file, folder.settings_file}
        for problem in self.problems:
            if problem.path in needed & self.unreadable or problem.path == folder.settings_file:
                raise UnusableMemory(f"{problem}; nothing was changed")


def load_memory(
    folder: ConfidenceFolder,
    *,
    named: Sequence[str] = (),
    numbers: Numbers = NO_NUMBERS,
    with_observations: bool = True,
) -> LoadedMemory:
    """Read a memory; `named` are observations files by path, read whether they exist or not.

    numbers, by key, win over the settings file. Raises UsageProblem for a folder that cannot be
    listed.
    """
    reader = MemoryReader(folder.root)
    texts = {
        path: reader.text(path, most=LARGEST_MEMORY)
        for path in (*map(folder.entry_file, FILE_NAMES), folder.applied_file)
    }
    files = {}
    for key in FILE_NAMES:
        path = folder.entry_file(key)
        files[key] = reader.read(path, texts[path], partial(read_entries, key=key), EntryFile())
        for problem in files[key].problems:
            reader.add(path, problem)
    path = folder.applied_file
    applied = reader.read(path, texts[path], read_applied, AppliedFile())
    settings = _settings(folder, reader, numbers)
    present = folder.sources() if with_observations else ()
    sources = {source.path: source for source in present}
    sources |= {path: folder.source_at(path) for path in named}
    return LoadedMemory(
        folder,
        texts,
        files,
        applied,
        tuple(_loaded_observations(reader, source) for source in sources.values()),
        settings,
        tuple(reader.problems),
        frozenset(reader.unreadable),
    )


def _settings(
    folder: ConfidenceFolder, reader: MemoryReader, numbers: Numbers
) -> ConfidenceSettings:
    path = folder.settings_file
    in_file = reader.read(path, reader.text(path), read_settings, SettingsFile())
    for problem in in_file.problems:
        reader.add(path, problem)
    values: dict[str, Any] = {**folder.options._asdict(), **in_file.numbers, **numbers}
    del values["path"]
    return ConfidenceSettings(**values)


def _loaded_observations(reader: MemoryReader, source: ObservationsSource) -> LoadedObservations:
    text = reader.text(source.path)
    content = reader.read(source.path, text, read_observations, ObservationsFile())
    for problem in content.problems:
        reader.add(source.path, problem)
    handoff, handoff_text = Handoff(), None
    if source.handoff is not None:
        handoff_text = reader.text(source.handoff)
        handoff = reader.read(source.handoff, handoff_text, read_handoff, Handoff())
    is_readable = not {source.path, source.handoff} & reader.unreadable
    return LoadedObservations(source, text, content, handoff_text, handoff, is_readable)


# A commit that adds or removes an observation changes a line with an id; one that only sets
# `memory_captured` does not, and says nothing about the order of stories.
_ADDED = "-G(^|[ {,-])[\"']?id[\"']?:"


def stories_of(loaded: LoadedMemory, *, workflow_type: str | None = None) -> list[Story]:
    """Return the observations files as stories; the uncaptured ones are new.

    workflow_type is the type of workflows without one. Git is asked for dates of stories without a
    completion date.
    """
    undated = [file.source.path for file in loaded.sources if not file.handoff.completed]
    dates = dates_of_last_changes(loaded.folder.root, undated, _ADDED) if undated else {}
    return [
        Story(
            id=file.source.id,
            source=file.source.path,
            observations=file.content.observations,
            workflow_type=_workflow_type(file, workflow_type),
            has_briefing=file.source.has_briefing,
            is_new=not file.is_captured,
            completed=file.handoff.completed,
            committed=dates.get(file.source.path),
            is_story=file.source.handoff is not None,
        )
        for file in loaded.sources
        if file.is_readable
    ]


def _workflow_type(file: LoadedObservations, option: str | None) -> str:
    if file.content.workflow_type or file.source.is_incident:
        return file.content.workflow_type or INCIDENT
    return option or (STORY if file.source.handoff else WORKFLOW)


UNREADABLE, WRONG_VALUE = "memory-unreadable", "memory-wrong-value"
"""The names of the findings about an unreadable file, and about one value in a file."""


def report_on_memory(
    folder: ConfidenceFolder, *, numbers: Numbers = NO_NUMBERS, since: str = "HEAD"
) -> CheckReport:
    """Return the findings about all files of a memory, compared with a commit if HEAD is one.

    Raises UntrustedHistory if git cannot read the files of the commit.
    """
    loaded = load_memory(folder, numbers=numbers)
    findings = []
    for line, message, subject, path in loaded.problems:
        rule = UNREADABLE if path in loaded.unreadable else WRONG_VALUE
        findings.append(Finding(rule, Severity.ERROR, path, line, 1, message, subject=subject))
    for kind in KINDS:
        entries: Sequence[Any] = loaded.files[kind.key].entries
        findings += check_entries(kind, folder.entry_file(kind.key), entries, loaded.settings)
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
    files = {
        key: file._replace(broken=tuple(entry._replace(status=ACTIVE) for entry in file.broken))
        for key, file in loaded.files.items()
    }
    memory = loaded._replace(files=files).memory
    # References into an unreadable file are also unknown.
    is_known = not {loaded.folder.entry_file(key) for key in FILE_NAMES} & loaded.unreadable
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
    for kind in KINDS:
        path = loaded.folder.entry_file(kind.key)
        now = loaded.files[kind.key]
        parse = partial(read_entries, key=kind.key)
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
