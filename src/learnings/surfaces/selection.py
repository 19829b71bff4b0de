"""Which files a check looks at, and the reading of them."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.document import read
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.roles import Role
from learnings.rules.context import Context
from learnings.surfaces.disk import existing_file, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from learnings.core.document import Document
    from learnings.core.index_check import Problem
    from learnings.core.settings import FileSettings
    from learnings.surfaces.workspace import Found, Workspace

LARGEST_FILE = 4_000_000  # bytes; no memory is that long, and reading it takes seconds


class _Place(NamedTuple):
    """A file as far as its path tells: its name in findings, its role, settings of its own.

    relative is its path from the root of its workspace, None outside.
    """

    full: Path
    shown: str
    role: Role | None
    own: FileSettings | None
    relative: str | None


class Selection:
    """The files of a workspace that are to be checked, each once.

    With `only` a role, files that do not have it are passed over: so are those that are merely
    named like a learnings file but hold no entry. Paths in findings start from `base`, the root
    of the repository that the user is in. `passed_over` tells what was left out and why, once
    everything has been looked for.
    """

    def __init__(self, workspace: Workspace, *, base: Path, only: Role | None = None) -> None:
        self.passed_over: list[Found] = []
        self._workspace = workspace
        self._base = base
        self._only = only
        self._own = {str(file.path): file for file in workspace.settings.files}
        self._done: set[str] = set()

    def everything(self) -> Iterator[Context]:
        """Give all memory files of the workspace. Raises as named() does."""
        return self._all(self._workspace)

    def named(self, path: Path, *, shown: str) -> Iterator[Context]:
        """Give a file, or the memory files below a folder; messages call it `shown`.

        Raises MissingFile for a file that is not there or cannot be read, UsageProblem for one
        that is too large.
        """
        if path.is_dir():
            yield from self._below(path)
            return
        place = self._place(path)
        if self._only in (None, place.role) and self._is_new(place):
            yield from self._wanted(place, read_file(path, shown=shown))

    def given(self, path: Path, data: bytes) -> Iterator[Context]:
        """Give a file whose content is at hand; it need not exist."""
        place = self._place(path)
        if self._only in (None, place.role):
            yield from self._wanted(place, data)

    def _wanted(self, place: _Place, data: bytes) -> Iterator[Context]:
        context = self._context(place, place.role, data)
        is_guess = self._only is Role.LEARNINGS and context.file.path is None
        if not is_guess or _is_memory(context.document):
            yield context

    def _all(self, workspace: Workspace, *, within: Path | None = None) -> Iterator[Context]:
        """Give the memory files of a workspace, this one or one of its folders."""
        if self._only in (None, Role.LEARNINGS):
            for found in _inside(workspace, workspace.learnings_files(), within):
                if self._is_taken(found, workspace):
                    yield from self._found(workspace.root / found.path, Role.LEARNINGS)
        if self._only in (None, Role.TARGET):
            for found in _inside(workspace, workspace.target_files(), within):
                if found.taken:
                    yield from self._found(workspace.root / found.path, Role.TARGET)
        # A folder that is looked at as if it were the root has no index of its own.
        if self._only in (None, Role.INDEX) and workspace is self._workspace:
            for found in _inside(workspace, workspace.index_files(), within):
                if found.taken:
                    yield from self._found(workspace.root / found.path, Role.INDEX)
                else:
                    self.passed_over.append(found)

    def _below(self, folder: Path) -> Iterator[Context]:
        """Give the memory files of the workspace below a folder, and those of the folder itself.

        The latter as if it were the root, so that a part of a larger repository is found too.
        """
        workspace = self._workspace
        yield from self._all(workspace, within=folder.resolve())
        if not workspace.settings.files and workspace.settings.targets is None:
            yield from self._all(workspace._replace(root=folder, start=folder))

    def _found(self, full: Path, role: Role) -> Iterator[Context]:
        place = self._place(full)
        if self._is_new(place):
            yield self._context(place, role, read_file(full, shown=place.shown))

    def _is_taken(self, found: Found, workspace: Workspace) -> bool:
        if found.taken:
            return True
        self.passed_over.append(found)
        full = workspace.root / found.path
        if found.path in self._own or not os.access(full, os.R_OK):
            existing_file(full, shown=found.path)  # what is configured has to be there
        if not found.reason.startswith("no entry"):
            return False
        return _is_memory(read(read_file(full, shown=found.path)))

    def _is_new(self, place: _Place) -> bool:
        known = place.shown in self._done
        self._done.add(place.shown)
        return not known

    def _place(self, path: Path) -> _Place:
        relative = self._workspace.relative(path)
        own = self._own.get(relative or "")
        role = Role.LEARNINGS if own else self._workspace.role_of(path)
        return _Place(path, self._shown(path, relative), role, own, relative)

    def _shown(self, path: Path, relative: str | None) -> str:
        if relative is not None and self._workspace.root == self._base:
            return relative
        full = self._workspace.root / (relative or path)
        inside = full.is_relative_to(self._base)
        return (full.relative_to(self._base) if inside else full).as_posix()

    def _context(self, place: _Place, role: Role | None, data: bytes) -> Context:
        settings = self._workspace.settings
        problems = self._problems(place, data)
        if role in (Role.TARGET, Role.INDEX):
            document = read(data)
            return Context(place.shown, role, data, document, settings, settings.file, problems)
        file = place.own or self._workspace.file_settings(place.full)
        document = read(
            data,
            dialect=file.dialect,
            entry_level=file.entry_level,
            preamble_lines=file.preamble_lines,
        )
        if role is None and document.entries:
            role = Role.LEARNINGS
        return Context(place.shown, role, data, document, settings, file, problems)

    def _problems(self, place: _Place, data: bytes) -> tuple[Problem, ...]:
        """What is wrong between the index and its files, if this file is the index."""
        workspace = self._workspace
        if place.relative != workspace.settings.index or b"\0" in data:
            return ()
        from learnings.surfaces.indexing import index_problems  # noqa: PLC0415  (most have none)

        return tuple(
            replace(each, path=self._shown(workspace.root / each.path, each.path))
            for each in index_problems(workspace, data)
        )


def _inside(workspace: Workspace, files: Iterable[Found], folder: Path | None) -> Iterator[Found]:
    root = workspace.root.resolve()
    for found in files:
        if folder is None or (root / found.path).is_relative_to(folder):
            yield found


def _is_memory(document: Document) -> bool:
    """Whether a file that is named like a memory is one: it holds an entry, or may hide some."""
    outline = document.outline
    return bool(document.entries) or any(
        not block.closed for block in (*outline.fences, *outline.comments)
    )


def read_file(path: Path, *, shown: str) -> bytes:
    """Return the bytes of a regular file. Raises MissingFile, UsageProblem when it is too large."""
    existing_file(path, shown=shown)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise MissingFile(f"{printable(shown)} cannot be read ({reason}); correct that") from None
    return within_limit(data, shown=shown)


def within_limit(data: bytes, *, shown: str) -> bytes:
    """Return the bytes unless they are too many to be a memory; then raises UsageProblem."""
    if len(data) > LARGEST_FILE:
        raise UsageProblem(
            f"{printable(shown)} has more than {LARGEST_FILE // 1_000_000} MB, "
            "which no memory file has; split it or leave it out"
        )
    return data
