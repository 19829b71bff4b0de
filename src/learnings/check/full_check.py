"""All findings of a repository, and the update of its baseline with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.check.history_inputs import HistoryLoader
from learnings.check.renamed_files import following_renames
from learnings.check.run import BaselineFile, load_baseline, recorded_in
from learnings.check.search import Search
from learnings.core.errors import UntrustedHistory
from learnings.core.findings.baseline import Baseline, KnownFinding, baseline_text
from learnings.core.findings.baseline import pruned as without_gone
from learnings.core.findings.finding import Finding
from learnings.core.roles import Role
from learnings.rules import RULES, check, enabled
from learnings.store.files import Change
from learnings.workspace.disk import may_exist
from learnings.workspace.workspace import Workspace


class FullCheck(NamedTuple):
    """Findings of a check of everything, its paths, the rules that ran, and those switched off.

    Each finding comes as the baseline would record it.
    """

    workspace: Workspace
    found: tuple[tuple[Finding, KnownFinding], ...]
    paths: frozenset[str]
    rules: frozenset[str]
    off: frozenset[str]

    @property
    def today(self) -> list[KnownFinding]:
        return [known for _, known in self.found]

    def baseline(self) -> BaselineFile:
        """Return the baseline on disk, with renamed files under their present paths."""
        file = load_baseline(self.workspace)
        known = following_renames(self.workspace.root, self.found, file.known)
        return file._replace(known=known)

    def would_find(self, known: KnownFinding) -> bool:
        """Return True if a known finding would be found today if it were still there.

        That is False if its rule did not run, or its file, perhaps configured in another folder,
        was not seen.
        """
        root, config = self.workspace.root, self.workspace.config
        is_complete = config is None or config.parent == root
        if known.rule in self.off:
            return is_complete
        ran = known.rule in self.rules or all(known.rule != rule.id for rule in RULES)
        return ran and (is_complete or known.path in self.paths or not may_exist(root / known.path))


def full_check(
    workspace: Workspace, *, commands: Callable[[], Commands], history: bool = False
) -> FullCheck:
    """Check everything in a repository, with history on request. Raises UntrustedHistory."""
    search = Search(workspace, commands=commands, with_topics=history)
    # Agent files have a separate check, which plain `check` does not run.
    of_agents = Search(workspace, commands=commands, only=(Role.AGENT,))
    selected = [*search.files(), *of_agents.files()]
    if history:
        loader = HistoryLoader(workspace)
        selected = [loader.with_history(file) for file in selected]
        for sentence in loader.complaints():
            raise UntrustedHistory(sentence)
    findings = [finding for _, file, inputs in selected for finding in check(file, inputs=inputs)]
    found = tuple(recorded_in(workspace, findings, base=workspace.root))
    paths = frozenset(file.path for _, file, _ in selected)
    ran = enabled(workspace.settings)
    rules = frozenset(rule.id for rule in ran if history or not rule.finds_more_with_history)
    off = frozenset(rule.id for rule in RULES if rule not in ran)
    return FullCheck(workspace, found, paths, rules, off)


def recording(result: FullCheck, file: BaselineFile) -> Baseline:
    """Return the baseline with all findings of today, and those that were not looked for."""
    kept = {key: known for key, known in file.known.items() if not result.would_find(known)}
    return kept | {known.fingerprint: known for known in result.today}


def pruning(result: FullCheck, file: BaselineFile) -> Baseline:
    """Return the baseline without vanished findings, and without new ones."""
    return without_gone(file.known, result.today, is_judged=result.would_find)


def change(file: BaselineFile, known: Baseline) -> Change | None:
    """Return the change to write for a new baseline, or None if nothing changes."""
    after = baseline_text(known).encode("utf-8")
    is_needed = after != file.data and (known or file.data is not None)
    return Change(file.path, file.data, after) if is_needed else None


def pruned(workspace: Workspace, *, commands: Callable[[], Commands]) -> Change | None:
    """Return the change that removes vanished findings from the baseline, or None."""
    workspace = workspace.afresh()
    if not load_baseline(workspace).known:
        return None
    result = full_check(workspace, commands=commands)
    file = result.baseline()
    return change(file, pruning(result, file))
