"""Replays of verdicts over history, as text and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.due.past_verdicts import Episode, Replay, ReplayedConsolidation
from learnings.core.due.verdicts import DUE
from learnings.core.text import counted, short_commit
from learnings.surfaces.render.description import (
    Code,
    Part,
    fact,
    items,
    line,
    markdown,
    text,
    titled,
)


def as_text(replays: Sequence[Replay]) -> str:
    return text(map(_parts, replays))


def as_markdown(replays: Sequence[Replay]) -> str:
    return markdown("Consolidation over history", map(_parts, replays))


def _parts(replay: Replay) -> Iterator[Part]:
    days, file = replay.daily_verdicts, Code(replay.file)
    if not days:
        yield line((file, ": no active day on which it existed"))
        return
    count = counted(len(days), "active day")
    yield titled((file, f": {count} with the file, {days[0].day} to {days[-1].day}"), "", "")
    yield from (fact("note:", Code(note)) for note in replay.notes)
    episodes = [_episode(episode, replay) for episode in replay.episodes]
    yield items(episodes or ["never due, never starved"])
    consolidations = [_consolidation(item, replay) for item in replay.consolidations]
    yield items(consolidations, counted(len(consolidations), "consolidation"))


def _episode(episode: Episode, replay: Replay) -> str:
    state = "overdue" if episode.verdict == DUE else "waiting"
    count = f"{_bound(replay)}{counted(episode.active_days, 'active day')}"
    return f"{episode.verdict:<8} {episode.first} to {episode.last}, {count} {state}"


def _consolidation(item: ReplayedConsolidation, replay: Replay) -> str:
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
