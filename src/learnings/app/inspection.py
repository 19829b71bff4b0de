"""The report of a CI job about the memory of a repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.app.verify.verification import Verification, diff_of, verification_of
from learnings.check.history_inputs import HistoryLoader
from learnings.check.repository import SelectedFile
from learnings.check.run import report_on
from learnings.check.search import Search
from learnings.check.session_cost import SessionCost, session_cost, session_cost_at
from learnings.consolidation.proof.changes import EntryChange
from learnings.core.due.forecast import SizeSeries, first_day, size_series
from learnings.core.due.verdicts import Verdict
from learnings.core.entries.document import ReadOptions, read_older, within_limits
from learnings.core.entries.entry_changes import Delta, delta
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory, UnusableFile
from learnings.core.findings.finding import CheckReport
from learnings.forms.memory_form import FormStatus
from learnings.forms.registry import others_here
from learnings.history.cached_history import versions_since
from learnings.history.git.merges import DiffBase
from learnings.rules import enabled, token_budget
from learnings.workspace.memory_file import MemoryFile, judge_all, memory_files
from learnings.workspace.workspace import Workspace

# Active days in a chart. Chosen, not measured: about twelve working weeks, which fit the width of a
# job summary.
_CHART_DAYS = 60


class Inspection(NamedTuple):
    """Findings; verdicts, deltas and charts by file; the effects and losses of a change."""

    files: tuple[MemoryFile, ...]
    report: CheckReport
    verdicts: tuple[Verdict, ...]
    problems: tuple[str, ...]
    deltas: tuple[Delta, ...]
    charts: tuple[tuple[str, SizeSeries], ...]
    verification: Verification | None = None
    cost: SessionCost = SessionCost()
    cost_before: SessionCost | None = None
    forms: tuple[FormStatus, ...] = ()
    changes: tuple[EntryChange, ...] = ()

    @property
    def fails(self) -> bool:
        """True if a rule finds an error, or the change loses something."""
        lost = self.verification is not None and self.verification.proof.losses
        return bool(lost) or self.report.fails()


def inspect(
    files: Sequence[str],
    workspace: Workspace,
    *,
    changed: DiffBase | None,
    only_changed: bool,
    commands: Callable[[], Commands],
) -> Inspection:
    """Inspect the named files, else all; only_changed limits the rules to changed files.

    Raises MissingFile or BadSettings.
    """
    memories = memory_files(files, workspace)
    verdicts, errors = judge_all(memories)
    by_name = {verdict.report.file: verdict for verdict in verdicts}
    judged = [(file, by_name[file.name]) for file in memories if file.name in by_name]
    base = changed.commit if changed else None
    search = Search(workspace, files, commands=commands, since=base)
    forms = () if files else others_here(search.workspace)
    report = _report(search, changed if only_changed else None)
    for form in forms:
        with suppress(MissingFile, UnusableFile):  # its status says why
            report = _joined(report, form.findings(search.workspace, since=base or "HEAD"))
    cost_before = None
    changes: tuple[EntryChange, ...] = ()
    if base:
        with suppress(LearningsError):
            cost_before = session_cost_at(search.workspace, base)
        with suppress(LearningsError):  # the verification says why
            changes = diff_of(workspace, base, "HEAD").changes
    return Inspection(
        files=tuple(memories),
        report=report,
        verdicts=tuple(verdicts),
        problems=tuple(dict.fromkeys(str(error) for error in errors)),
        deltas=tuple(_deltas(judged, changed)) if changed else (),
        charts=tuple(_charts(judged)),
        verification=verification_of(workspace, base, "HEAD") if base else None,
        cost=session_cost(search.workspace, search.loading),
        cost_before=cost_before,
        forms=tuple(status for form in forms for status in form.statuses(search.workspace)),
        changes=changes,
    )


def _joined(report: CheckReport, other: CheckReport) -> CheckReport:
    findings = (*report.findings, *other.findings)
    files, known = report.files + other.files, report.known + other.known
    return CheckReport.of(findings, files=files, known=known)


def _report(search: Search, changed: DiffBase | None) -> CheckReport:
    """Report on changed files and on session costs, whose file may be unchanged."""
    unchanged: list[SelectedFile] = []

    def changed_files() -> Iterator[SelectedFile]:
        for selected in search.files():
            if changed is None or selected.file.path in changed.paths:
                yield selected
            elif "session" in selected.inputs:
                unchanged.append(selected)

    base, history = search.workspace.root, HistoryLoader(search.workspace)
    report = report_on(changed_files(), base=base, history=history)
    rules = [rule for rule in enabled(search.workspace.settings) if rule is token_budget.RULE]
    return _joined(report, report_on(unchanged, base=base, rules=rules))


_Judged = Sequence[tuple[MemoryFile, Verdict]]


def _deltas(judged: _Judged, changed: DiffBase) -> Iterator[Delta]:
    for file, verdict in judged:
        if verdict.report.is_folder:
            continue  # a commit has its files
        content = changed.content(file.name)
        options = ReadOptions.of(file.settings)
        before = None if content is None else read_older(within_limits(content), options)
        after = verdict.report.document
        change = delta(file.name, before, after, limit=file.settings.size_trigger)
        if change.near or change.before != change.after:
            yield change


def _charts(judged: _Judged) -> Iterator[tuple[str, SizeSeries]]:
    for file, verdict in judged:
        activity = verdict.report.activity
        start = first_day(activity, _CHART_DAYS)
        if start is None:
            continue
        try:
            with file.history() as history:
                versions = versions_since(history, start)
        except UntrustedHistory:
            continue
        limit = file.settings.size_trigger
        chart = size_series(activity, versions, threshold=limit, most=_CHART_DAYS)
        if chart is not None:
            yield file.name, chart
