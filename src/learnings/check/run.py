"""The way of a file through a check, from the command line to the report and its trace.

A **path** that the command line names, or that discovery finds, is selected in its repository
(search, selection). It is read and becomes a **file**: its document, role and settings, with the
facts that only some rules need (memory_index, history_inputs, other_versions). The rules read the
file and return **findings**. These become the **report**: findings that the baseline knows, or that
the file had at a commit (earlier), are set aside; the others are sorted by path and line. A
renderer prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.check.renamed_files import following_renames
from learnings.check.search import Search, SelectedFile
from learnings.core.errors import BadSettings
from learnings.core.findings.baseline import (
    Baseline,
    KnownFinding,
    is_known,
    read_baseline,
    recorded,
)
from learnings.core.findings.finding import CheckReport, Finding, in_order
from learnings.core.settings.setting_values import OFF
from learnings.core.text import printable
from learnings.rules import RULES, check, enabled
from learnings.rules.rule import CheckedFile
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import may_exist, read_file
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.check.earlier import EarlierCheck
    from learnings.check.history_inputs import HistoryLoader
    from learnings.rules.rule import Rule


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


def recorded_in(
    workspace: Workspace, findings: Sequence[Finding], *, base: Path
) -> list[tuple[Finding, KnownFinding]]:
    """Return all findings of some files in order, each as its baseline would record it."""
    ordered = in_order(findings)
    paths = {finding.path: workspace.relative(base / finding.path) for finding in ordered}
    at_home = [finding._replace(path=paths[finding.path] or finding.path) for finding in ordered]
    return list(zip(ordered, recorded(at_home), strict=True))


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
    by_root: dict[Path, _Checked] = {}
    looked_at: set[str] = set()
    for selected in files:
        workspace, file, inputs = selected if history is None else history.with_history(selected)
        looked_at.add(file.path)
        looked_at.update(inputs["index"].files if "index" in inputs else ())
        checked = by_root.setdefault(workspace.root, _Checked(workspace, [], []))
        checked.files.append(file)
        checked.findings.extend(check(file, rules, inputs=inputs))
    new: list[Finding] = []
    known: list[Finding] = []
    older: list[Finding] = []
    for workspace, checked_files, findings in by_root.values():
        recorded_ones = {} if ignore_baseline else load_baseline(workspace).known
        before = earlier.findings(workspace, checked_files) if earlier and findings else {}
        if not recorded_ones and not before:
            new += findings
            continue

        found = recorded_in(workspace, findings, base=base)
        baseline = following_renames(workspace.root, found, recorded_ones)
        for finding, record in found:
            is_older = is_known(record, before)
            part = known if is_known(record, baseline) else older if is_older else new
            part.append(finding)
    return CheckReport.of(new, files=len(looked_at), known=known, older=older)


class _Checked(NamedTuple):
    workspace: Workspace
    files: list[CheckedFile]
    findings: list[Finding]


class Trace(NamedTuple):
    """The way in which a check came to its report.

    compared are the paths that an index was compared with; known is the number of findings that the
    baseline left out, None if unused; levels are the rules that are off or whose severity is set,
    each with its level and the place of the setting, if any.
    """

    files: tuple[CheckedFile, ...]
    compared: tuple[str, ...]
    skipped: tuple[Candidate, ...]
    config: str | None
    baseline: str
    known: int | None
    levels: tuple[tuple[str, str, str | None], ...]


def noted(files: Iterable[SelectedFile], notes: list[SelectedFile]) -> Iterator[SelectedFile]:
    """Yield files, recording each one."""
    for selected in files:
        notes.append(selected)
        yield selected


def trace_of(
    search: Search, notes: Iterable[SelectedFile], report: CheckReport, *, uses_baseline: bool
) -> Trace:
    """Return the trace of a search with recorded files, once the report exists."""
    workspace = search.workspace
    notes = sorted(notes, key=lambda selected: selected.file.path)
    paths = {selected.file.path for selected in notes}
    compared = {
        path
        for selected in notes
        if "index" in selected.inputs
        for path in selected.inputs["index"].files
    }
    settings, running = workspace.settings, enabled(workspace.settings)
    levels: list[tuple[str, str, str | None]] = []
    for rule in RULES:
        level = settings.rules.get(rule.id)
        if level is not None:
            levels.append((rule.id, level, str(settings.origins[f"rules.{rule.id}"])))
        elif rule not in running:
            levels.append((rule.id, OFF, None))
    return Trace(
        files=tuple(selected.file for selected in notes),
        compared=tuple(sorted(compared - paths)),
        skipped=search.skipped_files(),
        config=workspace.relative(workspace.config) if workspace.config else None,
        baseline=workspace.settings.baseline,
        known=len(report.known) if uses_baseline else None,
        levels=tuple(levels),
    )
