"""The inputs of a consolidation: the entries of a file, its batch, and the target files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.entry_names import entries_named, several, unknown
from learnings.consolidation.text.sections import TargetFile, target_of
from learnings.core.due.ages import AgeReport, newest_first
from learnings.core.due.conditions import resting_decisions
from learnings.core.due.verdicts import Verdict
from learnings.core.entries.ambiguities import second_reading
from learnings.core.entries.document import Document, Entry
from learnings.core.errors import UntrustedHistory, UsageProblem
from learnings.core.instruction_paths import is_instructions
from learnings.core.roles import Role
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import counted, printable
from learnings.workspace.discovery import refuse_unreadable
from learnings.workspace.disk import find_root, is_folder, read_file, real_path
from learnings.workspace.memory_file import MemoryFile, memory_at
from learnings.workspace.workspace import Workspace

NO_TARGETS = "no target file; name some with --targets, or configure targets"
QUOTE = "if you meant it as a target, quote the pattern of --targets"
NO_BATCH = "no entry is old enough for a batch; --all takes every entry"


class InputOptions(NamedTuple):
    """The entries and targets of a command; globs are relative to the working directory.

    only names entries of any age. A plan needs a history to choose a batch, and leaves out entries
    that rest after a decision, unless they are named.
    """

    targets: Sequence[str] = ()
    every_entry: bool = False
    only: Sequence[str] = ()
    is_for_plan: bool = False


class TargetRoom(NamedTuple):
    """A file that can receive entries: its lines and its limit."""

    path: str
    lines: int
    limit: int


class Inputs(NamedTuple):
    """A learnings file with the entries to work on, and the target files.

    entries is the batch, oldest first, or all entries in file order. report has the ages, or is
    None without a trusted history. recent has the identities of the newest entries if every entry
    is taken. notes are for the user.
    """

    memory_file: MemoryFile
    document: Document
    entries: tuple[Entry, ...]
    targets: tuple[TargetFile, ...]
    report: AgeReport | None
    is_batch: bool
    notes: tuple[str, ...]
    recent: frozenset[str] = frozenset()

    @property
    def file(self) -> str:
        """The displayed name of the learnings file."""
        return self.memory_file.name

    @property
    def scope(self) -> str:
        """The entries in words, such as `3 entries of the batch`."""
        count = counted(len(self.entries), "entry", "entries")
        return f"{count} of the batch" if self.is_batch else count

    def with_note(self, note: str) -> Inputs:
        """Return the inputs with another note."""
        return self._replace(notes=(*self.notes, note))

    @property
    def destinations(self) -> tuple[TargetFile, ...]:
        """The target files for entries; decision records and loaded files only if configured."""
        if self.memory_file.workspace.settings.targets is not None:
            return self.targets
        return tuple(t for t in self.targets if not (t.is_record or is_instructions(t.path)))


def load_inputs(file: MemoryFile, options: InputOptions) -> Inputs:
    """Read a learnings file, its batch, and the targets that the options name.

    Without a trusted history, take every entry unless the history is needed. Raises MissingFile,
    UsageProblem, BadSettings (also for a target outside the repository), UntrustedHistory.
    """
    path = file.path
    start = _start(path, file.workspace.user_folder)
    globs = [
        Path(os.path.relpath(glob, start)).as_posix() if os.path.isabs(glob) else glob  # noqa: PTH117
        for glob in options.targets
    ]
    workspace = file.workspace.at(start, overrides={"targets": globs or None})
    file = memory_at(workspace, path)
    document = file.document
    targets, notes = _targets(workspace, file.name, named=bool(options.targets))
    if options.targets and workspace.role_of(path) is not Role.LEARNINGS:
        # A shell expands an unquoted pattern to several words, and --targets takes only one.
        notes.append(f"{printable(file.name)} is read as the learnings file; {QUOTE}")
    ambiguity = second_reading(document) if document.entries else None
    if ambiguity is not None:
        notes.append(f"{printable(file.name)}: {ambiguity}")
    inputs = Inputs(file, document, (), targets, report=None, is_batch=False, notes=tuple(notes))
    return _with_entries(inputs, options)


def inputs_of(file: MemoryFile, verdict: Verdict) -> Inputs:
    """Return the batch of a verdict and the targets. Raises MissingFile or UsageProblem."""
    targets, notes = _targets(file.workspace, file.name, named=False)
    return Inputs(
        memory_file=file,
        document=verdict.report.document,
        entries=tuple(age.entry for age in verdict.batch),
        targets=targets,
        report=verdict.report,
        is_batch=True,
        notes=tuple(notes),
    )


def read_targets(workspace: Workspace, paths: Iterable[str]) -> tuple[TargetFile, ...]:
    """Read target files, sorted by path; raises MissingFile or UsageProblem if unreadable."""
    return tuple(
        target_of(path, read_file(workspace.root / path, shown=path)) for path in sorted(paths)
    )


def _with_entries(inputs: Inputs, options: InputOptions) -> Inputs:
    file, document = inputs.memory_file, inputs.document
    every_entry = options.every_entry or bool(options.only)
    inputs = inputs._replace(entries=_named(options.only, document, file.name))
    try:
        verdict = None if every_entry else file.verdict()
        report = file.ages() if verdict is None else verdict.report
    except UntrustedHistory as error:
        if options.is_for_plan and not every_entry:
            raise UntrustedHistory(f"{error}; or take every entry with --all") from None
        note = f"no batch without history, so every entry is taken: {error}"
        if every_entry:
            note = f"ages are unknown, so the newest entries are not left out: {error}"
        is_said = not every_entry or (options.is_for_plan and not options.only)
        return inputs.with_note(note) if is_said else inputs
    inputs = inputs._replace(report=report)
    if verdict is not None:
        known = document.by_identity
        old = (known.get(age.entry.identity) for age in verdict.batch)
        inputs = inputs._replace(entries=tuple(filter(None, old)), is_batch=True)
        return inputs if inputs.entries or not document.entries else inputs.with_note(NO_BATCH)
    if options.only:
        return inputs
    inputs = inputs._replace(recent=newest_identities(report, file.settings))
    resting = resting_decisions(report, file.settings) if options.is_for_plan else {}
    awake = tuple(entry for entry in inputs.entries if entry.identity not in resting)
    if len(awake) == len(inputs.entries):
        return inputs
    rest = counted(len(inputs.entries) - len(awake), "entry rests", "entries rest")
    note = f"{rest} after a decision and will be asked about later; --only names any entry"
    return inputs._replace(entries=awake).with_note(note)


def _named(names: Sequence[str], document: Document, file: str) -> tuple[Entry, ...]:
    """Return the named entries in file order, without names all of them."""
    found = set()
    for name in names:
        named = entries_named(name, document.entries)
        if not named:
            raise UsageProblem(unknown(name, document.entries, file))
        if len(named) > 1:
            raise UsageProblem(several(name, named))
        found.add(named[0].identity)
    return tuple(entry for entry in document.entries if not names or entry.identity in found)


def newest_identities(report: AgeReport, settings: FileSettings) -> frozenset[str]:
    """Return the identities of the newest `keep-recent` entries."""
    newest = newest_first(report.entries)[: settings.keep_recent]
    return frozenset(age.entry.identity for age in newest)


def _start(path: Path, user_folder: Path) -> Path:
    """Return the base folder of globs: the user's if it is in FILE's repository, else the root."""
    real_user_folder, folder = real_path(user_folder), real_path(path).parent
    root = find_root(folder)
    is_repository = os.path.lexists(root / ".git")
    belongs = (
        root == find_root(real_user_folder)
        if is_repository
        else folder.is_relative_to(real_user_folder)
    )
    return user_folder if belongs or not is_folder(folder) else root


def _targets(
    workspace: Workspace, learnings_file: str, *, named: bool
) -> tuple[tuple[TargetFile, ...], list[str]]:
    candidates = [c for c in workspace.target_files() if c.path != learnings_file]
    for candidate in candidates:
        refuse_unreadable(candidate)
    targets = read_targets(workspace, (c.path for c in candidates if c.included))
    notes = [
        f"{printable(candidate.path)} is skipped: {candidate.reason}"
        for candidate in candidates
        if named and not candidate.included
    ]
    return targets, notes if targets else [*notes, NO_TARGETS]
