"""Replays as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.due.replay import Episode, Replay, ReplayedConsolidation
from learnings.core.due.triggers import DUE
from learnings.core.text import counted, printable, short_commit


def render(replays: Sequence[Replay]) -> str:
    """Return one block for each file."""
    return "\n".join("\n".join(_block(replay)) + "\n" for replay in replays)


def _block(replay: Replay) -> Iterator[str]:
    days = replay.daily_verdicts
    if not days:
        yield f"{printable(replay.file)}: no active day on which it existed"
        return
    count = counted(len(days), "active day")
    yield f"{printable(replay.file)}: {count} with the file, {days[0].day} to {days[-1].day}"
    yield from (f"  note: {printable(note)}" for note in replay.notes)
    yield from (f"  {episode_line(episode, replay)}" for episode in replay.episodes)
    if not replay.episodes:
        yield "  never due, never starved"
    yield f"  {counted(len(replay.consolidations), 'consolidation')}"
    yield from (f"    {consolidation_line(item, replay)}" for item in replay.consolidations)


def episode_line(episode: Episode, replay: Replay) -> str:
    """Return a run of days as a line: how long consolidation was overdue, or not possible."""
    state = "overdue" if episode.verdict == DUE else "waiting"
    count = f"{_bound(replay)}{counted(episode.active_days, 'active day')}"
    return f"{episode.verdict:<8} {episode.first} to {episode.last}, {count} {state}"


def consolidation_line(item: ReplayedConsolidation, replay: Replay) -> str:
    """Return a consolidation as a line, with what the verdict on the day before it had been."""
    consolidation, before = item.consolidation, item.before
    commit = short_commit(consolidation.commit or "")
    line = f"{consolidation.date} {commit} removed {consolidation.removed}"
    if before is None:
        return f"{line}; no active day before it"
    bound = _bound(replay)
    overdue = f", overdue for {bound}{counted(item.overdue, 'active day')}" if item.overdue else ""
    return f"{line}; the active day before: {before.verdict}, batch {bound}{before.batch}{overdue}"


def _bound(replay: Replay) -> str:
    return "≥ " if replay.lower_bound else ""
