"""Replays as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.due.replay import Episode, Replay, ReplayedConsolidation
from learnings.core.due.triggers import DUE


def render(replays: Sequence[Replay]) -> str:
    """Return one block for each file."""
    return "\n".join("\n".join(_block(replay)) + "\n" for replay in replays)


def _block(replay: Replay) -> Iterator[str]:
    days = [daily.day for daily in replay.daily_verdicts]
    if not days:
        yield f"{replay.file}: no active day on which it existed"
        return
    yield f"{replay.file}: {len(days)} active days with the file, {days[0]} to {days[-1]}"
    yield from (f"  {episode(each)}" for each in replay.episodes)
    if not replay.episodes:
        yield "  never due, never starved"
    total = len(replay.consolidations)
    yield f"  {total} {'consolidation' if total == 1 else 'consolidations'}"
    yield from (f"    {found(each)}" for each in replay.consolidations)


def episode(each: Episode) -> str:
    """Return a run of days as a line: how long consolidation was overdue, or wanted in vain."""
    word = "overdue" if each.verdict == DUE else "waiting"
    return f"{each.verdict:<8} {each.first} to {each.last}, {each.active_days} active days {word}"


def found(each: ReplayedConsolidation) -> str:
    """Return a consolidation as a line, with what the verdict before it had been."""
    consolidation = each.consolidation
    line = f"{consolidation.date} {consolidation.commit[:12]} removed {consolidation.removed}"
    if each.before is None:
        return f"{line}; no evening before it"
    overdue = f", overdue for {each.overdue} active days" if each.overdue else ""
    return f"{line}; the evening before: {each.before.verdict}, batch {each.before.batch}{overdue}"
