"""The way of a file through a check, from the command line to the report.

A **path** that the command line names, or that discovery comes upon, is selected in its repository
(search, selection). It is read and becomes a **file**: its document, its role and its settings,
with what only some rules need beside it (inputs, history_loader). The rules look at the file and
give **findings**. These become the **report**: those that a baseline knows apart, the others in
the order of paths and lines. A renderer prints it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from learnings.app.check.search import SelectedFile
from learnings.app.workspace.workspace import Workspace
from learnings.core.findings.finding import Finding, Report
from learnings.rules import check

if TYPE_CHECKING:
    from learnings.app.check.history_loader import HistoryLoader
    from learnings.rules.rule import Rule


def report_on(
    files: Iterable[SelectedFile],
    *,
    base: Path,
    rules: Sequence[Rule] | None = None,
    history: HistoryLoader | None = None,
    ignore_baseline: bool = False,
) -> Report:
    """Check files and return the report; paths of findings start from the folder base.

    rules are all that are enabled unless given; those that need history run where it is given. The
    baseline that counts is that of the repository a file lies in. The files that an index is
    compared with are counted as looked at. Raises what the search of the files raises, and
    BadSettings for a baseline that is broken.
    """
    by_root: dict[Path, tuple[Workspace, list[Finding]]] = {}
    looked_at: set[str] = set()
    for selected in files:
        workspace, file, inputs = selected if history is None else history.with_history(selected)
        looked_at.add(file.path)
        looked_at.update(inputs["index"].files if "index" in inputs else ())
        findings = by_root.setdefault(workspace.root, (workspace, []))[1]
        findings.extend(check(file, rules, inputs=inputs))
    new: list[Finding] = []
    known: list[Finding] = []
    for workspace, findings in by_root.values():
        is_baseline = os.path.lexists(workspace.root / workspace.settings.baseline)
        if ignore_baseline or not is_baseline:
            new += findings
            continue
        from learnings.app.check.baseline_file import split  # noqa: PLC0415  (most repositories have none)

        new_here, known_here = split(workspace, findings, base=base)
        new += new_here
        known += known_here
    return Report.of(new, files=len(looked_at), known=known)
