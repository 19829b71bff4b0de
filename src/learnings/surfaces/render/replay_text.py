"""Replays as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.due.replay import Episode, Replay, ReplayedConsolidation
from learnings.core.due.triggers import DUE
from learnings.core.text import counted, short_commit


def render(replays: Sequence[Replay]) -> str:
    """Return one block for each file."""
    return "\n".join("\n".join(_block(replay)) + "\n" for replay in replays)


def _block(replay: Replay) -> Iterator[str]:
    days = replay.daily_verdicts
    if not days:
        yield f"{replay.file}: no active day on which it existed"
        return
    count = counted(len(days), "active day")
    yield f"{replay.file}: {count} with the file, {days[0].day} to {days[-1].day}"
    yield from (f"  {episode_line(episode)}" for episode in replay.episodes)
    if not replay.episodes:
        yield "  never due, never starved"
    yield f"  {counted(len(replay.consolidations), 'consolidation')}"
    yield from (f"    {consolidation_line(item)}" for item in replay.consolidations)


def episode_line(episode: Episode) -> str:
    """Return a run of days as a line: how long consolidation was overdue, or not possible."""
    state = "overdue" if episode.verdict == DUE else "waiting"
    count = counted(episode.active_days, "active day")
    return f"{episode.verdict:<8} {episode.first} to {episode.last}, {count} {state}"


def consolidation_line(item: ReplayedConsolidation) -> str:
    """Return a consolidation as a line, with what the verdict on the day before it had been."""
    consolidation, before = item.consolidation, item.before
    line = (
        f"{consolidation.date} {short_commit(consolidation.commit)} removed {consolidation.removed}"
    )
    if before is None:
        return f"{line}; no active day before it"
    overdue = f", overdue for {counted(item.overdue, 'active day')}" if item.overdue else ""
    return f"{line}; the active day before: {before.verdict}, batch {before.batch}{overdue}"
