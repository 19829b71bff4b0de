"""The files that a command line selects, each read, with its repository."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.check.loading import MemoryLoading
from learnings.check.selection import SelectedPath, Selection, obstacle_of
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.entries.layout import INDEX_MARK
from learnings.core.errors import LearningsError, MissingFile, UsageProblem
from learnings.core.instruction_paths import is_instructions
from learnings.core.roles import Role
from learnings.core.text import printable
from learnings.rules.rule import (
    CheckedFile,
    LoadingFacts,
    Obstacle,
    RuleInputs,
    SessionFacts,
    checked_file,
)
from learnings.workspace import disk
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.agents.file_facts import AgentFacts, Commands
    from learnings.check.agent_facts import AgentFiles
    from learnings.core.entries.archives import MissingEntries
    from learnings.workspace.discovery import Candidate


STDIN = "-"


class SelectedFile(NamedTuple):
    """A file to check with its inputs; its path starts from the user's repository."""

    workspace: Workspace
    file: CheckedFile
    inputs: RuleInputs


class Search:
    """The selection of a command line, in the user's repository or others; all files by default.

    `only` skips files of other roles, and files merely named like a learnings file. `force_exclude`
    applies `exclude` to named files too. `with_topics` also takes the files of memory folders.
    `commands` returns the commands that agent files may run. `since` is the commit at which the
    change under check begins, None for the last one. `contents` replace files on disk that a memory
    index lists, by absolute path.
    """

    def __init__(
        self,
        workspace: Workspace,
        paths: Sequence[str] = (),
        *,
        commands: Callable[[], Commands],
        only: Sequence[Role] = (),
        force_exclude: bool = False,
        with_topics: bool = False,
        overrides: Mapping[str, object] | None = None,
        since: str | None = None,
        contents: Mapping[Path, bytes] | None = None,
    ) -> None:
        self._paths = paths
        self._contents = contents or {}
        self._only = tuple(dict.fromkeys(only))
        self._roles = self._only or (Role.LEARNINGS,)
        self._commands = commands
        self._overrides = overrides
        self._since = since
        self.workspace = workspace.with_options(overrides or {}, since=since)
        self._select = partial(
            Selection,
            base=self.workspace.root,
            only=self._only,
            force_exclude=force_exclude,
            with_topics=with_topics,
        )
        self._selections = {self.workspace.root: self._select(self.workspace)}
        self._roots: dict[Path, Path] = {}
        self._agent_files: dict[Path, AgentFiles] = {}
        self.loading = cache(MemoryLoading)
        self._sessions: dict[Path, SessionFacts] = {}
        self._is_merging = cache(lambda root: disk.is_merging(disk.find_root(disk.real_path(root))))
        self._is_earlier = False

    def files(self) -> Iterator[SelectedFile]:
        """Yield each file once. Raises MissingFile, and UsageProblem for too large files."""
        if not self._paths:
            selection = self._selections[self.workspace.root]
            for selected in selection.everything():
                yield from self._read(selection, selected)
        for path in self._paths:
            disk.refuse_empty(path)
            if not disk.is_local_memory(self.workspace.start / path):
                disk.refuse_outside(self.workspace.start / path, self.workspace.start, shown=path)
            selection = self._selection_around(self.workspace.start / path)
            for selected in selection.named(self.workspace.start / path, written=path):
                yield from self._read(selection, selected)

    def again(
        self, files: Iterable[CheckedFile], former: Mapping[str, str]
    ) -> Iterator[SelectedFile]:
        """Yield the files of another search as they are here, without unreadable ones.

        former are the names here of files that were renamed.
        """
        self._is_earlier = True
        selection = self._selections[self.workspace.root]
        for file in files:
            selected = selection.in_role(former.get(file.path, file.path), file.role)
            if file.path in former:
                selected = selected._replace(file_settings=file.file_settings)
            if os.path.lexists(selected.full):
                yield from self._read(selection, selected)

    def standard_input(self, name: str | None) -> Iterator[SelectedFile]:
        """Yield standard input as the file of this name. Raises UsageProblem."""
        if name is None:
            raise UsageProblem("- requires --stdin-filename PATH")
        if list(self._paths) != [STDIN]:
            raise UsageProblem("--stdin-filename requires - as the only PATH")
        disk.refuse_empty(name)
        path = self.workspace.start / name
        disk.refuse_outside(path, self.workspace.start, shown=name, on_disk=False)
        if disk.is_folder(path):
            raise MissingFile(f"{printable(name)} is a folder; name a file")
        data = disk.within_limit(sys.stdin.buffer.read(LARGEST_FILE + 1), shown="standard input")
        yield from self.content(path, data, written=name)

    def content(
        self, path: Path, data: bytes, *, written: str, role: Role | None = None
    ) -> Iterator[SelectedFile]:
        """Yield this content as the file at an absolute path, which need not exist.

        The role depends on the path unless it is given, for a path in the workspace.
        """
        selection = self._selection_around(path)
        if role is not None:
            yield from self._read(selection, selection.in_role(str(path), role), data)
            return
        for selected in selection.named(path, written=written):
            yield from self._read(selection, selected, data)

    def nothing_found(self, *, has_advice: bool = True) -> str:
        """Return the sentence that there is no file to check, with the skipped ones."""
        from learnings.workspace.discovery import nothing_found  # noqa: PLC0415  (seldom needed)

        folders = [printable(folder.path) for folder in self.workspace.found.folders]
        if folders and Role.LEARNINGS in self._roles:
            return f"{', '.join(folders)}: no index of links to check, and no other memory file"
        return nothing_found(self.skipped_files(), self._roles, has_advice=has_advice)

    def skipped_files(self) -> tuple[Candidate, ...]:
        """Return the skipped files that the user may have meant, after all files were read."""
        excluded = [file for selection in self._selections.values() for file in selection.excluded]
        named = [self.workspace.start / path for path in self._paths]
        folders = [path for path in named if disk.is_folder(path)]
        others: list[Candidate] = []
        for role in self._roles:
            if not folders:
                others += self.workspace.skipped_files(role)
            for folder in folders:
                selection = self._selection_around(folder)
                for file in selection.workspace.below(folder).skipped_files(role):
                    others.append(file._replace(path=selection.shown(folder / file.path)))
        paths = {file.path for file in excluded}
        return (*excluded, *(file for file in others if file.path not in paths))

    def _read(
        self, selection: Selection, selected: SelectedPath, data: bytes | None = None
    ) -> Iterator[SelectedFile]:
        workspace, role = selection.workspace, selected.role
        obstacle = None
        if data is None:
            data, obstacle = _content_of(selected)
        if obstacle is not None and role is Role.AGENT:
            return  # most agent files do not concern us
        about_agents = self._agent_inputs(selection, selected, data)
        if role is Role.AGENT and role in self._only and about_agents is None:
            return  # before parsing, since most agent files do not concern us
        file = checked_file(
            data,
            path=selected.shown,
            role=role,
            settings=workspace.settings,
            file_settings=selected.file_settings,
        )
        if obstacle is not None:
            yield SelectedFile(workspace, file, {"obstacle": obstacle})
            return
        file, missing = self._compared(workspace, selected, file)
        is_chosen = file.file_settings.path is not None or missing is not None
        if (
            role is Role.LEARNINGS
            and role in self._only
            and not (is_chosen or file.document.entries)
        ):
            from learnings.workspace.memories import is_memory  # noqa: PLC0415  (seldom needed)

            if not is_memory(file.document):
                return
        inputs = self._inputs_around(workspace, selected, file)
        if about_agents is not None:
            inputs["agent"] = about_agents
        if missing is not None:
            inputs["committed"] = missing
        is_index = role is Role.INDEX or selected.relative in file.settings.index
        if role is not Role.AGENT and (is_index or INDEX_MARK in file.data):
            from learnings.check.memory_index import index_inputs_of  # noqa: PLC0415  (most files need nothing)

            named = ((workspace.relative(path), data) for path, data in self._contents.items())
            contents = {path: data for path, data in named if path is not None}
            inputs |= index_inputs_of(selection, selected, file, contents)
        yield SelectedFile(workspace, file, inputs)

    def _inputs_around(
        self, workspace: Workspace, selected: SelectedPath, file: CheckedFile
    ) -> RuleInputs:
        inputs: RuleInputs = {}
        root, path = workspace.root, selected.relative
        # A memory without entries may be a template, or say that it has moved. Outside a repository
        # nobody knows where the instructions are.
        is_memory = selected.role is Role.LEARNINGS and file.document.entries
        if path is not None and is_memory and os.path.lexists(root / ".git"):
            loading = self.loading(workspace.tree)
            inputs["loading"] = LoadingFacts(path, partial(loading.is_named, path))
        if selected.role is Role.TARGET and is_instructions(selected.relative or ""):
            from learnings.check.agent_facts import tree_facts  # noqa: PLC0415  (most files are no instructions)

            inputs["tree"] = tree_facts(workspace.tree, selected.relative or "")
        if workspace.settings.token_budget and not self._is_earlier:
            if workspace.root not in self._sessions:
                from learnings.check.session_cost import session_facts  # noqa: PLC0415  (few have a budget)

                self._sessions[workspace.root] = session_facts(
                    workspace, self.loading(workspace.tree), self._since
                )
            session = self._sessions[workspace.root]
            if selected.relative == session.path:
                inputs["session"] = session
        return inputs

    def _compared(
        self, workspace: Workspace, selected: SelectedPath, file: CheckedFile
    ) -> tuple[CheckedFile, MissingEntries | None]:
        """Return a file with the damage by a merge in progress, and the entries that it lost."""
        root, path, missing = workspace.root, selected.relative, None
        if file.role is not Role.LEARNINGS or path is None:
            return file, None
        if not file.document.entries:
            from learnings.check.other_versions import entries_missing_since  # noqa: PLC0415  (most files have entries)

            missing = entries_missing_since(workspace, path, file)
        if not self._is_earlier and self._is_merging(root):
            from learnings.check.other_versions import damage_under_way  # noqa: PLC0415  (in a merge only)

            file = file._replace(damage=damage_under_way(workspace.tree, path, file))
        return file, missing

    def _agent_inputs(
        self, selection: Selection, selected: SelectedPath, data: bytes
    ) -> AgentFacts | None:
        if selected.role is not Role.AGENT or selected.relative is None:
            return None
        from learnings.check.agent_facts import AgentFiles  # noqa: PLC0415  (for files of agents)

        root, tree = selection.workspace.root, selection.workspace.tree
        if root not in self._agent_files:
            self._agent_files[root] = AgentFiles(tree, self._commands())
        return self._agent_files[root].facts(selected.relative, data)

    def _selection_around(self, path: Path) -> Selection:
        folder = path if disk.is_folder(path) else path.parent
        if folder not in self._roots:
            users_root, real = self.workspace.root, disk.real_path(folder)
            real_root, root = disk.real_path(users_root), disk.find_root(real)
            is_users = root == real_root or not disk.is_folder(real)
            is_below = real.is_relative_to(real_root) and not os.path.lexists(root / ".git")
            self._roots[folder] = users_root if is_users or is_below else root
        root = self._roots[folder]
        if root not in self._selections:
            workspace = self.workspace.at(root, overrides=self._overrides, since=self._since)
            self._selections[root] = self._select(workspace)
        return self._selections[root]


def _content_of(selected: SelectedPath) -> tuple[bytes, Obstacle | None]:
    """Return the bytes of a file, or why it cannot be read; raises if somebody named it."""
    if selected.obstacle is not None:
        return b"", selected.obstacle
    try:
        return disk.read_file(selected.full, shown=selected.written), None
    except LearningsError as error:
        if selected.is_named or selected.file_settings.path is not None:
            raise
        reason = str(error).removeprefix(f"{printable(selected.written)} ").partition("; ")[0]
        return b"", obstacle_of(reason)
