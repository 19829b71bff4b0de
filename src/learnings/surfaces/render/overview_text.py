"""How the memory of a repository is, in about ten lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from learnings.app.overview import FileOverview, Overview, Step, next_step
from learnings.app.workspace.readings import Reading
from learnings.app.workspace.skipped import nothing_found, skipped_sentence
from learnings.core.due.triggers import DUE
from learnings.core.file_names import DEFAULT_FILE
from learnings.core.text import counted, printable, shortened
from learnings.surfaces.render import due_words

MAX_FILES = 4
"""Learnings files with a block of their own: with those of a monorepo it is still one screen."""
MAX_NAMES = 3
MAX_TITLE = 76  # with its indent the line fits 80 columns

_STEPS = {
    Step.SOLVE: "solve the problem above, then run `learnings` again",
    Step.WRITE: f"write a first lesson into {DEFAULT_FILE}, below a heading `## When …`",
    Step.FIX: "`learnings fix` fixes {fixes}; `learnings check` prints all",
    Step.CORRECT: "`learnings check` prints each finding with its line",
    Step.CONSOLIDATE: "`learnings batch` prints the entries to consolidate",
    Step.SET_UP: "`learnings init` sets up hooks that check this at every commit",
    Step.READ_NOTICES: "nothing has to be done; `learnings check` prints the notices",
    Step.NOTHING: "nothing has to be done",
}


def render(overview: Overview) -> str:
    """Return a block for each learnings file, a line for each other role, and what to do next."""
    return "".join(f"{line}\n" for line in _lines(overview))


def _lines(overview: Overview) -> Iterator[str]:
    files = overview.learnings
    for file in files[:MAX_FILES]:
        yield from _file(file, has_titles=len(files) <= MAX_NAMES)
    if len(files) > MAX_FILES:
        more = counted(len(files) - MAX_FILES, "learnings file")
        yield f"and {more} more: `learnings due` prints all verdicts"
    if not files:
        yield nothing_found(overview.skipped)
    elif overview.skipped:
        yield skipped_sentence(overview.skipped, most=MAX_NAMES)
    yield from _named("targets", overview.targets)
    yield from _named("index", overview.indexes)
    yield f"findings  {_findings(overview)}"
    yield f"next      {_next(overview)}"


def _file(file: FileOverview, *, has_titles: bool) -> Iterator[str]:
    verdict = file.verdict
    words = f"no verdict: {file.problem}"
    if verdict is not None:
        words = f"{due_words.state(verdict)}: {due_words.reason(verdict)}"
    yield f"{printable(file.path)}: {printable(words)}"
    if verdict is not None and verdict.forecast and verdict.verdict != DUE and has_titles:
        yield f"  due in {counted(verdict.forecast.due_in_active_days, 'active day')}, it seems"
    reading = file.reading
    if reading is None:
        return
    yield f"  {_read_as(reading)}"
    if reading.doubt:
        yield f"  doubtful: {printable(reading.doubt)}"
    if has_titles:
        yield from (f"    {shortened(printable(t), MAX_TITLE)}" for t in reading.titles)


def _read_as(reading: Reading) -> str:
    level = f" at level {reading.level}" if reading.level else ""
    entries = counted(reading.entries, "entry", "entries")
    first = ", the first:" if reading.titles else ""
    return f"{entries} ({reading.dialect}{level}) in {counted(reading.lines, 'line')}{first}"


def _named(role: str, paths: Sequence[str]) -> Iterator[str]:
    if paths:
        names = ", ".join(map(printable, paths[:MAX_NAMES]))
        more = f" and {len(paths) - MAX_NAMES} more" if len(paths) > MAX_NAMES else ""
        yield f"{role:<8}  {names}{more}"


def _findings(overview: Overview) -> str:
    report = overview.report
    if report is None:
        return f"not known: {printable(overview.problem or '')}"
    rules = Counter(finding.rule for finding in report.findings).most_common(MAX_NAMES)
    listed = ", ".join(f"{rule} {count}" for rule, count in rules)
    return f"{report.counts}: {listed}" if listed else report.counts


def _next(overview: Overview) -> str:
    fixes = overview.report.fixable if overview.report else 0
    return _STEPS[next_step(overview)].format(fixes=counted(fixes, "finding"))
