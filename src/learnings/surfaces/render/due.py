"""Verdicts, today and over history: their values, and text, Markdown and workflow commands.

Hooks print the text before every push, so it fits one screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED, Condition, Verdict
from learnings.core.text import counted, printable, short_commit, shortened
from learnings.forms import verdict_words
from learnings.forms.verdict_words import COMBINATION, evidence_words, next_step, reason
from learnings.surfaces.actions import workflow_command
from learnings.surfaces.render.writing import (
    Code,
    Part,
    Row,
    Words,
    fact,
    items,
    line,
    markdown,
    rows,
    span,
    text,
    titled,
)

if TYPE_CHECKING:
    from learnings.app.consolidate.entry_references import Evidence
    from learnings.core.due.ages import EntryAge, EntryUse
    from learnings.core.due.past_verdicts import Replay, ReplayedConsolidation
    from learnings.core.entries.document import Entry
    from learnings.forms.memory_form import FormStatus
    from learnings.references.dead import EntryReferences


class EntryRow(NamedTuple):
    """An entry with its age, the references in it, and the use of what it names, if known."""

    age: EntryAge
    references: EntryReferences | None = None
    use: EntryUse | None = None

    @property
    def entry(self) -> Entry:
        return self.age.entry

    @property
    def marks(self) -> list[str]:
        """The reasons to look at the entry, as clauses."""
        superseded = ["superseded"] if self.age.entry.superseded else []
        return [*superseded, *evidence_words(self.references, self.use)]


def rows_of(ages: Iterable[EntryAge], evidence: Evidence | None) -> list[EntryRow]:
    if evidence is None:
        return [EntryRow(age) for age in ages]
    return [EntryRow(age, *evidence.of(age.entry.identity)) for age in ages]


class JudgedFile(NamedTuple):
    """The verdict on a file, with evidence for the entries of its batch if that was looked up."""

    verdict: Verdict
    evidence: Evidence | None = None

    @property
    def batch(self) -> list[EntryRow]:
        return rows_of(self.verdict.batch, self.evidence)


class DueResult(NamedTuple):
    """The verdicts on files, memory of other forms, and the evidence by file."""

    verdicts: Sequence[Verdict]
    forms: Sequence[FormStatus] = ()
    evidence: Mapping[str, Evidence] = {}

    @property
    def files(self) -> list[JudgedFile]:
        return [JudgedFile(one, self.evidence.get(one.report.file)) for one in self.verdicts]

    @property
    def details(self) -> Mapping[str, object]:
        """The numbers of other forms, by the key of the form."""
        return {one.form.details_key: dict(one.details) for one in self.forms}


MAX_TITLE = 60
"""Characters of a title: with its age and its line, the row fits 80 columns."""
MAX_ROWS = 10
"""Listed entries of a batch, enough to recognise it. One real batch had 98."""
MAX_FILES = 3
"""Files with a full block. With more files, a calm one gets one line and the others a few rows."""
MAX_ROWS_OF_MANY = 3


def as_text(result: DueResult) -> str:
    """Return a block for each file, and a line for each memory of another form."""
    many = len(result.verdicts) > MAX_FILES
    calm = [file.verdict for file in result.files if many and file.verdict.verdict == NOT_DUE]
    shown = [file for file in result.files if file.verdict not in calm]
    most = MAX_ROWS_OF_MANY if many else MAX_ROWS
    lines = [
        line((Code(verdict.report.file), f": {verdict_words.state(verdict)}: {reason(verdict)}"))
        for verdict in calm
    ]
    rule = [line(COMBINATION)] if shown else []
    forms = [line(status.line) for status in result.forms]
    return text([*(_parts(file, most) for file in shown), rule, lines, forms])


def as_markdown(result: DueResult) -> str:
    forms = (line(form_sentence(status)) for status in result.forms)
    return markdown("Consolidation", [[line(COMBINATION)], *map(_parts, result.files), forms])


def _parts(file: JudgedFile, most: int | None = None) -> Iterator[Part]:
    """Yield the verdict with its conditions, and at most so many rows of the batch."""
    verdict = file.verdict
    name, resting = verdict.report.file, verdict_words.resting(verdict)
    words = (Code(name), f": {verdict_words.state(verdict)}")
    yield titled(words, verdict_words.remark(verdict), f"{reason(verdict).capitalize()}.")
    columns = ("condition", ":value", ":threshold", ":distance", "met")
    yield rows(columns, [_row(verdict, one) for one in verdict_words.shown_conditions(verdict)])
    outlook = verdict_words.outlook(verdict)
    if outlook:
        yield _fact("forecast", outlook)
    if verdict.rests and verdict.conditions.size.met:
        yield _fact("note", "raise `size-trigger` if the file is right as it is")
    elif resting and not verdict.rests:
        yield _fact("decided", resting)
    yield from (_fact("waits", Code(one)) for one in verdict_words.waiting(verdict)[:most])
    yield from (_fact("note", Code(note)) for note in verdict.report.notes)
    command = next_step(verdict)
    if command and verdict.batch:
        entries = [_entry(row) for row in file.batch[:most]]
        rest = len(verdict.batch) - len(entries)
        if rest:
            more = f"and {rest} more: `learnings batch {printable(name)}`"
            entries.append(([f"         {more}"], [more]))
        yield rows((), entries, "oldest first, age in active days:")
    if command:
        yield fact("next:", Code(command))


def _fact(label: str, words: Words) -> Part:
    return fact(f"{label:<10}", words)


def _row(verdict: Verdict, condition: Condition) -> Row:
    name, threshold, distance = condition.name, condition.threshold, condition.distance
    met, words = "yes" if condition.met else "no", verdict_words.measured(verdict, condition)
    to_go = f", {distance} to go" if distance and not condition.met else ""
    cells = (name, words, str(threshold), "unknown" if distance is None else str(distance), met)
    return ([f"  {name:<10} {met:<3} {words} (threshold {threshold}{to_go})"], cells)


def _entry(row: EntryRow) -> Row:
    age, title = f"{'≥' if row.age.lower_bound else ''}{row.age.active_days}", row.age.entry.heading
    facts = ", ".join([printable(row.age.entry.place), *row.marks])
    words = (Code(title), f" ({verdict_words.age(row.age)}, {facts})")
    return ([f"  {age:>5}  {shortened(printable(title), MAX_TITLE)} ({facts})"], [words])


def form_sentence(status: FormStatus) -> str:
    summary = span(status.summary) if status.problem else status.summary
    step = f" Next: {span(status.next)}." if status.next else ""
    return f"{status.form.title} {span(status.path)}: {summary}.{step}"


LEVELS = {DUE: "warning", STARVED: "notice"}


def as_github(result: DueResult) -> str:
    """Return a workflow command for each file, and each other memory, that needs action."""
    commands = []
    for verdict in result.verdicts:
        if verdict.verdict in LEVELS:
            message = f"Consolidation {verdict.verdict}: {reason(verdict)}"
            if verdict.report.shallow:
                message += " (shallow clone: ages and staleness are lower bounds)"
            step = next_step(verdict)
            if step:
                message += f"; next: {step}"
            location = {"file": verdict.report.file, "line": 1, "title": "learnings"}
            commands.append(workflow_command(LEVELS[verdict.verdict], message, **location))
    for status in result.forms:
        if status.needs_action:
            level = "warning" if status.counts else "notice"
            location = {"file": status.annotated_file, "line": 1, "title": "learnings"}
            commands.append(workflow_command(level, status.line, **location))
    return "".join(commands)


def replay_as_text(replays: Sequence[Replay]) -> str:
    return text(map(_replay_parts, replays))


def replay_as_markdown(replays: Sequence[Replay]) -> str:
    return markdown("Consolidation over history", map(_replay_parts, replays))


def _replay_parts(replay: Replay) -> Iterator[Part]:
    days, file = replay.daily_verdicts, Code(replay.file)
    if not days:
        yield line((file, ": no active day on which it existed"))
        return
    count = counted(len(days), "active day")
    yield titled((file, f": {count} with the file, {days[0].day} to {days[-1].day}"), "", "")
    yield from (fact("note:", Code(note)) for note in replay.notes)
    bound = "≥ " if replay.lower_bound else ""
    episodes = []
    for one in replay.episodes:
        state = "overdue" if one.verdict == DUE else "waiting"
        length = f"{bound}{counted(one.active_days, 'active day')}"
        episodes.append(f"{one.verdict:<8} {one.first} to {one.last}, {length} {state}")
    yield items(episodes or ["never due, never starved"])
    consolidations = [_consolidation(item, bound) for item in replay.consolidations]
    yield items(consolidations, counted(len(consolidations), "consolidation"))


def _consolidation(item: ReplayedConsolidation, bound: str) -> str:
    consolidation, before = item.consolidation, item.before
    commit = short_commit(consolidation.commit or "")
    line = f"{consolidation.date} {commit} removed {consolidation.removed}"
    if before is None:
        return f"{line}; no active day before it"
    overdue = f", overdue for {bound}{counted(item.overdue, 'active day')}" if item.overdue else ""
    return f"{line}; the active day before: {before.verdict}, batch {bound}{before.batch}{overdue}"
