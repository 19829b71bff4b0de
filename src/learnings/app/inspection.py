"""Everything that a CI job reports about the memory of a repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.app.session_cost import SessionCost, session_cost
from learnings.app.verify.compared import verification_of
from learnings.app.verify.verification import Verification
from learnings.check.history_inputs import HistoryLoader
from learnings.check.run import report_on
from learnings.check.search import Search
from learnings.core.cost import NOTHING
from learnings.core.due.forecast import SizeSeries, first_day, size_series
from learnings.core.due.verdicts import Verdict
from learnings.core.entries.document import read_older, within_limits
from learnings.core.entries.entry_changes import Delta, delta
from learnings.core.errors import UntrustedHistory
from learnings.core.findings.finding import CheckReport
from learnings.forms.confidence.memory_findings import report_on_memory
from learnings.forms.confidence.memory_folder import memory_folder_of
from learnings.forms.confidence.status import ConfidenceStatus, confidence_status
from learnings.forms.tiers import TierStatus, report_on_tiers, tier_status
from learnings.history.file_history import open_history
from learnings.history.git.merge_bases import DiffBase
from learnings.history.mainline import versions_since
from learnings.workspace.file_query import NO_OPTIONS, FileQuery, file_queries, judge_all
from learnings.workspace.workspace import Workspace

# Active days in a chart. Chosen, not measured: some twelve working weeks, which still fit across
# the width of a job summary.
_CHART_DAYS = 60


class Inspection(NamedTuple):
    """The findings of the rules, the verdicts, what a change does, and the growth of each file.

    problems says what could not be found out, each reason once. charts belong to files by name.
    verification is about a change that is not merged yet, None without one. cost is what each
    session pays for the memory. memory is the state of a confidence memory, whose findings are in
    the report, None where there is none.
    """

    file_queries: tuple[FileQuery, ...]
    report: CheckReport
    verdicts: tuple[Verdict, ...]
    problems: tuple[str, ...]
    deltas: tuple[Delta, ...]
    charts: tuple[tuple[str, SizeSeries], ...]
    verification: Verification | None = None
    cost: SessionCost = SessionCost((), NOTHING)
    memory: ConfidenceStatus | None = None
    tiers: TierStatus | None = None

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
    """Inspect the files named or, where none is, all; raises MissingFile or BadSettings.

    only_changed: the rules look at the files that have changed, where that is known, and the change
    is verified. Verdicts are on all of them in any case.
    """
    queries = file_queries(files, NO_OPTIONS, workspace)
    verdicts, errors = judge_all(queries)
    by_file = {verdict.report.file: verdict for verdict in verdicts}
    search = Search(workspace, files, commands=commands, since=changed.commit if changed else None)
    memory = None if files else confidence_status(search.workspace)
    tiers = None if files else tier_status(search.workspace)
    report = _report(search, changed if only_changed else None)
    report = _with_tiers(report, search) if tiers and tiers.problem is None else report
    return Inspection(
        file_queries=tuple(queries),
        report=_with_memory(report, search, changed) if memory else report,
        verdicts=verdicts,
        problems=tuple(dict.fromkeys(str(error) for error in errors)),
        deltas=tuple(_deltas(queries, by_file, changed)) if changed else (),
        charts=tuple(_charts(queries, by_file)),
        verification=(
            verification_of(workspace, changed.commit, head="HEAD")
            if changed and only_changed
            else None
        ),
        cost=session_cost(search.workspace, verdicts),
        memory=memory,
        tiers=tiers,
    )


def _with_tiers(report: CheckReport, search: Search) -> CheckReport:
    """Return the report with the findings about learning tiers."""
    own = report_on_tiers(search.workspace)
    findings = (*report.findings, *own.findings)
    return CheckReport.of(findings, files=report.files + own.files, known=report.known)


def _with_memory(report: CheckReport, search: Search, changed: DiffBase | None) -> CheckReport:
    """Return the report with the findings about a confidence memory, also since a change began."""
    folder = memory_folder_of(search.workspace)
    own = report_on_memory(folder, since=changed.commit if changed else "HEAD")
    findings = (*report.findings, *own.findings)
    return CheckReport.of(findings, files=report.files + own.files, known=report.known)


def _report(search: Search, changed: DiffBase | None) -> CheckReport:
    """Return the findings of every rule, those that need history where that can be trusted."""
    files = (
        selected
        for selected in search.files()
        if changed is None or selected.file.path in changed.paths
    )
    return report_on(files, base=search.workspace.root, history=HistoryLoader(search.workspace))


def _deltas(
    queries: Sequence[FileQuery], verdicts: Mapping[str, Verdict], changed: DiffBase
) -> Iterator[Delta]:
    for file_query in queries:
        verdict = verdicts.get(file_query.name)
        if verdict is None:
            continue
        content = changed.content(file_query.name)
        before = (
            None if content is None else read_older(within_limits(content), file_query.read_options)
        )
        after = verdict.report.document
        change = delta(file_query.name, before, after, limit=file_query.settings.size_trigger)
        if not change.is_empty:
            yield change


def _charts(
    queries: Sequence[FileQuery], verdicts: Mapping[str, Verdict]
) -> Iterator[tuple[str, SizeSeries]]:
    for file_query in queries:
        verdict = verdicts.get(file_query.name)
        activity = verdict.report.history.activity if verdict else None
        start = first_day(activity, _CHART_DAYS) if activity else None
        if activity is None or start is None:
            continue
        try:
            with open_history(file_query.query) as history:
                versions = versions_since(history, start)
        except UntrustedHistory:
            continue
        limit = file_query.settings.size_trigger
        chart = size_series(activity, versions, threshold=limit, most=_CHART_DAYS)
        if chart is not None:
            yield file_query.name, chart
