"""Verdicts in each format: text, Markdown, workflow commands, JSON (`learnings.due/1` and brief).

Hooks print the text before every push, so it fits one screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from learnings.core.due.ages import EntryAge
from learnings.core.due.conditions import Condition
from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED, Verdict
from learnings.core.text import printable, shortened
from learnings.forms import verdict_words
from learnings.forms.verdict_words import COMBINATION, evidence_words, next_step
from learnings.surfaces.render.json_document import (
    entry_reference,
    fields_of,
    references_document,
)
from learnings.surfaces.render.lines import span, text_of_blocks
from learnings.surfaces.render.workflow_commands import workflow_command

if TYPE_CHECKING:
    from learnings.forms.memory_form import FormStatus
    from learnings.references.dead import EntryReferences
    from learnings.surfaces.schemas.entries import DueBriefDocument, DueDocument, DueFile, DueForm


MAX_TITLE = 60
"""Characters of a title: with its age and its line, the row fits 80 columns."""
MAX_ROWS = 10
"""Listed entries of a batch, enough to recognise it. One real batch had 98."""
MAX_FILES = 3
"""Files with a full block. With more files, a calm one gets one line and the others a few rows."""
MAX_ROWS_OF_MANY = 3


class DueResult(NamedTuple):
    """The verdicts on files, memory of other forms, and the references of entries.

    These are by file and identity, if history was asked for them.
    """

    verdicts: Sequence[Verdict]
    forms: Sequence[FormStatus] = ()
    references: Mapping[str, Mapping[str, EntryReferences]] = {}


def as_text(result: DueResult) -> str:
    """Return a block for each file, and a line for each memory of another form."""
    verdicts = result.verdicts
    many = len(verdicts) > MAX_FILES
    calm = [verdict for verdict in verdicts if many and verdict.verdict == NOT_DUE]
    shown = [verdict for verdict in verdicts if verdict not in calm]
    most = MAX_ROWS_OF_MANY if many else MAX_ROWS
    blocks: list[Iterable[str]] = [_block(verdict, result, most=most) for verdict in shown]
    if shown:
        blocks.append([COMBINATION])
    blocks.append(
        [
            f"{printable(v.report.file)}: {verdict_words.state(v)}: {verdict_words.reason(v)}"
            for v in calm
        ]
    )
    blocks.append([printable(status.line) for status in result.forms])
    return text_of_blocks(filter(None, blocks))


def _decided(verdict: Verdict, most: int) -> Iterator[str]:
    resting = verdict_words.resting(verdict)
    if verdict.rests and verdict.conditions.size.met:
        yield f"  {'note':<10} raise `size-trigger` if the file is right as it is"
    elif resting and not verdict.rests:
        yield f"  {'decided':<10} {resting}"
    for line in verdict_words.waiting(verdict)[:most]:
        yield f"  {'waits':<10} {printable(line)}"


def _block(verdict: Verdict, result: DueResult, *, most: int) -> Iterator[str]:
    remark = verdict_words.remark(verdict)
    state = f"{verdict_words.state(verdict)}: {remark}" if remark else verdict_words.state(verdict)
    yield f"{printable(verdict.report.file)}: {state}"
    for name, met, words, condition in _conditions(verdict):
        to_go = f", {condition.distance} to go" if condition.distance and not condition.met else ""
        yield f"  {name:<10} {met:<3} {words} (threshold {condition.threshold}{to_go})"
    outlook = verdict_words.outlook(verdict)
    if outlook:
        yield f"  {'forecast':<10} {printable(outlook)}"
    yield from _decided(verdict, most)
    for note in verdict.report.history.notes:
        yield f"  {'note':<10} {printable(note)}"
    if verdict.verdict != NOT_DUE and verdict.batch:
        yield "  oldest first, age in active days:"
        of_file = result.references.get(verdict.report.file, {})
        for entry_age in verdict.batch[:most]:
            entry = entry_age.entry
            age = f"{'≥' if entry_age.lower_bound else ''}{entry_age.active_days}"
            mark = _mark(entry_age, of_file.get(entry.identity))
            title = shortened(printable(entry.heading), MAX_TITLE)
            yield f"  {age:>5}  {title} ({printable(entry.place)}{mark})"
        rest = len(verdict.batch) - most
        if rest > 0:
            yield f"         and {rest} more: `learnings batch {printable(verdict.report.file)}`"
    command = next_step(verdict)
    if command:
        yield f"  next: {command}"


def _conditions(verdict: Verdict) -> Iterator[tuple[str, str, str, Condition]]:
    for condition in verdict_words.shown_conditions(verdict):
        words = verdict_words.measured(verdict, condition)
        yield condition.name, "yes" if condition.met else "no", words, condition


def _mark(entry_age: EntryAge, references: EntryReferences | None) -> str:
    marks = ["superseded"] if entry_age.entry.superseded else []
    marks += evidence_words(references, None)
    return "".join(f", {mark}" for mark in marks)


def as_markdown(result: DueResult) -> str:
    sections = (_markdown_section(verdict, result) for verdict in result.verdicts)
    parts = (
        "# Consolidation",
        COMBINATION,
        *map("\n".join, sections),
        *map(form_sentence, result.forms),
    )
    return "\n\n".join(parts) + "\n"


def form_sentence(status: FormStatus) -> str:
    summary = span(status.summary) if status.problem else status.summary
    step = f" Next: {span(status.next)}." if status.next else ""
    return f"{status.form.title} {span(status.path)}: {summary}.{step}"


def _markdown_section(verdict: Verdict, result: DueResult) -> Iterator[str]:
    yield f"## {span(verdict.report.file)}: {verdict_words.state(verdict)}"
    yield ""
    yield f"{verdict_words.reason(verdict).capitalize()}."
    yield ""
    yield "| condition | value | threshold | distance | met |"
    yield "|---|--:|--:|--:|---|"
    for name, met, words, condition in _conditions(verdict):
        distance = "unknown" if condition.distance is None else condition.distance
        yield f"| {name} | {words} | {condition.threshold} | {distance} | {met} |"
    outlook = verdict_words.outlook(verdict)
    if outlook:
        yield f"\nForecast: {outlook}."
    resting = verdict_words.resting(verdict)
    if resting and not verdict.rests:
        yield f"\nDecided earlier: {resting}."
    for line in verdict_words.waiting(verdict):
        yield f"\nWaits for a decision: {span(line)}"
    for note in verdict.report.history.notes:
        yield f"\nNote: {span(note)}"
    if verdict.verdict != NOT_DUE and verdict.batch:
        yield "\nThe batch, oldest first:\n"
        of_file = result.references.get(verdict.report.file, {})
        for entry_age in verdict.batch:
            entry = entry_age.entry
            facts = f"{verdict_words.age(entry_age)}, {printable(entry.place)}"
            mark = _mark(entry_age, of_file.get(entry.identity))
            yield f"- {span(entry.heading)} ({facts}{mark})"
    command = next_step(verdict)
    if command:
        yield f"\nNext: {span(command)}"


LEVELS = {DUE: "warning", STARVED: "notice"}


def as_github(result: DueResult) -> str:
    """Return a workflow command for each file, and each other memory, that needs action."""
    commands = []
    for verdict in result.verdicts:
        if verdict.verdict in LEVELS:
            message = f"Consolidation {verdict.verdict}: {verdict_words.reason(verdict)}"
            if verdict.lower_bound:
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


def document(result: DueResult) -> DueDocument:
    """Return the document, with the numbers of other forms if they have any."""
    document: Any = {
        "schema": "learnings.due/1",
        "files": [file_document(verdict, result.references) for verdict in result.verdicts],
        "forms": [form_document(status) for status in result.forms],
    }
    forms = [one for one in result.forms if one.form.details_key]
    document |= {one.form.details_key: dict(one.details) for one in forms}
    return cast("DueDocument", document)


def form_document(status: FormStatus) -> DueForm:
    return {
        "form": status.form.name,
        "path": status.path,
        "needs_action": status.needs_action,
        "reason": status.reason,
        "next": status.next,
    }


def file_document(
    verdict: Verdict, references: Mapping[str, Mapping[str, EntryReferences]] = {}
) -> DueFile:
    forecast = verdict.forecast
    of_file = references.get(verdict.report.file)
    return {
        "file": verdict.report.file,
        "verdict": verdict.verdict,
        "conditions": [
            fields_of(condition, "name", "value", "threshold", "distance", "met", "known")
            for condition in verdict.conditions.each
        ],
        "batch": [
            {
                **entry_reference(entry_age.entry),
                "active_days": entry_age.active_days or 0,
                "lower_bound": entry_age.lower_bound,
                "superseded": entry_age.entry.superseded,
                "references": None
                if of_file is None
                else references_document(of_file.get(entry_age.entry.identity)),
            }
            for entry_age in verdict.batch
        ],
        "decided": [
            {
                **entry_reference(one.entry_age.entry),
                "decision": one.decision.kind,
                "date": one.decision.date,
                "reason": one.decision.reason,
                "days_left": one.days_left,
            }
            for one in verdict.resting
        ],
        "decided_summary": verdict_words.resting(verdict) or None,
        "escalated": verdict.outcome.escalated,
        "starved_since": verdict.outcome.starved_since,
        "due_since": verdict.due_since,
        "next": next_step(verdict),
        "switched_off": verdict.switched_off,
        "forecast": fields_of(forecast) if forecast else None,
        "as_of": verdict.report.history.activity.as_of,
        "lower_bound": verdict.lower_bound,
        "notes": list(verdict.report.history.notes),
    }


def due_brief_document(result: DueResult) -> DueBriefDocument:
    return {
        "schema": "learnings.due-brief/1",
        "files": [
            {
                "file": verdict.report.file,
                "verdict": verdict.verdict,
                "reason": verdict_words.reason(verdict),
                "batch": len(verdict.batch),
                "kept": sum(one.days_left is not None for one in verdict.resting),
                "waiting": sum(one.days_left is None for one in verdict.resting),
                "next": next_step(verdict),
            }
            for verdict in result.verdicts
        ],
        "forms": [form_document(status) for status in result.forms],
    }
