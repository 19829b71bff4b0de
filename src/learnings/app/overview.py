"""The state of a memory: its files, findings and verdicts, and the next step."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.app.setup.hooks import hook_manager
from learnings.check.reference_facts import References
from learnings.check.repository import SelectedFile
from learnings.check.run import report_on
from learnings.check.search import Search
from learnings.check.session_cost import SessionCost, session_cost
from learnings.core.due.verdicts import STARVED
from learnings.core.errors import MissingFile, UntrustedHistory, UsageProblem
from learnings.core.findings.finding import CheckReport, Severity
from learnings.core.instruction_paths import is_instructions
from learnings.core.roles import Role
from learnings.core.settings.setting_values import OFF
from learnings.forms.memory_form import FormStatus
from learnings.forms.registry import LEARNINGS, needs_most, statuses_here
from learnings.rules import dead_reference
from learnings.workspace.discovery import IS_STATE, Candidate
from learnings.workspace.disk import is_local_memory
from learnings.workspace.skipped import likely_memory, skipped_files
from learnings.workspace.tree import BROKEN_LINK, LEADS_ELSEWHERE
from learnings.workspace.workspace import Workspace


class ReferenceCount(NamedTuple):
    """References to existing or former things, and the dead ones among them."""

    known: int
    dead: int


class Overview(NamedTuple):
    """The memory of a repository.

    instructions are loaded targets. problem says why the report, or a memory, could not be read.
    """

    forms: tuple[FormStatus, ...]
    skipped: tuple[Candidate, ...]
    targets: tuple[str, ...]
    instructions: tuple[str, ...]
    indexes: tuple[str, ...]
    report: CheckReport | None
    problem: str | None
    lacks_git: bool
    lacks_hooks: bool
    cost: SessionCost
    references: ReferenceCount | None = None

    @property
    def learnings(self) -> tuple[FormStatus, ...]:
        """The statuses of the learnings files."""
        return tuple(status for status in self.forms if status.form is LEARNINGS)

    @property
    def others(self) -> tuple[FormStatus, ...]:
        """The statuses of the other memories."""
        return tuple(status for status in self.forms if status.form is not LEARNINGS)

    @property
    def lacks_memory(self) -> bool:
        """True if a first lesson can be written: no memory, no link to one, no file of states."""
        kept = (IS_STATE, BROKEN_LINK, LEADS_ELSEWHERE)
        return not self.forms and not any(file.reason.startswith(kept) for file in self.skipped)

    @property
    def likely(self) -> Candidate | None:
        """The skipped file that may be the memory, or is to become it, if there is one."""
        return likely_memory(self.skipped)

    @property
    def is_broken(self) -> bool:
        """True if a file is unreadable."""
        return self.report is None


class FirstStep(Enum):
    """The next step for a memory."""

    ENTER = auto()
    WRITE = auto()
    SOLVE = auto()
    FIX = auto()
    CORRECT = auto()
    ACT = auto()
    SHRINK = auto()
    SET_UP = auto()
    READ_NOTICES = auto()
    NOTHING = auto()


def overview(workspace: Workspace, *, commands: Callable[[], Commands]) -> Overview:
    """Return the overview of the repository around a folder. Raises BadSettings."""
    search = Search(workspace, commands=commands)
    forms = statuses_here(workspace)
    report, problem, root = None, None, workspace.root
    has_git = os.path.lexists(root / ".git")
    files: list[SelectedFile] = []
    try:
        files = list(search.files())
        report = report_on(files, base=root)
    except (MissingFile, UsageProblem) as error:
        problem = str(error)
    problem = problem or next(map(str, workspace.problems()), None)
    targets = _paths(workspace.found.targets)
    return Overview(
        forms=forms,
        skipped=skipped_files(workspace),
        targets=tuple(path for path in targets if not is_instructions(path)),
        instructions=tuple(filter(is_instructions, targets)),
        indexes=_paths(workspace.found.all_indexes),
        report=report,
        problem=problem,
        lacks_git=not has_git and not is_local_memory(workspace.start),
        lacks_hooks=has_git and hook_manager(root) is None,
        cost=session_cost(workspace, search.loading),
        references=_reference_count(workspace, files),
    )


def first_step(overview: Overview) -> FirstStep:
    """Return the most urgent step: errors, then consolidation, then the hooks."""
    report = overview.report or CheckReport.of((), files=0)
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    steps = (
        (overview.is_broken, FirstStep.SOLVE),
        (overview.lacks_git, FirstStep.ENTER),
        (any(finding.is_fixable for finding in errors), FirstStep.FIX),
        (bool(errors), FirstStep.CORRECT),
        (overview.lacks_memory, FirstStep.WRITE),
        (needs_most(overview.forms) is not None, FirstStep.ACT),
        (first_starved(overview) is not None, FirstStep.SHRINK),
        (overview.lacks_hooks, FirstStep.SET_UP),
        (bool(report.notices), FirstStep.READ_NOTICES),
    )
    return next((step for is_needed, step in steps if is_needed), FirstStep.NOTHING)


def first_starved(overview: Overview) -> FormStatus | None:
    """Return the first learnings file that is long or stale but has too few old entries."""
    judged = ((status, status.verdict) for status in overview.forms)
    starved = (s for s, verdict in judged if verdict and verdict.verdict == STARVED)
    return next(starved, None)


def _paths(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    return tuple(candidate.path for candidate in candidates if candidate.included)


def _reference_count(workspace: Workspace, files: Iterable[SelectedFile]) -> ReferenceCount | None:
    """Count the references of some files; None if no history can tell, or the rule is off."""
    if workspace.settings.rules.get(dead_reference.RULE.id) == OFF:
        return None
    references = References(workspace.tree)
    known = dead = 0
    for _, file, _ in files:
        if file.role in dead_reference.RULE.roles:
            is_learnings = file.role is Role.LEARNINGS
            try:
                judged = references.in_file(file.path, file.document, is_learnings=is_learnings)
            except UntrustedHistory:
                return None
            known += len(judged.named)
            dead += len(judged.dead)
    return ReferenceCount(known, dead)
