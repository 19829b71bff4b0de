"""The output of `learnings memory` in each format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from learnings.confidence.values import (
    ACTIVE,
    NEAR_ARCHIVE,
    AntiPattern,
    CurationChange,
    Memory,
    Principle,
    ScoredEntry,
)
from learnings.core.text import counted, number_text, printable, shortened
from learnings.forms.confidence.form import ENTRY_NOUNS
from learnings.surfaces.render.writing import text_lines

if TYPE_CHECKING:
    from learnings.confidence.summaries import BriefedEntry, Briefing, Statistics
    from learnings.forms.confidence.curating import CurateResult


class CurationReport(NamedTuple):
    curated: CurateResult
    is_written: bool


def active_entries(memory: Memory) -> Mapping[str, int]:
    files: dict[str, Sequence[ScoredEntry]] = dict(memory._asdict())
    return {key: sum(entry.status == ACTIVE for entry in entries) for key, entries in files.items()}


def headline(entry: ScoredEntry) -> str:
    return entry.failed_approach if isinstance(entry, AntiPattern) else entry.text


_ACTION_WIDTH = 12  # of the longest action


@text_lines
def curation_as_text(report: CurationReport) -> Iterator[str]:
    result = report.curated
    if result.completes:
        yield "completed the work of a killed run"
    source = None
    for change in result.changes:
        if change.source and change.source != source:
            source = change.source
            yield source
        yield f"  {_change_line(change)}"
    if not result.changes and not result.completes:
        captured = counted(len(result.captured), "file")
        marked = f"; {captured} without new observations captured" if result.captured else ""
        yield f"nothing to curate{marked}"
    if not result.written:
        return
    numbers = active_entries(result.memory)
    counts = (counted(numbers[key], noun) for key, noun in ENTRY_NOUNS.items())
    yield f"memory: {', '.join(counts)} active"
    yield "written:" if report.is_written else "would be written:"
    yield from (f"  {file.path}" for file in result.written)


def _change_line(change: CurationChange) -> str:
    subject = change.observation or change.entry
    entry = change.entry if change.observation else ""
    known = [value for value in (change.before, change.after) if value is not None]
    shown = known[-1:] if change.before == change.after else known
    confidence = " -> ".join(map(number_text, shown))
    reason = f"({change.reason})" if change.reason else ""
    parts = (f"{subject:8} {change.action:{_ACTION_WIDTH}}", entry, confidence, reason)
    return " ".join(part for part in parts if part).rstrip()


_MAX_ENTRY = 70  # characters of an entry; with id and confidence it fits 100 columns


@text_lines
def statistics_as_text(statistics: Statistics) -> Iterator[str]:
    for kind in statistics.kinds:
        counts = f"{kind.active} active of {kind.limit} at most, {kind.archived} archived"
        superseded = f", {kind.superseded} superseded" if kind.superseded else ""
        yield f"{ENTRY_NOUNS[kind.key]}s: {counts}{superseded}"
    if statistics.strongest:
        yield "strongest"
        yield from map(_entry_line, statistics.strongest)
    yield f"near archive (below {number_text(NEAR_ARCHIVE)}): {len(statistics.near_archive)}"
    yield from map(_entry_line, statistics.near_archive)
    yield f"at 1.00: {statistics.certain} of {statistics.active} active"
    if 2 * statistics.certain > statistics.active:
        yield (
            "  so confidence no longer ranks entries; one-reinforcement-per-story = true slows this"
        )
    if statistics.growth:
        yield "growth"
    for growth in statistics.growth:
        created = counted(growth.created, "new entry", "new entries")
        yield f"  {growth.month}  {created}, {growth.total} in all"


def _entry_line(entry: ScoredEntry) -> str:
    text = shortened(printable(headline(entry)), _MAX_ENTRY)
    return f"  {entry.id}  {number_text(entry.confidence)}  {text}"


@text_lines
def briefing_as_text(briefing: Briefing) -> Iterator[str]:
    if not briefing.entries:
        yield "nothing to brief: no active entry is confident enough"
        return
    for briefed in briefing.entries:
        yield from _briefed_lines(briefed)
    if briefing.left_out:
        more = counted(briefing.left_out, "entry", "entries")
        yield f"and {more} less important; see --max-briefing-entries"


def _briefed_lines(briefed: BriefedEntry) -> Iterator[str]:
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
