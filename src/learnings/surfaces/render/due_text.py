"""Verdicts as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.due.conditions import Condition
from learnings.core.due.triggers import NOT_DUE, Verdict
from learnings.core.text import printable
from learnings.surfaces.render import due_words

MAX_TITLE = 72
"""Characters of a title: with its age and line the row fits a terminal of some 90 columns."""


def render(verdicts: Sequence[Verdict]) -> str:
    """Return one block for each file; the batch is listed unless nothing is to be done."""
    return "\n".join("\n".join(_block(verdict)) + "\n" for verdict in verdicts)


def _block(verdict: Verdict) -> Iterator[str]:
    state, reason = due_words.state(verdict), due_words.reason(verdict)
    yield f"{printable(verdict.report.file)}: {state}: {reason}"
    for condition in verdict.conditions:
        yield _condition(verdict, condition)
    outlook = due_words.outlook(verdict)
    if outlook:
        yield f"  {'forecast':<10} {outlook}"
    for note in verdict.report.history.notes:
        yield f"  {'note':<10} {note}"
    if verdict.verdict != NOT_DUE and verdict.batch:
        yield "  oldest first, age in active days:"
        for entry_age in verdict.batch:
            age = f"{'≥' if entry_age.lower_bound else ''}{entry_age.active_days}"
            entry = entry_age.entry
            mark = ", superseded" if entry.superseded else ""
            yield f"  {age:>5}  {_short(entry.heading)} (line {entry.first}{mark})"


def _condition(verdict: Verdict, condition: Condition) -> str:
    met = "yes" if condition.met else "no"
    words = due_words.measured(verdict, condition)
    missing = "" if condition.met or not condition.distance else f", {condition.distance} to go"
    return f"  {condition.name:<10} {met:<3} {words} (threshold {condition.threshold}{missing})"


def _short(title: str) -> str:
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1].rstrip() + "…"
