"""The way of a file through a check, from the command line to the report.

A **path** that the command line names, or that discovery finds, is selected (search). Its
repository reads it, and it becomes a **file**: its document, role and settings, with the inputs
that only some rules need (repository, memory_index, agent_facts, history_inputs, other_versions).
The rules read the file and return **findings**. These become the **report**: findings that the
baseline knows, or that the file had at a commit (earlier), are set aside; the others are sorted by
path and line. A renderer prints it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.errors import BadSettings
from learnings.core.findings.baseline import (
    Baseline,
    KnownFinding,
    is_known,
    read_baseline,
    recorded,
)
from learnings.core.findings.finding import CheckReport, Finding, in_order
from learnings.core.progress import step
from learnings.core.text import printable
from learnings.rules import check
from learnings.workspace.disk import may_exist, read_file
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.check.earlier import EarlierCheck
    from learnings.check.history_inputs import HistoryLoader
    from learnings.check.repository import SelectedFile
    from learnings.rules.rule import Rule


def report_on(
    files: Iterable[SelectedFile],
    *,
    base: Path,
    rules: Sequence[Rule] | None = None,
    history: HistoryLoader | None = None,
    ignore_baseline: bool = False,
    earlier: EarlierCheck | None = None,
) -> CheckReport:
    """Check files and return the report; paths of findings start from the folder base.

    rules default to all enabled ones; rules that need history run only with history. Findings in
    the baseline of a file's repository, or in `earlier`, are set aside. Raises as the search, and
    BadSettings.
    """
    looked_at: set[str] = set()
    by_root: defaultdict[Path, list[SelectedFile]] = defaultdict(list)
    findings: defaultdict[Path, list[Finding]] = defaultdict(list)
    for selected in files if history is None else map(history.with_history, files):
        workspace, file, inputs = selected
        step(f"checking {file.path}")
        looked_at.update((file.path, *(inputs["index"].files if "index" in inputs else ())))
        by_root[workspace.root].append(selected)
        findings[workspace.root] += check(file, rules, inputs=inputs)
    new: list[Finding] = []
    known: list[Finding] = []
    older: list[Finding] = []
    for root, checked in by_root.items():
        workspace = checked[0].workspace
        baseline = {} if ignore_baseline else load_baseline(workspace).known
        files_here = [selected.file for selected in checked]
        before = earlier.findings(workspace, files_here) if earlier and findings[root] else {}
        if not baseline and not before:
            new += findings[root]
            continue

        found = recorded_in(workspace, findings[root], base=base)
        baseline = following_renames(workspace.root, found, baseline)
        for finding, record in found:
            is_older = is_known(record, before)
            part = known if is_known(record, baseline) else older if is_older else new
            part.append(finding)
    return CheckReport.of(new, files=len(looked_at), known=known, older=older)


Recorded = list[tuple[Finding, KnownFinding]]
"""Findings in order, each as the baseline of its repository would record it."""


class BaselineFile(NamedTuple):
    """The file at `path`, from the root; data is None if it does not exist, so nothing is known."""

    path: str
    data: bytes | None
    known: Baseline


def load_baseline(workspace: Workspace) -> BaselineFile:
    """Return the baseline of a repository. Raises BadSettings if it is invalid."""
    path = workspace.settings.baseline
    if not may_exist(workspace.root / path):
        return BaselineFile(path, None, {})

    obstacle = workspace.tree.obstacle(path, named=True)
    if obstacle is not None:
        raise BadSettings(f"{printable(path)}: {obstacle}; replace the link with the file")

    data = read_file(workspace.root / path, shown=path)
    return BaselineFile(path, data, read_baseline(data, name=printable(path)))


def recorded_in(workspace: Workspace, findings: Sequence[Finding], *, base: Path) -> Recorded:
    """Return all findings of some files, whose paths start from the folder base, as records."""
    ordered = in_order(findings)
    paths = {finding.path: workspace.relative(base / finding.path) for finding in ordered}
    at_home = [finding._replace(path=paths[finding.path] or finding.path) for finding in ordered]
    return list(zip(ordered, recorded(at_home), strict=True))


def following_renames(root: Path, found: Recorded, baseline: Baseline) -> Baseline:
    """Return a baseline in which the findings of renamed files have their present paths.

    found are findings of today. Git is asked about a file only if findings like its new ones were
    recorded for a path that is no longer there.
    """
    paths = {known.path for known in baseline.values()}
    gone = {path for path in paths if not may_exist(root / path)}
    if not gone:
        return baseline

    from learnings.history.git.tracked import RenamedFiles  # noqa: PLC0415  (few files are renamed)

    by_path: defaultdict[str, Recorded] = defaultdict(list)
    for finding, record in found:
        by_path[record.path].append((finding, record))
    renamed, moved = RenamedFiles(root), dict(baseline)
    for path, rows in by_path.items():
        if all(record.fingerprint in baseline for _, record in rows):
            continue
        formerly = {}
        for name in gone:
            before = recorded([finding._replace(path=name) for finding, _ in rows])
            pairs = zip(before, (record for _, record in rows), strict=True)
            formerly[name] = [(old, new) for old, new in pairs if old.fingerprint in moved]
        names = renamed.former_names(path) if any(formerly.values()) else ()
        for old, new in next((formerly[name] for name in names if formerly.get(name)), ()):
            known = moved.pop(old.fingerprint)
            moved[new.fingerprint] = new._replace(severity=known.severity)
    return moved
