"""Everything that a CI job finds out about the memory of a repository."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings import rules
from learnings.app.check.baseline_file import BaselineFilter
from learnings.app.check.history_loader import HistoryLoader
from learnings.app.check.search import Search
from learnings.app.due.query import FileQuery
from learnings.app.due.verdicts import Judged, file_queries, judge_all
from learnings.core.agents.model import Commands
from learnings.core.due.growth import Growth, first_day, growth
from learnings.core.due.triggers import Verdict
from learnings.core.entries.delta import Delta, delta
from learnings.core.entries.document import read_older
from learnings.core.errors import UntrustedHistory
from learnings.core.findings.finding import Report
from learnings.history.git.diff_base import DiffBase
from learnings.history.mainline import versions_since

_DAYS_SHOWN = 60


class Inspection(NamedTuple):
    """The findings of the rules, the verdicts, what a change does, and the course of each file."""

    asked: tuple[FileQuery, ...]
    report: Report
    judged: Judged
    deltas: tuple[Delta, ...]
    charts: tuple[tuple[str, Growth], ...]

    @property
    def trouble(self) -> list[str]:
        """What could not be found out, each reason once."""
        return list(dict.fromkeys(str(error) for error in self.judged.trouble))


def inspect(
    args: argparse.Namespace,
    cwd: Path,
    *,
    changed: DiffBase | None,
    only_changed: bool,
    commands: Commands,
) -> Inspection:
    """Look at the files named in `args.files`, or at all; raises MissingFile or BadSettings.

    only_changed: the rules look at the files that have changed, where that is known. Verdicts are
    on all of them in any case.
    """
    asked = file_queries(args, cwd)
    judged = judge_all(asked)
    known = {each.report.file: each for each in judged.verdicts}
    search = Search(cwd, args.files, commands=commands)
    return Inspection(
        asked=tuple(asked),
        report=_report(search, cwd, changed if only_changed else None),
        judged=judged,
        deltas=tuple(_deltas(asked, known, changed)) if changed else (),
        charts=tuple(_charts(asked, known)),
    )


def _report(search: Search, cwd: Path, changed: DiffBase | None) -> Report:
    """The findings of every rule, those that need history where that can be trusted."""
    root = search.workspace.root
    past, baseline_filter, files = HistoryLoader(base=root, cwd=cwd), BaselineFilter(root), 0
    for selected in search.found():
        if changed is None or selected.file.path in changed.paths:
            workspace, file, inputs = past.with_history(selected)
            baseline_filter.add(workspace, rules.check(file, inputs=inputs))
            files += 1
    return baseline_filter.report(files=files)


def _deltas(
    asked: Sequence[FileQuery], known: dict[str, Verdict], changed: DiffBase
) -> Iterator[Delta]:
    for each in asked:
        verdict = known.get(each.name)
        if verdict is None:
            continue
        before = changed.content(each.name)
        document = None if before is None else read_older(before, each.read_options)
        found = delta(
            each.name, document, verdict.report.document, limit=each.settings.size_trigger
        )
        if not found.is_empty:
            yield found


def _charts(asked: Sequence[FileQuery], known: dict[str, Verdict]) -> Iterator[tuple[str, Growth]]:
    for each in asked:
        verdict = known.get(each.name)
        activity = verdict.report.history.activity if verdict else None
        start = first_day(activity, _DAYS_SHOWN) if activity else None
        if activity is None or start is None:
            continue
        try:
            versions = versions_since(each.query, start)
        except UntrustedHistory:
            continue
        limit = each.settings.size_trigger
        found = growth(activity, versions, threshold=limit, most=_DAYS_SHOWN)
        if found is not None:
            yield each.name, found
