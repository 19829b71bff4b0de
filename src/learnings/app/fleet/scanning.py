"""The row of each repository of a fleet, from a checkout on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from learnings.app.overview import Overview, overview
from learnings.core.agents.model import Commands
from learnings.core.due.triggers import DUE as VERDICT_DUE
from learnings.core.due.triggers import STARVED as VERDICT_STARVED
from learnings.core.due.triggers import Verdict
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import Report, Severity
from learnings.core.fleet import (
    ABSENT,
    DUE,
    ERRORS,
    HEALTHY,
    STARVED,
    UNKNOWN,
    RepositoryRow,
)


def scan(
    names: Sequence[str],
    cwd: Path,
    *,
    commands: Callable[[], Commands],
    reason: Callable[[Verdict], str],
    progress: Callable[[str], None],
) -> Iterator[RepositoryRow]:
    """Give a row for each checkout, by its path from cwd, which is its name, too.

    One that cannot be judged is a row that says why. reason puts a verdict into words; progress is
    called with a line on how far the work is, and with "" when it is done.
    """
    for number, name in enumerate(names, start=1):
        progress(f"{number} of {len(names)}: {name}")
        try:
            yield _row(name, cwd / name, commands, reason)
        except (LearningsError, OSError, RecursionError) as error:
            yield RepositoryRow(name, UNKNOWN, (str(error),))
    progress("")


def _row(
    name: str, folder: Path, commands: Callable[[], Commands], reason: Callable[[Verdict], str]
) -> RepositoryRow:
    if not folder.is_dir():
        return RepositoryRow(name, UNKNOWN, ("there is no such folder",))
    state = overview(folder, commands=commands)
    verdicts = [file.verdict for file in state.learnings if file.verdict]
    problems = list(filter(None, [state.problem, *(file.problem for file in state.learnings)]))
    days = (verdict.report.history.activity.as_of for verdict in verdicts)
    report = state.report
    return RepositoryRow(
        name=name,
        state=_state(state, verdicts, problems),
        reasons=tuple(dict.fromkeys([*problems, *_errors(report), *map(reason, verdicts)])),
        overdue=max(map(_overdue, verdicts), default=0),
        files=len(state.learnings),
        entries=sum(file.reading.entries for file in state.learnings if file.reading),
        lines=sum(file.reading.lines for file in state.learnings if file.reading),
        words=state.cost.total.words,
        errors=report.errors if report else 0,
        notices=report.notices if report else 0,
        as_of=max((day for day in days if day), default=None),
    )


def _state(state: Overview, verdicts: Sequence[Verdict], problems: Sequence[str]) -> str:
    names = {verdict.verdict for verdict in verdicts}
    if VERDICT_DUE in names:
        return DUE
    if problems:
        return UNKNOWN
    if state.report and state.report.errors:
        return ERRORS
    if VERDICT_STARVED in names:
        return STARVED
    return HEALTHY if state.learnings else ABSENT


def _errors(report: Report | None) -> Iterator[str]:
    """Give the rules that find errors, each with how many."""
    findings = report.findings if report else ()
    counts = Counter(f.rule for f in findings if f.severity is Severity.ERROR)
    yield from (f"{count} × {rule}" for rule, count in sorted(counts.items()))


def _overdue(verdict: Verdict) -> int:
    """Return for how many active days a file has been due, the first of them included."""
    if verdict.verdict != VERDICT_DUE or verdict.due_since is None:
        return 0
    return verdict.report.history.activity.after(verdict.due_since) + 1
