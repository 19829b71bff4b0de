"""A briefing: what to know before working on a story, in plain text for people and agents."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.confidence.briefing import BriefedEntry, Briefing
from learnings.confidence.values import AntiPattern, Principle
from learnings.core.text import counted, number_text, printable
from learnings.surfaces.render.memory_words import headline


def render(briefing: Briefing) -> str:
    """Return the entries, most important first."""
    return "".join(f"{printable(line)}\n" for line in _lines(briefing))


def _lines(briefing: Briefing) -> Iterator[str]:
    if not briefing.entries:
        yield "nothing to brief: no active entry is confident enough"
        return
    for briefed in briefing.entries:
        yield from _entry(briefed)
    if briefing.left_out:
        more = counted(briefing.left_out, "entry", "entries")
        yield f"and {more} less important: --max-briefing-entries"


def _entry(briefed: BriefedEntry) -> Iterator[str]:
    entry = briefed.entry
    severity = f" {entry.severity}" if isinstance(entry, AntiPattern) else ""
    yield f"{entry.id}{severity} ({number_text(entry.confidence)}): {headline(entry)}"
    if isinstance(entry, AntiPattern):
        if briefed.triggers:
            yield f"  triggered by: {', '.join(briefed.triggers)}"
        if entry.failure_mode:
            yield f"  why it fails: {entry.failure_mode}"
        if entry.recommended_approach:
            yield f"  instead: {entry.recommended_approach}"
    elif isinstance(entry, Principle):
        yield from (f"  - {rule}" for rule in entry.guidance if rule != entry.text)
    elif entry.applies_to:
        yield f"  applies to: {', '.join(entry.applies_to)}"
