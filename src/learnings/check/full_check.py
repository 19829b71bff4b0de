"""All findings of a repository, and the update of its baseline with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.check.history_inputs import HistoryLoader
from learnings.check.run import BaselineFile, following_renames, load_baseline, recorded_in
from learnings.check.search import Search
from learnings.core.errors import UntrustedHistory, UnusableFile
from learnings.core.findings.baseline import Baseline, KnownFinding, baseline_text
from learnings.core.findings.baseline import pruned as without_gone
from learnings.core.roles import Role
from learnings.rules import RULES, check, enabled
from learnings.store.files import Change
from learnings.workspace.disk import may_exist
from learnings.workspace.workspace import Workspace


class FullCheck(NamedTuple):
    """The findings of today, and the baseline with renamed files under their present paths.

    paths are the checked files, fixable the fingerprints of findings that `learnings fix` repairs.
    """

    workspace: Workspace
    today: list[KnownFinding]
    baseline: BaselineFile
    paths: frozenset[str]
    with_history: bool
    fixable: frozenset[str] = frozenset()

    def would_find(self, known: KnownFinding) -> bool:
        """Return True if a known finding would be found today if it were still there.

        That is False if its rule did not run, or its file, perhaps configured in another folder,
        was not seen.
        """
        root, config = self.workspace.root, self.workspace.config
        is_complete = config is None or config.path.parent == root
        rule = next((rule for rule in RULES if rule.id == known.rule), None)
        if rule is not None and rule not in enabled(self.workspace.settings):
            return is_complete
        if rule is not None and rule.finds_more_with_history and not self.with_history:
            return False
        return is_complete or known.path in self.paths or not may_exist(root / known.path)

    def recording(self) -> Baseline:
        """Return the baseline with all findings of today, and those that were not looked for."""
        before = self.baseline.known.items()
        kept = {key: known for key, known in before if not self.would_find(known)}
        return kept | {known.fingerprint: known for known in self.today}

    def pruning(self) -> Baseline:
        """Return the baseline without vanished findings, and without new ones."""
        return without_gone(self.baseline.known, self.today, is_judged=self.would_find)

    def change(self, known: Baseline) -> Change | None:
        """Return the change to write for a new baseline, or None if nothing changes."""
        path, before, _ = self.baseline
        after = baseline_text(known).encode("utf-8")
        is_needed = after != before and (known or before is not None)
        return Change(path, before, after) if is_needed else None


def full_check(
    workspace: Workspace, *, commands: Callable[[], Commands], history: bool = False
) -> FullCheck:
    """Check everything in a repository, with history on request.

    Raises UntrustedHistory, and UnusableFile if the findings of a file cannot be known.
    """
    search = Search(workspace, commands=commands)
    # Agent files have a separate check, which plain `check` does not run.
    of_agents = Search(workspace, commands=commands, only=(Role.AGENT,))
    selected = [*search.files(), *of_agents.files()]
    for file in selected:
        if file.unread:
            raise UnusableFile(file.unread)
    if history:
        loader = HistoryLoader(workspace)
        selected = [loader.with_history(file) for file in selected]
        for sentence in loader.complaints():
            raise UntrustedHistory(sentence)
    findings = [finding for _, file, inputs in selected for finding in check(file, inputs=inputs)]
    found = recorded_in(workspace, findings, base=workspace.root)
    baseline = load_baseline(workspace)
    known = following_renames(workspace.root, found, baseline.known)
    return FullCheck(
        workspace,
        today=[record for _, record in found],
        baseline=baseline._replace(known=known),
        paths=frozenset(file.path for _, file, _ in selected),
        with_history=history,
        fixable=frozenset(record.fingerprint for finding, record in found if finding.is_fixable),
    )


def pruned(workspace: Workspace, *, commands: Callable[[], Commands]) -> Change | None:
    """Return the change that removes vanished findings from the baseline, or None."""
    workspace = workspace.afresh()
    if not load_baseline(workspace).known:
        return None
    result = full_check(workspace, commands=commands)
    return result.change(result.pruning())
