"""A repository under check: its files become values, each with the inputs of its rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.check.copies import CopySearch, is_copied
from learnings.check.loading import MemoryLoading, matches_files
from learnings.core.entries.dialects import INDEX_MARK
from learnings.core.errors import LearningsError
from learnings.core.instruction_paths import is_instructions
from learnings.core.roles import Role, exclusion
from learnings.core.settings.setting_values import OFF, FileSettings
from learnings.core.text import printable
from learnings.rules import dead_import
from learnings.rules.rule import (
    CheckedFile,
    IndexFacts,
    LoadingFacts,
    Obstacle,
    RuleInputs,
    TreeFacts,
    checked_file,
    document_of,
)
from learnings.workspace.disk import find_root, is_merging, read_file, real_path
from learnings.workspace.places import is_memory
from learnings.workspace.tree import IS_TOO_LARGE, NOT_REGULAR
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.agents.file_facts import Commands
    from learnings.agents.imports import Import
    from learnings.check.agent_facts import AgentFiles
    from learnings.rules.rule import SessionFacts


class SelectedFile(NamedTuple):
    """A file to check with its inputs; its path starts from the user's repository."""

    workspace: Workspace
    file: CheckedFile
    inputs: RuleInputs

    @property
    def unread(self) -> str:
        """The sentence that nobody could read the file, empty if it was read or is a dead link."""
        obstacle = self.inputs.get("obstacle")
        if obstacle is None or obstacle.link is not None:
            return ""
        return (
            f"{printable(self.file.path)} {obstacle.reason}; {obstacle.remedy} and run this again"
        )


