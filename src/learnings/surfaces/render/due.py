"""Verdicts in each format: text, Markdown, workflow commands, JSON (`learnings.due/1` and brief).

Hooks print the text before every push, so it fits one screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from learnings.core.due.conditions import Condition
from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED, Verdict
from learnings.core.text import printable, shortened
from learnings.forms import verdict_words
from learnings.forms.verdict_words import COMBINATION, next_step
from learnings.surfaces.render.lines import span, text_of_blocks
from learnings.surfaces.render.workflow_commands import workflow_command

if TYPE_CHECKING:
    from learnings.forms.memory_form import FormStatus
    from learnings.surfaces.render.results import DueResult, JudgedFile


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
    calm = [verdict for verdict in result.verdicts if many and verdict.verdict == NOT_DUE]
    shown = [file for file in result.files if not many or file.verdict.verdict != NOT_DUE]
    most = MAX_ROWS_OF_MANY if many else MAX_ROWS
    blocks: list[Iterable[str]] = [_block(file, most=most) for file in shown]
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


def _block(file: JudgedFile, *, most: int) -> Iterator[str]:
    verdict = file.verdict
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
        for row in file.batch[:most]:
            age = f"{'≥' if row.age.lower_bound else ''}{row.age.active_days}"
            title = shortened(printable(row.entry.heading), MAX_TITLE)
            yield f"  {age:>5}  {title} ({', '.join([printable(row.entry.place), *row.marks])})"
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


def as_markdown(result: DueResult) -> str:
    sections = map(_markdown_section, result.files)
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


def _markdown_section(file: JudgedFile) -> Iterator[str]:
    verdict = file.verdict
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
        for row in file.batch:
            facts = (verdict_words.age(row.age), printable(row.entry.place), *row.marks)
            yield f"- {span(row.entry.heading)} ({', '.join(facts)})"
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
