"""The files that a command line selects, each read in its repository."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from learnings.check.repository import CheckedRepository, SelectedFile, obstacle_of
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import MissingConfigured, MissingFile, UsageProblem
from learnings.core.roles import Role, exclusion
from learnings.core.text import printable
from learnings.workspace import disk
from learnings.workspace.tree import BROKEN_LINK
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.agents.file_facts import Commands
    from learnings.check.loading import MemoryLoading
    from learnings.rules.rule import Obstacle
    from learnings.workspace.discovery import Candidate


STDIN = "-"
# What a check without `--role` looks at.
_MEMORY_ROLES = (Role.LEARNINGS, Role.TARGET, Role.INDEX, Role.TOPIC)


class Search:
    """The selection of a command line, in the user's repository or others; all files by default.

    `only` skips files of other roles, and files merely named like a learnings file. `force_exclude`
    applies `exclude` to named files too. `commands` returns the commands
    that agent files may run. `since` is the commit at which the change under check begins, None for
    the last one. `contents` replace files on disk that a memory index lists, by absolute path.
    """

    def __init__(
        self,
        workspace: Workspace,
        paths: Sequence[str] = (),
        *,
        commands: Callable[[], Commands],
        only: Sequence[Role] = (),
        force_exclude: bool = False,
        overrides: Mapping[str, object] | None = None,
        since: str | None = None,
        contents: Mapping[Path, bytes] | None = None,
    ) -> None:
        self.workspace = workspace.with_options(overrides or {}, since=since)
        self._paths = paths
        self._only = only
        self._force_exclude = force_exclude
        self._done: set[str] = set()
        self._excluded: list[Candidate] = []
        self._root_of = cache(self._root_around)

        def repository_at(root: Path) -> CheckedRepository:
            base, here = self.workspace.root, self.workspace
            if root != base:
                here = here.at(root, overrides=overrides, since=since)
            return CheckedRepository(
                here, base=base, commands=commands, only=only, since=since, contents=contents
            )

        self._repository_at = cache(repository_at)

    @property
    def loading(self) -> MemoryLoading:
        """The instructions of the user's repository."""
        return self._repository_at(self.workspace.root).loading

    def files(self) -> Iterator[SelectedFile]:
        """Yield each file once. Raises MissingFile, and UsageProblem for too large files."""
        if not self._paths:
            own = self._repository_at(self.workspace.root)
            yield from self._all(own, own.workspace)
        for path in self._paths:
            disk.refuse_empty(path)
            full = self.workspace.start / path
            if not disk.is_local_memory(full):
                disk.refuse_outside(full, self.workspace.start, shown=path)
            yield from self._named(full, written=path)

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
        yield from self.content(path, data)

    def content(
        self, path: Path, data: bytes, *, role: Role | None = None
    ) -> Iterator[SelectedFile]:
        """Yield this content as the file at an absolute path, which need not exist.

        The role depends on the path unless it is given, for a path in the workspace.
        """
        if role is None:
            yield from self._named(path, data, written=str(path))
        else:
            yield from self._repository_around(path).read(path, role, data)

    def nothing_found(self, *, has_advice: bool = True) -> str:
        """Return the sentence that there is no file to check, with the skipped ones."""
        from learnings.workspace.skipped import nothing_found  # noqa: PLC0415  (seldom needed)

        roles = self._roles
        folders = [printable(folder.path) for folder in self.workspace.found.folders]
        if folders and Role.LEARNINGS in roles:
            return f"{', '.join(folders)}: no index of links to check, and no other memory file"
        return nothing_found(self.skipped_files(), roles, has_advice=has_advice)

    def skipped_files(self) -> tuple[Candidate, ...]:
        """Return the skipped files that the user may have meant, after all files were read."""
        from learnings.workspace.skipped import skipped_files  # noqa: PLC0415  (as above)

        named = [self.workspace.start / path for path in self._paths]
        folders = [path for path in named if disk.is_folder(path)]
        others: list[Candidate] = []
        for role in self._roles:
            if not folders:
                others += skipped_files(self.workspace, role)
            for folder in folders:
                repository = self._repository_around(folder)
                for file in skipped_files(repository.workspace.below(folder), role):
                    others.append(file._replace(path=repository.shown_at(folder / file.path)))
        paths = {file.path for file in self._excluded}
        return (*self._excluded, *(file for file in others if file.path not in paths))

    @property
    def _roles(self) -> tuple[Role, ...]:
        return tuple(dict.fromkeys(self._only)) or (Role.LEARNINGS,)

    # Repositories.

    def _repository_around(self, path: Path) -> CheckedRepository:
        return self._repository_at(self._root_of(path if disk.is_folder(path) else path.parent))

    def _root_around(self, folder: Path) -> Path:
        """Return the root of another repository around a folder, else the user's."""
        users_root, real = self.workspace.root, disk.real_path(folder)
        real_root, root = disk.real_path(users_root), disk.find_root(real)
        is_users = root == real_root or not disk.is_folder(real)
        is_below = real.is_relative_to(real_root) and not os.path.lexists(root / ".git")
        return users_root if is_users or is_below else root

    # Files.

    def _named(
        self, path: Path, data: bytes | None = None, *, written: str
    ) -> Iterator[SelectedFile]:
        """Yield a file, which need not exist if there is data, or the memory files of a folder."""
        repository = self._repository_around(path)
        workspace = repository.workspace
        full = workspace.on_disk(path)
        if disk.is_folder(full):
            yield from self._all(repository, workspace, within=disk.real_path(full))
            if not workspace.settings.files and workspace.settings.targets is None:
                # Treat it as a root, to find a part of a larger repository.
                yield from self._all(repository, workspace.below(full))
            return
        role = workspace.role_of(path)
        if self._only and role not in self._only:
            return
        if self._force_exclude and self._is_excluded(workspace, path):
            return
        if self._is_new(repository.shown_at(path)):
            yield from repository.read(path, role, data, named=written)

    def _all(
        self, repository: CheckedRepository, workspace: Workspace, *, within: Path | None = None
    ) -> Iterator[SelectedFile]:
        """Yield the memory files that a workspace finds in a repository."""
        root = disk.real_path(workspace.root)
        is_whole = workspace is repository.workspace
        for role, file in self._candidates(workspace, is_whole=is_whole):
            full = workspace.root / file.path
            real = disk.real_path(workspace.tree.full(file.path))
            places = (root / file.path, real) if within else ()
            if within and not any(place.is_relative_to(within) for place in places):
                continue
            if self._is_excluded(repository.workspace, full):
                continue
            obstacle = _obstacle(workspace, file, role)
            shown = repository.shown_at(real)
            if (file.included or obstacle) and self._is_new(shown):
                yield from repository.read(full, role, obstacle=obstacle)

    def _candidates(
        self, workspace: Workspace, *, is_whole: bool
    ) -> Iterator[tuple[Role, Candidate]]:
        """Yield discovered files with their roles; a part of a repository has no own index."""
        found, chosen = workspace.found, self._only or _MEMORY_ROLES
        if Role.LEARNINGS in chosen:
            yield from ((Role.LEARNINGS, file) for file in found.learnings)
        if Role.TARGET in chosen:
            yield from ((Role.TARGET, file) for file in found.targets)
        if Role.INDEX in chosen:
            own = found.indexes if is_whole else ()
            blocks = () if Role.LEARNINGS in chosen else found.blocks
            indexes = (*own, *blocks, *found.loaded_indexes, *found.link_indexes)
            yield from ((Role.INDEX, file) for file in indexes)
        if Role.TOPIC in chosen:
            yield from ((Role.TOPIC, file) for file in found.topics)
        if Role.AGENT in chosen:
            from learnings.workspace.agent_files import agent_files  # noqa: PLC0415  (seldom needed)

            files = agent_files(workspace.tree, workspace.settings)
            yield from ((Role.AGENT, file) for file in files)

    def _is_new(self, shown: str) -> bool:
        is_known = shown in self._done
        self._done.add(shown)
        return not is_known

    def _is_excluded(self, workspace: Workspace, path: Path) -> bool:
        settings = workspace.settings
        relative = workspace.relative(path) if settings.exclude else None
        if relative is None or exclusion(relative, settings) is None:
            return False
        from learnings.workspace.discovery import Candidate  # noqa: PLC0415  (seldom needed)

        reason = f"excluded ({settings.origins['exclude']})"
        self._excluded.append(Candidate(relative, reason))
        return True


def _obstacle(workspace: Workspace, file: Candidate, role: Role) -> Obstacle | None:
    """Return why a discovered file cannot be checked. Raises MissingConfigured."""
    tree = workspace.tree
    problem = workspace.found.problem_of(file) if role is Role.LEARNINGS else None
    if isinstance(problem, MissingConfigured):
        raise problem
    is_text = role is Role.TARGET and tree.text_link(file.path) is not None
    if not file.is_faulty and not is_text:
        return None
    return obstacle_of(file.reason)._replace(
        link=tree.link_text(file.path) if is_text or file.reason.startswith(BROKEN_LINK) else None,
        leads_out=tree.real(file.path) is None,
        is_text=is_text,
    )
