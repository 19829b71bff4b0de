"""Verdicts as text for a terminal, kept to about a screen: hooks print it before every push."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.due.ages import EntryAge
from learnings.core.due.conditions import Condition
from learnings.core.due.triggers import NOT_DUE, Verdict
from learnings.core.text import printable, shortened
from learnings.surfaces.render import due_words
from learnings.surfaces.render.next_step import next_step

if TYPE_CHECKING:
    from learnings.app.confidence.state import MemoryState
    from learnings.app.tiers.news import TierNews

MAX_TITLE = 60
"""Characters of a title: with its age and its line the row fits a terminal of 80 columns."""
MAX_ROWS = 10
"""Entries of a batch that are listed: enough to recognise it. One real batch had 98."""
MAX_FILES = 3
"""Files with a whole block; of more, those that need nothing have one line, the others few rows."""
MAX_ROWS_OF_MANY = 3


def render(
    verdicts: Sequence[Verdict],
    *,
    memory: MemoryState | None = None,
    tiers: TierNews | None = None,
) -> str:
    """Return a block for each file; the batch is listed unless nothing is to be done.

    Memory of another form has a line at the end.
    """
    lines = []
    if memory is not None:
        from learnings.surfaces.render.memory_words import memory_sentence  # noqa: PLC0415  (few have one)

        lines.append(f"{memory_sentence(memory)}\n")
    if tiers is not None:
        from learnings.surfaces.render.tiers_words import news_line  # noqa: PLC0415  (few have them)

        lines.append(f"{news_line(tiers)}\n")
    if lines:
        return "".join([f"{render(verdicts)}\n" if verdicts else "", *lines])
    if len(verdicts) <= MAX_FILES:
        return "\n".join(_text(_block(verdict, most=MAX_ROWS)) for verdict in verdicts)
    idle = [verdict for verdict in verdicts if verdict.verdict == NOT_DUE]
    blocks = [_text(_block(v, most=MAX_ROWS_OF_MANY)) for v in verdicts if v.verdict != NOT_DUE]
    return "\n".join([*blocks, _text(_first_line(verdict) for verdict in idle)] if idle else blocks)


def _text(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _first_line(verdict: Verdict) -> str:
    state, reason = due_words.state(verdict), due_words.reason(verdict)
    return f"{printable(verdict.report.file)}: {state}: {reason}"


def _block(verdict: Verdict, *, most: int) -> Iterator[str]:
    remark = due_words.remark(verdict)
    state = f"{due_words.state(verdict)}: {remark}" if remark else due_words.state(verdict)
    yield f"{printable(verdict.report.file)}: {state}"
    for condition in verdict.conditions:
        yield _condition(verdict, condition)
    outlook = due_words.outlook(verdict)
    if outlook:
        yield f"  {'forecast':<10} {printable(outlook)}"
    for note in verdict.report.history.notes:
        yield f"  {'note':<10} {printable(note)}"
    if verdict.verdict != NOT_DUE and verdict.batch:
        yield "  oldest first, age in active days:"
        yield from map(_row, verdict.batch[:most])
        rest = len(verdict.batch) - most
        if rest > 0:
            yield f"         and {rest} more: `learnings batch {printable(verdict.report.file)}`"
    command = next_step(verdict)
    if command:
        yield f"  next: {command}"


def _condition(verdict: Verdict, condition: Condition) -> str:
    met = "yes" if condition.met else "no"
    words = due_words.measured(verdict, condition)
    missing = "" if condition.met or not condition.distance else f", {condition.distance} to go"
    return f"  {condition.name:<10} {met:<3} {words} (threshold {condition.threshold}{missing})"


def _row(entry_age: EntryAge) -> str:
    entry = entry_age.entry
    age = f"{'≥' if entry_age.lower_bound else ''}{entry_age.active_days}"
    mark = ", superseded" if entry.superseded else ""
    return (
        f"  {age:>5}  {shortened(printable(entry.heading), MAX_TITLE)} (line {entry.first}{mark})"
    )
