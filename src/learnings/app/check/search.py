"""The files that a command line asks for, each with the repository that it lies in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.check.selection import Selection
from learnings.app.workspace.disk import find_root, is_folder, real_path, within_limit
from learnings.app.workspace.workspace import Workspace
from learnings.core.agents.model import Commands
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.roles import Role
from learnings.core.text import printable
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import Inputs

STDIN = "-"


class Selected(NamedTuple):
    """A file to check, with what its rules need, and the repository that it lies in.

    Its path starts from the root of the repository that the user is in.
    """

    workspace: Workspace
    file: CheckedFile
    inputs: Inputs


class Search:
    """What the command line asks for; a path may lie in a repository that is not the user's.

    Without paths that is everything. With `only` a role, all other files are skipped.
    """

    def __init__(
        self,
        cwd: Path,
        paths: Sequence[str] = (),
        *,
        commands: Commands,
        only: Role | None = None,
        overrides: Mapping[str, object] | None = None,
    ) -> None:
        self._cwd = cwd
        self._paths = paths
        self._only = only
        self._commands = commands
        self._overrides = overrides
        self.workspace = Workspace.open(cwd, overrides=overrides)
        self._selections = {self.workspace.root: self._selection(self.workspace)}
        self._homes: dict[Path, Path] = {}

    def found(self) -> Iterator[Selected]:
        """Give the files, each once; raises as Selection.named()."""
        if not self._paths:
            everything = self._selections[self.workspace.root].everything()
            yield from (Selected(self.workspace, *read) for read in everything)
        for path in self._paths:
            full = self._cwd / path
            home = self._home(full)
            for read in home.named(full, shown=path):
                yield Selected(home.workspace, *read)

    def standard_input(self, name: str | None) -> Iterator[Selected]:
        """Give what is on standard input as the file of this name. Raises UsageProblem."""
        if name is None:
            raise UsageProblem("- does not say which file it is; give --stdin-filename PATH, too")
        if list(self._paths) != [STDIN]:
            raise UsageProblem("--stdin-filename takes - as the only PATH; give - and no other")
        full = self._cwd / name
        if is_folder(full):
            raise MissingFile(f"{printable(name)} is a folder; name a file")
        data = within_limit(sys.stdin.buffer.read(LARGEST_FILE + 1), shown="standard input")
        home = self._home(full)
        for read in home.given(full, data):
            yield Selected(home.workspace, *read)

    def nothing_found(self) -> str:
        """Say that there is no file, and what was skipped why; once all were looked for."""
        if self._only is Role.AGENT:
            return "no file of an agent found in .claude, in agent-core or in a plugin"
        passed = [each for one in self._selections.values() for each in one.skipped]
        reasons = "; ".join(f"{printable(each.path)}: {printable(each.reason)}" for each in passed)
        because = f" ({reasons})" if reasons else ""
        return f"no memory file found{because}; `learnings config` tells where it looks"

    def _home(self, path: Path) -> Selection:
        """The selection from the repository that a path lies in, ours where it lies in none."""
        folder = path if is_folder(path) else path.parent
        if folder not in self._homes:
            self._homes[folder] = self._root_around(real_path(folder))
        root = self._homes[folder]
        if root not in self._selections:
            workspace = Workspace.open(root, overrides=self._overrides)
            self._selections[root] = self._selection(workspace)
        return self._selections[root]

    def _root_around(self, folder: Path) -> Path:
        ours = self.workspace.root
        root = find_root(folder)
        is_ours = root == ours.resolve() or not is_folder(folder)
        is_below = folder.is_relative_to(ours.resolve()) and not os.path.lexists(root / ".git")
        return ours if is_ours or is_below else root

    def _selection(self, workspace: Workspace) -> Selection:
        return Selection(
            workspace, base=self.workspace.root, commands=self._commands, only=self._only
        )