class CheckedRepository:
    """A repository whose files are checked; what they share is read once, on demand.

    Findings name the files relative to the folder `base`. `only`, `since` and `contents` are those
    of the search.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        base: Path,
        commands: Callable[[], Commands],
        only: Collection[Role] = (),
        since: str | None = None,
        contents: Mapping[Path, bytes] | None = None,
    ) -> None:
        self.workspace = workspace
        self._base = base
        self._commands = commands
        self._only = only
        self._since = since
        self._told: set[tuple[str, int, int]] = set()  # failed imports, by document and position
        self._copies = CopySearch()
        self.relative = cache(workspace.relative)
        """Return the path from the root, None outside it."""
        named = ((workspace.relative(path), data) for path, data in (contents or {}).items())
        self.contents = {path: data for path, data in named if path is not None}
        """What was read, and the texts that replace files on disk, by path from the root."""

    @cached_property
    def loading(self) -> MemoryLoading:
        """The instructions of the repository."""
        return MemoryLoading(self.workspace.tree)

    @cached_property
    def _agent_files(self) -> AgentFiles:
        from learnings.check.agent_facts import AgentFiles  # noqa: PLC0415  (for files of agents)

        return AgentFiles(self.workspace.tree, self._commands())

    @cached_property
    def _session(self) -> SessionFacts | None:
        if self.workspace.settings.token_budget == OFF:
            return None
        from learnings.check.session_cost import session_facts  # noqa: PLC0415  (few have a budget)

        return session_facts(self.workspace, self.loading, self._since)

    @cached_property
    def _is_merging(self) -> bool:
        return is_merging(find_root(real_path(self.workspace.root)))

    def shown(self, path: str) -> str:
        """Return a path from the root, or an absolute one, as findings name it."""
        if self.workspace.root == self._base and not os.path.isabs(path):  # noqa: PTH117  (called for each file)
            return path
        full = self.workspace.root / path
        is_inside = full.is_relative_to(self._base)
        return (full.relative_to(self._base) if is_inside else full).as_posix()

    def shown_at(self, path: Path) -> str:
        """Return an absolute path as findings name it."""
        return self.shown(self.relative(path) or str(path))

    def read(
        self,
        path: Path,
        role: Role | None,
        data: bytes | None = None,
        *,
        named: str | None = None,
        obstacle: Obstacle | None = None,
        file_settings: FileSettings | None = None,
    ) -> Iterator[SelectedFile]:
        """Yield the file at an absolute path, or `data` in its place, with its inputs.

        Yield nothing for an agent file that does not concern us, nor for a file that is merely
        named like one of the roles `only`. `named` is the path as the user wrote it: only a file
        that somebody named must be readable; else MissingFile or UnusableFile is raised. obstacle
        is the reason why discovery could not read it.
        """
        workspace, relative = self.workspace, self.relative(path)
        if file_settings is None:
            has_own = role in (Role.LEARNINGS, None)
            file_settings = workspace.file_settings(path) if has_own else workspace.settings.file
        if data is None and obstacle is None:
            full = workspace.on_disk(path)
            is_named = named is not None or file_settings.path is not None
            data, obstacle = _content_of(full, named or self.shown_at(path), is_named=is_named)
        parsed = partial(
            checked_file,
            path=self.shown_at(path),
            role=role,
            settings=workspace.settings,
            file_settings=file_settings,
        )
        if obstacle is None and relative is not None:
            self.contents[relative] = data or b""
            yield from self._with_inputs(relative, role, data or b"", parsed)
        elif role is not Role.AGENT or relative is None:
            inputs: RuleInputs = {} if obstacle is None else {"obstacle": obstacle}
            yield SelectedFile(workspace, parsed(data or b""), inputs)

    def _with_inputs(
        self, path: str, role: Role | None, data: bytes, parsed: Callable[[bytes], CheckedFile]
    ) -> Iterator[SelectedFile]:
        """Yield a file of the repository with its inputs, unless it does not concern us."""
        inputs = RuleInputs()
        if role is Role.AGENT:  # before parsing: most do not concern us
            facts = self._agent_files.facts(path, data)
            if facts is None and role in self._only:
                return
            inputs |= {"agent": facts} if facts else {}
        file = parsed(data)
        if file.role is Role.LEARNINGS:
            file = self._compared(path, file, inputs)
            is_chosen = file.file_settings.path is not None or "committed" in inputs
            if role in self._only and not is_chosen and not is_memory(file.document):
                return
        inputs |= self._inputs_around(path, role, file)
        yield SelectedFile(self.workspace, file, inputs)

    def _compared(self, path: str, file: CheckedFile, inputs: RuleInputs) -> CheckedFile:
        """Return a file with the damage by a merge in progress; add the entries that it lost."""
        if file.document.entries and not self._is_merging:
            return file
        from learnings.check import other_versions  # noqa: PLC0415  (most files need none)

        if not file.document.entries:
            missing = other_versions.entries_missing_since(self.workspace, path, file)
            if missing:
                inputs["committed"] = missing._replace(former=self.shown(missing.former))
        if not self._is_merging:
            return file
        find = other_versions.damage_under_way(self.workspace.tree, path, file.file_settings)
        return file._replace(damage=(find,)) if find else file

    def _inputs_around(self, path: str, role: Role | None, file: CheckedFile) -> RuleInputs:
        """Return the inputs that depend on other files of the repository."""
        workspace, inputs = self.workspace, RuleInputs()
        # A memory without entries may be a template, or say that it has moved. Outside a repository
        # nobody knows where the instructions are.
        has_entries = role is Role.LEARNINGS and file.document.entries
        copies = self._copies.among(file.path, file.document) if has_entries else {}
        inputs |= {"copies": copies} if copies else {}
        is_needed = has_entries and not is_copied(file.document, copies)
        if is_needed and os.path.lexists(workspace.root / ".git"):
            is_named = partial(self.loading.is_named, path)
            failed = partial(self.loading.failed_import_of, path)
            inputs["loading"] = LoadingFacts(path, is_named, failed)
        if role is Role.TARGET and is_instructions(path):
            failed_imports = partial(self._failed_imports, path)
            inputs["tree"] = TreeFacts(path, failed_imports, partial(matches_files, workspace.tree))
        if self._session is not None and path == self._session.path:
            inputs["session"] = self._session
        is_index = role is Role.INDEX or path in workspace.settings.index
        if role is not Role.AGENT and (is_index or INDEX_MARK in file.data) and file.is_text:
            facts = self._index_facts(path, file.data)
            inputs |= {"index": facts} if facts else {}
        return inputs

    def _failed_imports(self, path: str, data: bytes) -> Iterator[tuple[str, Import]]:
        """Yield the imports of instructions that load nothing, each once in a check.

        Several instructions may import a document. Its own comments ignore the rule there.
        """
        for one in self.loading.failed_imports(path, data):
            source = one.chain[-1]
            if (source, one.line, one.column) not in self._told:
                self._told.add((source, one.line, one.column))
                if source == path or not self._is_ignored(source, one.line):
                    yield self.shown(source), one

    def _is_ignored(self, path: str, line: int) -> bool:
        """Return True if settings or comments ignore failed imports in an imported document."""
        from learnings.core.findings.ignores import ignores_of  # noqa: PLC0415  (few imports fail)

        workspace = self.workspace
        if exclusion(path, workspace.settings) is not None:
            return True
        role, settings = workspace.role_of(path), workspace.file_settings(path)
        document = document_of(workspace.tree.read(path), role, settings)
        ignores = (i for i in ignores_of(document, role) if dead_import.RULE.id in i.rules)
        return any(ignore.first <= line <= ignore.last for ignore in ignores)

    def _index_facts(self, path: str, data: bytes) -> IndexFacts | None:
        from learnings.check.memory_index import any_index_facts  # noqa: PLC0415  (most files are no index)

        facts = any_index_facts(self.workspace, path, data, self.contents)
        if facts is None:
            return None
        problems = (problem._replace(path=self.shown(problem.path)) for problem in facts.problems)
        ignores = {self.shown(path): comments for path, comments in facts.ignores.items()}
        return IndexFacts(tuple(problems), ignores, tuple(map(self.shown, facts.files)))


def _content_of(path: Path, shown: str, *, is_named: bool) -> tuple[bytes, Obstacle | None]:
    """Return the bytes of a file, or why it cannot be read; raises if somebody named it."""
    try:
        return read_file(path, shown=shown), None
    except LearningsError as error:
        if is_named:
            raise
        return b"", obstacle_of(str(error).removeprefix(f"{printable(shown)} ").partition("; ")[0])


def obstacle_of(reason: str) -> Obstacle:
    """Return the obstacle for a reason of discovery or of reading."""
    remedies = {IS_TOO_LARGE: "split or exclude it", NOT_REGULAR: "replace it with a file"}
    found = (remedy for begin, remedy in remedies.items() if reason.startswith(begin))
    return Obstacle(reason, next(found, "make it readable"))
