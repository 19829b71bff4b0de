"""The findings of files at an earlier commit, which `check --since` leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from learnings.check.history_inputs import HistoryLoader
from learnings.check.search import Search
from learnings.core.errors import UsageProblem
from learnings.core.findings.baseline import Baseline, recorded
from learnings.core.findings.finding import in_order
from learnings.core.roles import Role
from learnings.history.git.renames import RenamedFiles
from learnings.history.git.repository import open_repository
from learnings.history.git.snapshots import copy_of_commit, may_load_memory
from learnings.rules import check
from learnings.rules.rule import CheckedFile
from learnings.workspace.disk import real_path, reason_of
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.agents.file_facts import Commands
    from learnings.rules.rule import Rule


class EarlierCheck:
    """A check of files at a commit, by today's settings. Raises UsageProblem, UntrustedHistory."""

    def __init__(
        self,
        workspace: Workspace,
        rev: str,
        *,
        commands: Callable[[], Commands],
        rules: Sequence[Rule] | None = None,
        with_history: bool = False,
    ) -> None:
        self._workspace = workspace
        self._repository = open_repository(workspace.root, rev=rev)
        self._commands = commands
        self._rules = rules
        self._with_history = with_history

    def findings(self, workspace: Workspace, files: Sequence[CheckedFile]) -> Baseline:
        """Return the findings that files of this repository had, as a baseline records them."""
        if workspace.root != self._workspace.root:
            return {}
        renames = RenamedFiles(workspace.root).since(self._repository.head)
        former = {file.path: renames[file.path] for file in files if file.path in renames}
        now = {older: path for path, older in former.items()}
        wanted = {former.get(file.path, file.path) for file in files}
        # Such a file can name files of any kind.
        is_any = any(file.role is Role.AGENT for file in files)
        inner = real_path(workspace.root).relative_to(self._repository.top).as_posix()
        prefix = "" if inner == "." else f"{inner}/"

        def is_wanted(path: str) -> bool:
            is_named = path.startswith(prefix) and path.removeprefix(prefix) in wanted
            return is_any or is_named or may_load_memory(path)

        try:
            with copy_of_commit(self._repository, is_wanted) as folder:
                copy = workspace.below(folder / inner)
                selected = Search(copy, commands=self._commands).again(files, former)
                if self._with_history:
                    # A history that cannot be trusted here cannot be trusted today either; that
                    # check reports it.
                    selected = map(HistoryLoader(copy).with_history, selected)
                found = [
                    finding._replace(path=now.get(finding.path, finding.path))
                    for _, file, inputs in selected
                    for finding in check(file, self._rules, inputs=inputs)
                ]
        except OSError as error:
            raise UsageProblem(
                "cannot copy the files of that commit to a temporary folder "
                f"({reason_of(error)}); fix this, or check without --since"
            ) from None
        return {known.fingerprint: known for known in recorded(in_order(found))}
