"""The findings of files at an earlier commit, which `check --since` leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from learnings.check.history_inputs import HistoryLoader
from learnings.check.other_versions import workspace_at
from learnings.check.repository import CheckedRepository
from learnings.core.findings.baseline import Baseline, recorded
from learnings.core.findings.finding import Finding, in_order
from learnings.core.roles import Role
from learnings.history.git.repository import Repository
from learnings.history.git.tracked import RenamedFiles
from learnings.rules import check, enabled, token_budget
from learnings.rules.rule import CheckedFile
from learnings.workspace.disk import may_exist
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.agents.file_facts import Commands
    from learnings.rules.rule import Rule


class EarlierCheck(NamedTuple):
    """A check of files at the head of a repository, by the settings of its workspace today."""

    workspace: Workspace
    repository: Repository
    commands: Callable[[], Commands]
    rules: Sequence[Rule] | None
    with_history: bool

    def findings(self, workspace: Workspace, files: Sequence[CheckedFile]) -> Baseline:
        """Return the findings that files of this repository had, as a baseline records them.

        Raises UsageProblem and UntrustedHistory.
        """
        if workspace.root != self.workspace.root:
            return {}
        renames = RenamedFiles(workspace.root).since(self.repository.head)
        former = {file.path: renames.get(file.path, file.path) for file in files}
        # An agent file can name files of any kind.
        wanted = None if any(file.role is Role.AGENT for file in files) else former.values()
        # The rule compares the budget with that commit itself.
        rules = enabled(workspace.settings) if self.rules is None else self.rules
        rules = [rule for rule in rules if rule is not token_budget.RULE]
        found: list[Finding] = []
        with workspace_at(workspace, self.repository, wanted) as copy:
            repository = CheckedRepository(copy, base=copy.root, commands=self.commands)
            history = HistoryLoader(copy)
            for file in files:
                path = copy.root / former[file.path]
                if not may_exist(path):
                    continue
                own = file.file_settings if file.path in renames else None
                for selected in repository.read(path, file.role, file_settings=own):
                    # A history that cannot be trusted here cannot be trusted today either; that
                    # check reports it.
                    asked = history.with_history(selected) if self.with_history else selected
                    found += check(asked.file, rules, inputs=asked.inputs)
        now = {older: path for path, older in former.items() if path in renames}
        findings = [finding._replace(path=now.get(finding.path, finding.path)) for finding in found]
        return {known.fingerprint: known for known in recorded(in_order(findings))}
