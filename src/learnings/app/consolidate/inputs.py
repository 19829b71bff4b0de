"""The inputs of a consolidation: the entries of a file, its batch, and the target files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.entry_names import entries_named, several, unknown
from learnings.consolidation.text.sections import TargetFile, target_of
from learnings.core.due.ages import AgeReport
from learnings.core.due.verdicts import Verdict
from learnings.core.entries.document import Document, Entry
from learnings.core.errors import UntrustedHistory, UsageProblem
from learnings.core.instruction_paths import is_instructions
from learnings.core.roles import Role
from learnings.core.text import counted, printable
from learnings.forms.learnings_file import doubt_of
from learnings.workspace.disk import find_root, is_folder, read_file, real_path
from learnings.workspace.memory_file import MemoryFile, memory_at
from learnings.workspace.tree import CANNOT_BE_READ
from learnings.workspace.workspace import Workspace


class TargetRoom(NamedTuple):
    """A file that can receive entries: its lines and its limit."""

    path: str
    lines: int
    limit: int


class Inputs(NamedTuple):
    """A learnings file with the entries to work on, and the target files.

    entries is the batch, oldest first, or all entries in file order. report has the ages, or is
    None without a trusted history. recent has the identities of the newest entries if every entry
    is taken. are_named is True if the user has named each. notes are for the user.
    """

    memory_file: MemoryFile
    document: Document
    entries: tuple[Entry, ...]
    targets: tuple[TargetFile, ...]
    report: AgeReport | None = None
    is_batch: bool = False
    notes: tuple[str, ...] = ()
    recent: frozenset[str] = frozenset()
    are_named: bool = False

    @property
    def file(self) -> str:
        """The displayed name of the learnings file."""
        return self.memory_file.name

    @property
    def scope(self) -> str:
        """The entries in words, such as `3 entries of the batch`."""
        count = counted(len(self.entries), "entry", "entries")
        return f"{count} of the batch" if self.is_batch else count

    @property
    def destinations(self) -> tuple[TargetFile, ...]:
        """The target files for entries; decision records and loaded files only if configured."""
        return _destinations(self.memory_file.workspace, self.targets)


@contextmanager
def load_inputs(
    file: MemoryFile,
    targets: Sequence[str] = (),
    *,
    every_entry: bool = False,
    only: Sequence[str] = (),
    is_for_plan: bool = False,
) -> Iterator[Inputs]:
    """Read a learnings file, its batch, and the targets that globs name, by default all of them.

    Globs are relative to the working directory. only names entries of any age. Without a trusted
    history every entry is taken; but a plan needs one to choose a batch. It leaves out entries that
    rest after a decision, unless they are named. The history stays open inside the context, so that
    git reads it once. Raises MissingFile, UsageProblem, BadSettings (also for a target outside the
    repository), UntrustedHistory.
    """
    workspace = _workspace(file, targets)
    if workspace is not file.workspace:
        file = memory_at(workspace, file.found)
    with file.open():
        named = bool(targets)
        yield _read(file, only, named=named, every_entry=every_entry, is_for_plan=is_for_plan)


def _read(
    file: MemoryFile, only: Sequence[str], *, named: bool, every_entry: bool, is_for_plan: bool
) -> Inputs:
    document, workspace = file.document, file.workspace
    read, notes = _targets(workspace, file.name, named=named)
    if named and workspace.role_of(file.found) is not Role.LEARNINGS:
        # A shell expands an unquoted pattern to several words, and --targets takes only one.
        advice = "if you meant it as a target, quote the pattern of --targets"
        notes.append(f"{printable(file.name)} is read as the learnings file; {advice}")
    if doubt := doubt_of(workspace, file.name, document):
        notes.append(f"{printable(file.name)}: {doubt}")

    named_entries = _named(only, document, file.name)
    inputs = Inputs(file, document, named_entries, read, are_named=bool(only))
    every_entry = every_entry or bool(only)
    try:
        verdict = None if every_entry else file.verdict()
        report = file.ages() if verdict is None else verdict.report
    except UntrustedHistory as error:
        if is_for_plan and not every_entry:
            raise UntrustedHistory(f"{error}; or take every entry with --all") from None
        if not every_entry:
            notes.append(f"no batch without history, so every entry is taken: {error}")
        elif is_for_plan and not only:
            notes.append(f"ages are unknown, so the newest entries are not left out: {error}")
        return inputs._replace(notes=tuple(notes))
    inputs = inputs._replace(report=report)
    if verdict is not None:
        old = (document.by_identity.get(age.entry.identity) for age in verdict.batch)
        inputs = inputs._replace(entries=tuple(filter(None, old)), is_batch=True)
        if document.entries and not inputs.entries:
            notes.append("no entry is old enough for a batch; --all takes every entry")
    elif not only:
        resting = {one.entry.identity for one in report.resting} if is_for_plan else set()
        awake = tuple(entry for entry in inputs.entries if entry.identity not in resting)
        rest = counted(len(inputs.entries) - len(awake), "entry rests", "entries rest")
        note = f"{rest} after a decision and will be asked about later; --only names any entry"
        notes += [note] if len(awake) < len(inputs.entries) else []
        inputs = inputs._replace(entries=awake, recent=report.newest)
    return inputs._replace(notes=tuple(notes))


def inputs_of(file: MemoryFile, verdict: Verdict) -> Inputs:
    """Return the batch of a verdict and the targets. Raises MissingFile or UsageProblem."""
    targets, _ = _targets(file.workspace, file.name, named=False)
    batch = tuple(age.entry for age in verdict.batch)
    return Inputs(file, verdict.report.document, batch, targets, verdict.report, is_batch=True)


def read_targets(workspace: Workspace, paths: Iterable[str]) -> tuple[TargetFile, ...]:
    """Read target files, sorted by path; raises MissingFile or UsageProblem if unreadable."""
    return tuple(
        target_of(path, read_file(workspace.tree.full(path), shown=path)) for path in sorted(paths)
    )


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


def _workspace(file: MemoryFile, targets: Sequence[str]) -> Workspace:
    """Return a workspace with these globs as targets, without globs those of the settings.

    They are relative to the user's folder if that is in the file's repository, else to its root.
    """
    start, folder = real_path(file.workspace.user_folder), real_path(file.path).parent
    root = find_root(folder)
    if os.path.lexists(root / ".git"):
        belongs = root == find_root(start)
    else:
        belongs = folder.is_relative_to(start)
    base = file.workspace.user_folder if belongs or not is_folder(folder) else root
    globs = [
        Path(os.path.relpath(glob, base)).as_posix() if Path(glob).is_absolute() else glob
        for glob in targets
    ]
    if not globs and base == file.workspace.start:
        return file.workspace
    return file.workspace.at(base, overrides={"targets": globs or None})


def _targets(
    workspace: Workspace, learnings_file: str, *, named: bool
) -> tuple[tuple[TargetFile, ...], list[str]]:
    """Return the target files, and notes on those that are left out."""
    candidates = [c for c in workspace.found.targets if c.path != learnings_file]
    notes = [
        f"{printable(candidate.path)} is skipped: {candidate.reason}"
        for candidate in candidates
        if not candidate.included and (named or candidate.reason.startswith(CANNOT_BE_READ))
    ]
    targets = read_targets(workspace, (c.path for c in candidates if c.included))
    if not _destinations(workspace, targets):
        notes.append("no target file for entries; name some with --targets, or configure targets")
    return targets, notes


def _destinations(workspace: Workspace, targets: tuple[TargetFile, ...]) -> tuple[TargetFile, ...]:
    if workspace.settings.targets is not None:
        return targets
    return tuple(t for t in targets if not (t.is_record or is_instructions(t.path)))
