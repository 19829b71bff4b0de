"""The state of a memory: its files, findings and verdicts, and what to do next."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.agents.file_facts import Commands
from learnings.app.session_cost import SessionCost, memory_indexes, session_cost
from learnings.check.run import report_on
from learnings.check.search import Search
from learnings.core.due.verdicts import DUE, Verdict
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory, UsageProblem
from learnings.core.findings.finding import CheckReport, Severity
from learnings.forms.confidence.status import ConfidenceStatus, confidence_status
from learnings.forms.learnings_file import FileReading, reading_of
from learnings.forms.tier_folder import has_tier_folder
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import read_file
from learnings.workspace.file_query import NO_OPTIONS, ChosenFile, query_about
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.forms.tiers import TierStatus


# Where the hooks of pre-commit and prek are configured, and where git's own are by default.
_HOOK_FILES = (
    "prek.toml",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    ".git/hooks/pre-commit",
)
_HOOK = b"learnings-check"


class FileOverview(NamedTuple):
    """A learnings file: how it is read, and the verdict on it or the problem that prevents one."""

    path: str
    reading: FileReading | None
    verdict: Verdict | None
    problem: str | None


class Overview(NamedTuple):
    """The memory of a repository: its files by role, what is wrong with them, and the hooks.

    skipped are files that are named like a learnings file and are none here. report is None
    where a file could not be checked, which problem then says. lacks_hooks is True if no hook of
    the repository runs the checks. cost is what each session pays for these files. memory is the
    state of a confidence memory, None where there is none.
    """

    learnings: tuple[FileOverview, ...]
    skipped: tuple[Candidate, ...]
    targets: tuple[str, ...]
    indexes: tuple[str, ...]
    report: CheckReport | None
    problem: str | None
    lacks_hooks: bool
    cost: SessionCost
    memory: ConfidenceStatus | None = None
    tiers: TierStatus | None = None

    @property
    def is_broken(self) -> bool:
        """True if a file could not be read at all."""
        return self.report is None


class FirstStep(Enum):
    """What to do next with a memory."""

    WRITE = auto()
    SOLVE = auto()
    FIX = auto()
    CORRECT = auto()
    CONSOLIDATE = auto()
    REPAIR_MEMORY = auto()
    CURATE = auto()
    COMPACT = auto()
    SET_UP = auto()
    READ_NOTICES = auto()
    NOTHING = auto()


def overview(workspace: Workspace, *, commands: Callable[[], Commands]) -> Overview:
    """Return the overview of the repository around a folder. Raises BadSettings."""
    search = Search(workspace, commands=commands)
    candidates = workspace.learnings_files()
    report, problem = _report(search)
    learnings = tuple(_file(workspace, c.path) for c in candidates if c.included)
    return Overview(
        learnings=learnings,
        skipped=workspace.skipped_files(),
        targets=_paths(workspace.target_files()),
        indexes=_paths(memory_indexes(workspace)),
        report=report,
        problem=problem,
        lacks_hooks=_lacks_hooks(workspace.root),
        cost=session_cost(workspace, [file.verdict for file in learnings if file.verdict]),
        memory=confidence_status(workspace),
        tiers=_tiers(workspace),
    )


def first_step(overview: Overview) -> FirstStep:
    """Return the one step that comes first: what is broken, then what is due, then the hooks."""
    report, files = overview.report or CheckReport.of((), files=0), overview.learnings
    memory = overview.memory
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    steps = (
        (overview.is_broken, FirstStep.SOLVE),
        (not files and memory is None and overview.tiers is None, FirstStep.WRITE),
        (any(finding.is_fixable for finding in errors), FirstStep.FIX),
        (bool(errors), FirstStep.CORRECT),
        (any(file.problem for file in files), FirstStep.SOLVE),
        (
            any(file.verdict and file.verdict.verdict == DUE for file in files),
            FirstStep.CONSOLIDATE,
        ),
        (bool(memory and memory.problems), FirstStep.REPAIR_MEMORY),
        (bool(memory and memory.pending), FirstStep.CURATE),
        (bool(overview.tiers and overview.tiers.needs_action), FirstStep.COMPACT),
        (overview.lacks_hooks, FirstStep.SET_UP),
        (bool(report.notices), FirstStep.READ_NOTICES),
    )
    return next((step for is_needed, step in steps if is_needed), FirstStep.NOTHING)


def _tiers(workspace: Workspace) -> TierStatus | None:
    if not has_tier_folder(workspace):
        return None
    from learnings.forms.tiers import tier_status  # noqa: PLC0415  (few repositories have them)

    return tier_status(workspace)


def _report(search: Search) -> tuple[CheckReport | None, str | None]:
    """Return the report on all files, or why there is none."""
    try:
        return report_on(search.files(), base=search.workspace.root), None
    except (MissingFile, UsageProblem) as error:
        return None, str(error)


def _file(workspace: Workspace, path: str) -> FileOverview:
    verdict, problem = None, None
    try:
        query = query_about(ChosenFile(workspace, workspace.root / path), NO_OPTIONS)
        verdict = query.verdict()
    except (UntrustedHistory, MissingFile, UsageProblem) as error:
        problem = str(error)
    return FileOverview(path, reading_of(workspace, path), verdict, problem)


def _paths(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    return tuple(candidate.path for candidate in candidates if candidate.included)


def _lacks_hooks(root: Path) -> bool:
    is_repository = os.path.lexists(root / ".git")
    return is_repository and not any(_HOOK in _content(root / name) for name in _HOOK_FILES)


def _content(path: Path) -> bytes:
    try:
        return read_file(path, shown=path.name)
    except LearningsError:
        return b""
