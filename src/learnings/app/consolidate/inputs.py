"""What a consolidation works with: the entries of a file, its batch, and the target files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TextIO

from learnings.app.due.query import FileQuery, file_query_about
from learnings.app.workspace.disk import find_root, read_file, real_path
from learnings.app.workspace.workspace import Workspace
from learnings.consolidation.text.sections import Target, target_of
from learnings.core.entries.document import Document, Entry, read
from learnings.core.errors import UntrustedHistory
from learnings.core.text import printable

NO_TARGETS = "there is no target file; name some with --targets, or configure targets"
NO_BATCH = "no entry is old enough for a batch; --all takes every entry"


class Inputs(NamedTuple):
    """A learnings file with the entries that are asked about, and the target files.

    wanted are the entries of the batch, oldest first, or all of them in the order of the file.
    dates are those of git by identity, None where there is no history.
    """

    file_query: FileQuery
    document: Document
    wanted: tuple[Entry, ...]
    targets: tuple[Target, ...]
    dates: Mapping[str, str | None] | None
    is_batch: bool

    @property
    def file(self) -> str:
        """The name of the learnings file in what is printed."""
        return self.file_query.name

    @property
    def scope(self) -> str:
        """The entries that were asked about, in words."""
        count = len(self.wanted)
        noun = "entry" if count == 1 else "entries"
        return f"{count} {noun} of the batch" if self.is_batch else f"{count} {noun}"

    @property
    def target_paths(self) -> list[Path]:
        """Where the target files are."""
        return [self.file_query.workspace.root / target.path for target in self.targets]


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add FILE and the options that say which entries and which targets are meant."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a learnings file")
    parser.add_argument(
        "--targets",
        nargs="+",
        action="extend",
        metavar="GLOB",
        help="target files, from the working directory (default: as configured)",
    )
    parser.add_argument(
        "--all", action="store_true", help="every entry, not only those of the batch"
    )
    parser.set_defaults(as_of=None, at=None, allow_shallow=False)


def inputs(args: argparse.Namespace, cwd: Path, *, err: TextIO) -> Inputs:
    """Gather what the options of add_input_options() ask for.

    Without a history that can be trusted there is no batch, so that every entry is taken, and a
    note says so. Notes are written to err. Raises MissingFile, UsageProblem, BadSettings (also for
    a target outside of the repository).
    """
    workspace = _workspace(args, cwd)
    path = workspace.the_file(args.file, base=cwd)
    file_query = file_query_about(args, workspace, path, cwd)
    document = read(read_file(path, shown=file_query.name), file_query.read_options)
    targets, skipped = _targets(workspace, file_query.name, named=bool(args.targets))
    chosen = _chosen(file_query, document, everything=args.all)
    notes = (*skipped, *chosen.notes)
    err.writelines(f"learnings: {printable(note)}\n" for note in notes)
    return Inputs(
        file_query=file_query,
        document=document,
        wanted=chosen.entries,
        targets=targets,
        dates=chosen.dates,
        is_batch=chosen.is_batch,
    )


class _Chosen(NamedTuple):
    """The entries that are asked about, and what history says of all of them."""

    entries: tuple[Entry, ...]
    dates: Mapping[str, str | None] | None
    is_batch: bool
    notes: tuple[str, ...] = ()


def _chosen(file_query: FileQuery, document: Document, *, everything: bool) -> _Chosen:
    try:
        verdict = None if everything else file_query.verdict()
        report = file_query.ages() if verdict is None else verdict.report
    except UntrustedHistory as error:
        note = f"there is no batch without history, so every entry is taken: {error}"
        return _Chosen(document.entries, None, is_batch=False, notes=() if everything else (note,))
    dates = {each.entry.identity: each.origin.date for each in report.entries}
    if verdict is None:
        return _Chosen(document.entries, dates, is_batch=False)
    known = document.by_identity
    batch = tuple(
        known[each.entry.identity] for each in verdict.batch if each.entry.identity in known
    )
    notes = (NO_BATCH,) if document.entries and not batch else ()
    return _Chosen(batch, dates, is_batch=True, notes=notes)


def _workspace(args: argparse.Namespace, cwd: Path) -> Workspace:
    """Open the workspace around FILE."""
    start = _start(args.file, cwd) if args.file else cwd
    globs = args.targets and [_relative(glob, start) for glob in args.targets]
    return Workspace.open(start, overrides={"targets": globs})


def _start(file: str, cwd: Path) -> Path:
    """Return the folder that globs start from: the working directory, if FILE belongs to it.

    It does in the same repository, and below it where there is none. Else the root around FILE.
    """
    here, folder = real_path(cwd), Path(os.path.realpath(cwd / file)).parent
    root = find_root(folder)
    is_repository = os.path.lexists(root / ".git")
    belongs = root == find_root(here) if is_repository else folder.is_relative_to(here)
    return cwd if belongs or not folder.is_dir() else root


def _relative(glob: str, start: Path) -> str:
    return Path(os.path.relpath(glob, start)).as_posix() if os.path.isabs(glob) else glob  # noqa: PTH117


def _targets(
    workspace: Workspace, own: str, *, named: bool
) -> tuple[tuple[Target, ...], list[str]]:
    """Return the target files and what is to be said of those that were skipped."""
    taken, notes = [], []
    for found in workspace.target_files():
        if found.included and found.path != own:
            data = read_file(workspace.root / found.path, shown=found.path)
            taken.append(target_of(found.path, data))
        elif named and found.path != own:
            notes.append(f"{printable(found.path)} is skipped: {found.reason}")
    if not taken:
        notes.append(NO_TARGETS)
    return tuple(sorted(taken, key=lambda target: target.path)), notes
