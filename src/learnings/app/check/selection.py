"""Which files a check looks at, and the reading of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.candidate import Candidate
from learnings.app.workspace.disk import existing_file, is_folder, read_file, real_path
from learnings.app.workspace.workspace import Workspace, is_memory
from learnings.core.agents.model import Commands
from learnings.core.roles import Role
from learnings.core.settings.values import FileSettings
from learnings.rules.context import Context, document_of


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

    With `only` a role, files that do not have it are skipped: so are those that are merely named
    like a learnings file but hold no entry. Paths in findings start from `base`, the root of the
    repository that the user is in. `commands` are those that agent files may run. `skipped` tells
    what was left out and why, once everything has been looked for.
    """

    def __init__(
        self, workspace: Workspace, *, base: Path, commands: Commands, only: Role | None = None
    ) -> None:
        self.skipped: list[Candidate] = []
        self.workspace = workspace
        self._base = base
        self._commands = commands
        self._only = only
        self._own = {str(file.path): file for file in workspace.settings.files}
        self._done: set[str] = set()

    def everything(self) -> Iterator[Context]:
        """Give all memory files of the workspace. Raises as named() does."""
        return self._all(self.workspace)

    def named(self, path: Path, *, shown: str) -> Iterator[Context]:
        """Give a file, or the memory files below a folder; messages call it `shown`.

        Raises MissingFile for a file that is not there or cannot be read, UsageProblem for one
        that is too large.
        """
        if is_folder(path):
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
        if not is_guess or is_memory(context.document):
            yield context

    def _all(self, workspace: Workspace, *, within: Path | None = None) -> Iterator[Context]:
        """Give the memory files of a workspace, this one or one of its folders."""
        if self._only in (None, Role.LEARNINGS):
            for found in _inside(workspace, workspace.learnings_files(), within):
                if self._is_taken(found, workspace):
                    yield from self._found(workspace.root / found.path, Role.LEARNINGS)
        if self._only in (None, Role.TARGET):
            files = workspace.target_files()
            yield from self._taken(workspace, files, Role.TARGET, within)
        if self._only in (None, Role.INDEX):
            for found in _inside(workspace, self._indexes(workspace), within):
                if found.included:
                    yield from self._found(workspace.root / found.path, Role.INDEX)
                else:
                    self.skipped.append(found)
        if self._only is Role.AGENT:  # no memory, so they have to be asked for
            from learnings.app.workspace.agent_files import agent_files  # noqa: PLC0415  (seldom needed)

            yield from self._taken(
                workspace, agent_files(workspace.root, workspace.settings), Role.AGENT, within
            )

    def _taken(
        self, workspace: Workspace, files: Iterable[Candidate], role: Role, within: Path | None
    ) -> Iterator[Context]:
        for found in _inside(workspace, files, within):
            if found.included:
                yield from self._found(workspace.root / found.path, role)

    def _indexes(self, workspace: Workspace) -> tuple[Candidate, ...]:
        """The indexes; a folder looked at as if it were the root has no memory index of its own."""
        own = workspace.index_files() if workspace is self.workspace else ()
        return (*own, *workspace.loaded_indexes())

    def _below(self, folder: Path) -> Iterator[Context]:
        """Give the memory files of the workspace below a folder, and those of the folder itself.

        The latter as if it were the root, so that a part of a larger repository is found too.
        """
        workspace = self.workspace
        yield from self._all(workspace, within=real_path(folder))
        if not workspace.settings.files and workspace.settings.targets is None:
            yield from self._all(workspace._replace(root=folder, start=folder))

    def _found(self, full: Path, role: Role) -> Iterator[Context]:
        place = self._place(full)
        if self._is_new(place):
            yield self._context(place, role, read_file(full, shown=place.shown))

    def _is_taken(self, found: Candidate, workspace: Workspace) -> bool:
        if found.included:
            return True
        self.skipped.append(found)
        full = workspace.root / found.path
        if found.path in self._own or not os.access(full, os.R_OK):
            existing_file(full, shown=found.path)  # what is configured has to be there
        return False

    def _is_new(self, place: _Place) -> bool:
        known = place.shown in self._done
        self._done.add(place.shown)
        return not known

    def _place(self, path: Path) -> _Place:
        relative = self.workspace.relative(path)
        own = self._own.get(relative or "")
        role = Role.LEARNINGS if own else self.workspace.role_of(path)
        return _Place(path, self._shown(path, relative), role, own, relative)

    def _shown(self, path: Path, relative: str | None) -> str:
        if relative is not None and self.workspace.root == self._base:
            return relative
        full = self.workspace.root / (relative or path)
        inside = full.is_relative_to(self._base)
        return (full.relative_to(self._base) if inside else full).as_posix()

    def _context(self, place: _Place, role: Role | None, data: bytes) -> Context:
        settings, file = self.workspace.settings, self.workspace.settings.file
        if role not in (Role.TARGET, Role.INDEX, Role.AGENT):
            file = place.own or self.workspace.file_settings(place.full)
        document = document_of(data, role, file)
        if role is None and document.entries:
            role = Role.LEARNINGS
        context = Context(place.shown, role, data, document, settings, file)
        if role is Role.AGENT:
            return self._as_agent(context, place)
        is_index = place.relative == settings.index and b"\0" not in data
        return self._as_index(context) if is_index else context

    def _as_agent(self, context: Context, place: _Place) -> Context:
        """A file of an agent with what it speaks of."""
        from learnings.app.check.agent_facts import facts_for  # noqa: PLC0415  (as above)
        from learnings.app.workspace.agent_files import home_around  # noqa: PLC0415

        home = home_around(self.workspace.root, place.relative or "")
        if home is None or place.relative is None:
            return context
        root, path = self.workspace.root, place.relative
        return context._replace(agent=facts_for(root, home, path, context.document, self._commands))

    def _as_index(self, context: Context) -> Context:
        """The memory index with what is wrong between it and its files."""
        from learnings.app.check.indexing import outcome  # noqa: PLC0415  (most are no index)

        workspace = self.workspace
        found = outcome(workspace, context.data)
        paths = {*found.ignores, *(each.path for each in found.problems)}
        shown = {path: self._shown(workspace.root / path, path) for path in paths}
        return context._replace(
            problems=tuple(each._replace(path=shown[each.path]) for each in found.problems),
            elsewhere={shown[path]: ignores for path, ignores in found.ignores.items()},
        )


def _inside(
    workspace: Workspace, files: Iterable[Candidate], folder: Path | None
) -> Iterator[Candidate]:
    root = workspace.root.resolve()
    for found in files:
        if folder is None or (root / found.path).is_relative_to(folder):
            yield found
