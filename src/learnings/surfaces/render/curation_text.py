"""What a curation did, story by story, for people."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from learnings.app.confidence.curating import CurateResult
from learnings.confidence.values import Change
from learnings.core.text import counted, number_text, printable
from learnings.surfaces.render.memory_words import active_counts

_ACTION_WIDTH = 12  # of the longest action


def render(result: CurateResult, *, is_written: bool = True) -> str:
    """Return the report; is_written is False where the files stay as they are."""
    return "".join(f"{printable(line)}\n" for line in _lines(result, is_written=is_written))


def _lines(result: CurateResult, *, is_written: bool) -> Iterator[str]:
    if result.completes:
        yield "completed what a run that was killed had left"
    source = None
    for change in result.changes:
        if change.source and change.source != source:
            source = change.source
            yield source
        yield f"  {_change(change)}"
    if not result.changes and not result.completes:
        captured = counted(len(result.captured), "file")
        marked = f"; {captured} without new observations captured" if result.captured else ""
        yield f"nothing to curate{marked}"
    if not result.files:
        return
    yield f"memory: {active_counts(result.memory)}"
    yield "written:" if is_written else "would be written:"
    yield from (f"  {file.path}" for file in result.files)


def _change(change: Change) -> str:
    subject = change.observation or change.entry
    entry = change.entry if change.observation else ""
    confidence = _confidence(change.before, change.after)
    reason = f"({change.reason})" if change.reason else ""
    parts = (f"{subject:8} {change.action:{_ACTION_WIDTH}}", entry, confidence, reason)
    return " ".join(part for part in parts if part).rstrip()


def _confidence(before: Decimal | None, after: Decimal | None) -> str:
    if after is None:
        return "" if before is None else number_text(before)
    return (
        number_text(after)
        if before is None or before == after
        else (f"{number_text(before)} -> {number_text(after)}")
    )
