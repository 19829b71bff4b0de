"""The state of the memory of a repository in about ten lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.app.overview import FirstStep, Overview, first_starved, first_step
from learnings.check.session_cost import SessionCost
from learnings.core.due.verdicts import DUE
from learnings.core.entries.dialects import FOLDER, TO_HEADINGS
from learnings.core.file_names import DEFAULT_FILE
from learnings.core.findings.finding import Severity
from learnings.core.text import counted, printable, shortened
from learnings.forms import verdict_words
from learnings.forms.learnings_file import FileReading
from learnings.forms.memory_form import FormStatus
from learnings.forms.registry import needs_most
from learnings.surfaces.render.writing import text_lines
from learnings.workspace.skipped import nothing_found, skipped_sentence


def cost_sentence(cost: SessionCost) -> str:
    """Return the cost of a session, for each agent if they differ."""
    first, *others = cost.totals or [""]
    of_agents = f" of {first}" if first else ""
    rest = "".join(f", {cost.totals[other].tokens:,} of {other}" for other in others)
    return f"about {cost.total.tokens:,} tokens in each session{of_agents}{rest}"


MAX_FILES = 4
"""Learnings files with their own block; a monorepo still fits one screen."""
MAX_NAMES = 3
WIDTH = 80  # columns of a terminal
MAX_TITLE = WIDTH - 4  # with its indent

NO_GIT = (
    "this folder is not in a git repository, so ages are unknown; change to a "
    "clone, or run `git init`"
)

_STEPS = {
    FirstStep.SOLVE: "solve the problem above, then run `learnings` again",
    FirstStep.ENTER: "`git init`, or change to a clone; then run `learnings` again",
    FirstStep.WRITE: "write a first lesson into {file}, below a heading `## When …`",
    FirstStep.FIX: "`learnings fix` fixes {fixes}; `learnings check` prints all",
    FirstStep.CORRECT: "`learnings check` prints each finding with its line",
    FirstStep.ACT: "{advice}",
    FirstStep.SHRINK: "{advice}",
    FirstStep.SET_UP: "`learnings init` sets up hooks that check this at every commit",
    FirstStep.READ_NOTICES: "nothing to do; `learnings check` prints the notices",
    FirstStep.NOTHING: "nothing to do",
}


@text_lines
def as_text(overview: Overview) -> Iterator[str]:
    """Return a block for each learnings file, a line for each other role, and the next step."""
    files = overview.learnings
    if overview.lacks_git:
        yield NO_GIT
    for status in files[:MAX_FILES]:
        yield from _file_lines(status, has_titles=len(files) <= MAX_NAMES)
    if len(files) > MAX_FILES:
        more = counted(len(files) - MAX_FILES, "learnings file")
        yield f"and {more} more: `learnings due` prints all verdicts"
    if not overview.forms:
        yield nothing_found(overview.skipped, has_advice=False)
    elif overview.skipped:
        yield skipped_sentence(overview.skipped, most=MAX_NAMES)
    roles = {"targets": overview.targets, "loaded": overview.instructions}
    for role, paths in {**roles, "index": overview.indexes}.items():
        if paths:
            yield _with_names(f"{role:<8} ", [printable(path) for path in paths])
    for status in overview.others:
        yield f"{status.form.label:<9} {status.line}"
    if overview.cost.total.words:
        yield f"cost      {cost_sentence(overview.cost)}"
    yield from _finding_lines(overview)
    yield f"next      {next_sentence(overview)}"


def _finding_lines(overview: Overview) -> Iterator[str]:
    report = overview.report
    if report is None:
        yield f"findings  unknown: {overview.problem or ''}"
    else:
        errors_first = sorted(report.findings, key=lambda one: one.severity is Severity.NOTICE)
        rules = [*dict.fromkeys(finding.rule for finding in errors_first)]
        yield _with_names(f"findings  {report.counts}{':' if rules else ''}", rules)
    references = overview.references
    if references and references.dead:
        count = f"{references.dead} of {counted(references.known, 'reference')}"
        verb = "is" if references.dead == 1 else "are"
        yield f"refs      {count} {verb} dead: `learnings check --history` names them"


def _file_lines(status: FormStatus, *, has_titles: bool) -> Iterator[str]:
    verdict = status.verdict
    yield status.sentence
    if verdict is not None and verdict.forecast and verdict.verdict != DUE and has_titles:
        in_days = counted(verdict.forecast.due_in_active_days, "active day")
        yield f"  forecast: due in {in_days}"
    if verdict is not None and verdict.report.resting and not verdict.rests:
        yield f"  {verdict_words.resting(verdict)}"
    reading = status.reading
    if reading is None:
        return
    titles = reading.titles if has_titles else ()
    yield f"  {read_as(reading)}{', the first:' if titles else ''}"
    yield from (f"    {shortened(printable(title), MAX_TITLE)}" for title in titles)
    if reading.ambiguity:
        yield f"  doubtful: {reading.ambiguity}"


def read_as(reading: FileReading) -> str:
    """Return the number of entries and their dialect."""
    lines = counted(reading.lines, "line")
    if not reading.entries:
        return f"no entries in {lines}"
    level = f" at level {reading.level}" if reading.level else ""
    if reading.dialect == FOLDER:
        return f"{counted(reading.entries, 'file')}, each an entry, {lines}"
    entries = counted(reading.entries, "entry", "entries")
    return f"{entries} ({reading.dialect}{level}) in {lines}"


def _with_names(text: str, names: Sequence[str]) -> str:
    """Return the text with the names that fit the line, at least one, and the number of others."""
    line = text
    for number in range(min(len(names), MAX_NAMES), 0, -1):
        more = f" and {len(names) - number} more" if number < len(names) else ""
        line = f"{text} {', '.join(names[:number])}{more}"
        if len(line) <= WIDTH:
            break
    return line


def next_sentence(overview: Overview) -> str:
    """Return the next step as a sentence without its full stop."""
    fixes = overview.report.fixable if overview.report else 0
    status = needs_most(overview.forms) or first_starved(overview)
    step = first_step(overview)
    likely = overview.likely
    also = " and sets up the hooks" if overview.lacks_hooks else ""
    if step is FirstStep.WRITE and likely and likely.taking:
        return f"`{printable(likely.taking)}` takes {printable(likely.path)} as the memory{also}"
    if step is FirstStep.WRITE and likely and TO_HEADINGS in likely.reason:
        return f"in {printable(likely.path)}, give each entry a heading `## …` instead"
    if step is FirstStep.WRITE and overview.instructions and not likely:
        return f"`learnings init --memory {DEFAULT_FILE}` creates a memory{also}"
    return _STEPS[step].format(
        fixes=counted(fixes, "finding"),
        advice=printable(status.advice) if status else "",
        file=printable(likely.path) if likely else DEFAULT_FILE,
    )
