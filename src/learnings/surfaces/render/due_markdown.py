"""Verdicts as Markdown, for a summary or an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.due.conditions import Condition
from learnings.core.due.triggers import NOT_DUE, Verdict
from learnings.surfaces.render import due_words
from learnings.surfaces.render.escape import span
from learnings.surfaces.render.next_step import next_step

if TYPE_CHECKING:
    from learnings.app.confidence.state import MemoryState
    from learnings.app.tiers.news import TierNews


def render(
    verdicts: Sequence[Verdict],
    *,
    memory: MemoryState | None = None,
    tiers: TierNews | None = None,
) -> str:
    """Return a section with a table for each file, and a line about other memory."""
    sections = ["# Consolidation", *("\n".join(_section(verdict)) for verdict in verdicts)]
    if memory is not None:
        from learnings.surfaces.render.memory_words import memory_numbers  # noqa: PLC0415  (few have one)

        sections.append(f"Confidence memory {span(memory.path)}: {memory_numbers(memory)}.")
    if tiers is not None:
        from learnings.surfaces.render.tiers_words import news_line  # noqa: PLC0415  (as above)

        sections.append(f"Learning tiers: {span(news_line(tiers))}")
    return "\n\n".join(sections) + "\n"


def _section(verdict: Verdict) -> Iterator[str]:
    yield f"## {span(verdict.report.file)}: {due_words.state(verdict)}"
    yield ""
    yield f"{due_words.reason(verdict).capitalize()}."
    yield ""
    yield "| condition | value | threshold | distance | met |"
    yield "|---|--:|--:|--:|---|"
    for condition in verdict.conditions:
        yield _row(verdict, condition)
    outlook = due_words.outlook(verdict)
    if outlook:
        yield f"\nForecast: {outlook}."
    for note in verdict.report.history.notes:
        yield f"\nNote: {span(note)}"
    if verdict.verdict != NOT_DUE and verdict.batch:
        yield "\nThe batch, oldest first:\n"
        for entry_age in verdict.batch:
            entry = entry_age.entry
            facts = f"{due_words.age(entry_age)}, line {entry.first}"
            mark = ", superseded" if entry.superseded else ""
            yield f"- {span(entry.heading)} ({facts}{mark})"
    command = next_step(verdict)
    if command:
        yield f"\nNext: {span(command)}"


def _row(verdict: Verdict, condition: Condition) -> str:
    words = due_words.measured(verdict, condition)
    distance = "unknown" if condition.distance is None else condition.distance
    met = "yes" if condition.met else "no"
    return f"| {condition.name} | {words} | {condition.threshold} | {distance} | {met} |"
