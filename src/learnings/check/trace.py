"""The files that a check read and skipped, for the reader of `check --verbose`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from learnings.check.search import Search, SelectedFile
from learnings.core.findings.finding import CheckReport
from learnings.core.settings.setting_values import OFF
from learnings.rules import RULES, enabled
from learnings.rules.checked_file import CheckedFile
from learnings.workspace.discovery import Candidate


class RuleLevel(NamedTuple):
    """A rule that is not at its default level; origin is the place of the setting, if any."""

    rule: str
    level: str
    origin: str | None


class Trace(NamedTuple):
    """The way in which a check came to its report.

    compared are the paths that an index was compared with; known is the number of findings that the
    baseline left out, None if unused; levels are the rules that are off or whose severity is set.
    """

    files: tuple[CheckedFile, ...]
    compared: tuple[str, ...]
    skipped: tuple[Candidate, ...]
    config: str | None
    baseline: str
    known: int | None
    levels: tuple[RuleLevel, ...]


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
    settings, running, levels = workspace.settings, enabled(workspace.settings), []
    for rule in RULES:
        level = settings.rules.get(rule.ID)
        if level is not None:
            levels.append(RuleLevel(rule.ID, level, str(settings.origins[f"rules.{rule.ID}"])))
        elif rule not in running:
            levels.append(RuleLevel(rule.ID, OFF, None))
    return Trace(
        files=tuple(selected.file for selected in notes),
        compared=tuple(sorted(compared - paths)),
        skipped=search.skipped_files(),
        config=workspace.relative(workspace.config) if workspace.config else None,
        baseline=workspace.settings.baseline,
        known=len(report.known) if uses_baseline else None,
        levels=tuple(levels),
    )
