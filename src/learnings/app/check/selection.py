"""Which files a check looks at, and the reading of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.app.workspace.disk import existing_file, is_folder, read_file, real_path
from learnings.app.workspace.workspace import Workspace
from learnings.core.agents.model import Commands
from learnings.core.roles import Role
from learnings.core.settings.values import FileSettings
from learnings.rules.checked_file import CheckedFile, document_of
from learnings.rules.rule import IndexFacts, Inputs

if TYPE_CHECKING:
    from learnings.app.workspace.discovery import Candidate

ReadFile = tuple[CheckedFile, Inputs]


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

    def everything(self) -> Iterator[ReadFile]:
        """Give all memory files of the workspace. Raises as named() does."""
        return self._all(self.workspace)

    def named(self, path: Path, *, shown: str) -> Iterator[ReadFile]:
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

    def given(self, path: Path, data: bytes) -> Iterator[ReadFile]:
        """Give a file whose content is at hand; it need not exist."""
        place = self._place(path)
        if self._only in (None, place.role):
            yield from self._wanted(place, data)

    def _wanted(self, place: _Place, data: bytes) -> Iterator[ReadFile]:
        file, inputs = self._read(place, place.role, data)
        is_guess = self._only is Role.LEARNINGS and file.file_settings.path is None
        if is_guess:
            from learnings.app.workspace.discovery import is_memory  # noqa: PLC0415

            if not is_memory(file.document):
                return
        yield file, inputs

    def _all(self, workspace: Workspace, *, within: Path | None = None) -> Iterator[ReadFile]:
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
    ) -> Iterator[ReadFile]:
        for found in _inside(workspace, files, within):
            if found.included:
                yield from self._found(workspace.root / found.path, role)

    def _indexes(self, workspace: Workspace) -> tuple[Candidate, ...]:
        """The indexes; a folder looked at as if it were the root has no memory index of its own."""
        own = workspace.index_files() if workspace is self.workspace else ()
        return (*own, *workspace.loaded_indexes())

    def _below(self, folder: Path) -> Iterator[ReadFile]:
        """Give the memory files of the workspace below a folder, and those of the folder itself.

        The latter as if it were the root, so that a part of a larger repository is found too.
        """
        workspace = self.workspace
        yield from self._all(workspace, within=real_path(folder))
        if not workspace.settings.files and workspace.settings.targets is None:
            yield from self._all(workspace._replace(root=folder, start=folder))

    def _found(self, full: Path, role: Role) -> Iterator[ReadFile]:
        place = self._place(full)
        if self._is_new(place):
            yield self._read(place, role, read_file(full, shown=place.shown))

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

    def _read(self, place: _Place, role: Role | None, data: bytes) -> ReadFile:
        settings, own = self.workspace.settings, self.workspace.settings.file
        if role not in (Role.TARGET, Role.INDEX, Role.AGENT):
            own = place.own or self.workspace.file_settings(place.full)
        document = document_of(data, role, own)
        if role is None and document.entries:
            role = Role.LEARNINGS
        file = CheckedFile(place.shown, role, data, document, settings, own)
        return file, self._inputs(file, place)

    def _inputs(self, file: CheckedFile, place: _Place) -> Inputs:
        """Return what the rules need besides the content of a file, but for its history."""
        if file.role is Role.AGENT and place.relative is not None:
            return self._of_agent(file, place.relative)
        is_index = place.relative == self.workspace.settings.index and file.is_text
        return {"index": self._index_facts(file.data)} if is_index else {}

    def _of_agent(self, file: CheckedFile, path: str) -> Inputs:
        """A file of an agent with what it speaks of."""
        from learnings.app.check.agent_facts import facts_for  # noqa: PLC0415  (as above)
        from learnings.app.workspace.agent_files import home_around  # noqa: PLC0415

        root = self.workspace.root
        home = home_around(root, path)
        if home is None:
            return {}
        return {"agent": facts_for(root, home, path, file.document, self._commands)}

    def _index_facts(self, data: bytes) -> IndexFacts:
        """Return what is wrong between the memory index and its files."""
        from learnings.app.check.indexing import facts_of  # noqa: PLC0415  (most are no index)

        workspace = self.workspace
        facts = facts_of(workspace, data)
        paths = {*facts.ignores, *(problem.path for problem in facts.problems)}
        shown = {path: self._shown(workspace.root / path, path) for path in paths}
        return IndexFacts(
            tuple(problem._replace(path=shown[problem.path]) for problem in facts.problems),
            {shown[path]: ignores for path, ignores in facts.ignores.items()},
        )


def _inside(
    workspace: Workspace, files: Iterable[Candidate], folder: Path | None
) -> Iterator[Candidate]:
    root = workspace.root.resolve()
    for found in files:
        if folder is None or (root / found.path).is_relative_to(folder):
            yield found
