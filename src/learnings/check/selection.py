"""The files of a repository to check: paths with their roles, not read yet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.errors import MissingConfigured
from learnings.core.roles import Role, exclusion
from learnings.core.settings.setting_values import FileSettings
from learnings.rules.rule import Obstacle
from learnings.workspace.disk import is_folder, real_path
from learnings.workspace.tree import BROKEN_LINK, IS_TOO_LARGE
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.workspace.discovery import Candidate


class SelectedPath(NamedTuple):
    """A path as `shown` in findings, `written` in messages, and `relative` to its repository.

    obstacle is the reason why discovery could not read it.
    """

    full: Path
    shown: str
    written: str
    relative: str | None
    role: Role | None
    file_settings: FileSettings
    is_named: bool = False
    obstacle: Obstacle | None = None


class Selection:
    """The files of a repository to check, each once; `excluded` collects the excluded ones.

    Files of memory folders are included `with_topics`, or on request.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        base: Path,
        only: Collection[Role] = (),
        force_exclude: bool = False,
        with_topics: bool = False,
    ) -> None:
        self._with_topics = with_topics
        self.excluded: list[Candidate] = []
        self._force_exclude = force_exclude
        self.workspace = workspace
        self._base = base
        self._only = only
        self._configured = {str(file.path): file for file in workspace.settings.files}
        self._done: set[str] = set()

    def everything(self) -> Iterator[SelectedPath]:
        """Yield all memory files of the roles. Raises MissingFile and UnusableFile."""
        return self._all(self.workspace)

    def named(self, path: Path, *, written: str) -> Iterator[SelectedPath]:
        """Yield a file, existing or not, or a folder's memory files; raises as everything()."""
        if is_folder(path):
            workspace = self.workspace
            yield from self._all(workspace, within=real_path(path))
            if not workspace.settings.files and workspace.settings.targets is None:
                # Treat it as a root, to find a part of a larger repository.
                yield from self._all(workspace.below(path))
            return
        selected = self._selected(path, written=written)._replace(is_named=True)
        if self._only and selected.role not in self._only:
            return
        if self._force_exclude and self._is_excluded(path):
            return
        if self._is_new(selected):
            yield selected

    def shown(self, path: Path | str) -> str:
        """Return the path of a file of this repository as findings name it."""
        relative, root = self.workspace.relative(path), self.workspace.root
        if relative is not None and root == self._base:
            return relative
        full = root / (relative or path)
        inside = full.is_relative_to(self._base)
        return (full.relative_to(self._base) if inside else full).as_posix()

    def in_role(self, path: str, role: Role | None) -> SelectedPath:
        """Return a file by its path from the root, with a role from another search."""
        return self._selected(self.workspace.root / path, role=role)

    def _all(self, workspace: Workspace, *, within: Path | None = None) -> Iterator[SelectedPath]:
        root = workspace.root.resolve()
        for role, candidates in self._candidates(workspace):
            for candidate in candidates:
                if within and not (root / candidate.path).is_relative_to(within):
                    continue
                full = workspace.root / candidate.path
                if self._is_excluded(full):
                    continue
                obstacle = self._obstacle(workspace, candidate, role)
                if not candidate.included and obstacle is None:
                    continue
                selected = self._selected(full, role=role)._replace(obstacle=obstacle)
                if self._is_new(selected):
                    yield selected

    def _candidates(self, workspace: Workspace) -> Iterator[tuple[Role, tuple[Candidate, ...]]]:
        if self._takes(Role.LEARNINGS):
            yield Role.LEARNINGS, workspace.found.learnings
        if self._takes(Role.TARGET):
            yield Role.TARGET, workspace.found.targets
        if self._takes(Role.INDEX):
            # A folder taken as the root has no memory index of its own.
            own = workspace.found.indexes if workspace is self.workspace else ()
            blocks = () if self._takes(Role.LEARNINGS) else workspace.found.blocks
            others = (*workspace.found.loaded_indexes, *workspace.found.link_indexes)
            yield Role.INDEX, (*own, *blocks, *others)
        if (self._with_topics and not self._only) or Role.TOPIC in self._only:
            yield Role.TOPIC, workspace.found.topics
        if Role.AGENT in self._only:
            from learnings.workspace.agent_files import agent_files  # noqa: PLC0415  (seldom needed)

            yield Role.AGENT, agent_files(workspace.tree, workspace.settings)

    def _takes(self, role: Role) -> bool:
        return not self._only or role in self._only

    def _obstacle(self, workspace: Workspace, candidate: Candidate, role: Role) -> Obstacle | None:
        """Return why a file cannot be checked. Raises MissingConfigured for a configured memory."""
        tree, path = workspace.tree, candidate.path
        problem = workspace.found.problem_of(candidate) if role is Role.LEARNINGS else None
        if isinstance(problem, MissingConfigured):
            raise problem
        is_text = role is Role.TARGET and tree.is_text_link(path)
        if not candidate.is_faulty and not is_text:
            return None
        link = tree.link_text(path) if is_text or candidate.reason.startswith(BROKEN_LINK) else None
        leads_out = tree.real(path) is None
        return obstacle_of(candidate.reason)._replace(
            link=link, leads_out=leads_out, is_text=is_text
        )

    def _is_excluded(self, path: Path) -> bool:
        settings = self.workspace.settings
        relative = self.workspace.relative(path) if settings.exclude else None
        if relative is None or exclusion(relative, settings) is None:
            return False
        from learnings.workspace.discovery import Candidate  # noqa: PLC0415  (seldom needed)

        self.excluded.append(Candidate(relative, f"excluded ({settings.origins['exclude']})"))
        return True

    def _is_new(self, selected: SelectedPath) -> bool:
        is_known = selected.shown in self._done
        self._done.add(selected.shown)
        return not is_known

    def _selected(
        self, path: Path, *, role: Role | None = None, written: str | None = None
    ) -> SelectedPath:
        workspace, shown = self.workspace, self.shown(path)
        relative = workspace.relative(path)
        settings = self._configured.get(relative or "")
        if role is None:
            role = Role.LEARNINGS if settings else workspace.role_of(path)
        if role in (Role.TARGET, Role.INDEX, Role.AGENT, Role.TOPIC):
            settings = workspace.settings.file
        settings = settings or workspace.file_settings(path)
        full = path if relative is None else workspace.tree.full(relative)
        return SelectedPath(full, shown, written or shown, relative, role, settings)


def obstacle_of(reason: str) -> Obstacle:
    """Return the obstacle for a reason of discovery or of reading."""
    is_large = reason.startswith(IS_TOO_LARGE)
    return Obstacle(reason, "split or exclude it" if is_large else "make it readable")
