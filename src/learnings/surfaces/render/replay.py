"""Replays of verdicts over history: text, Markdown, JSON (document `learnings.replay/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.due.past_verdicts import Episode, Replay, ReplayedConsolidation
from learnings.core.due.verdicts import DUE
from learnings.core.text import counted, printable, short_commit
from learnings.surfaces.render.lines import span, text_of_blocks

if TYPE_CHECKING:
    pass


def as_text(replays: Sequence[Replay]) -> str:
    return text_of_blocks(map(_text_block, replays))


def _text_block(replay: Replay) -> Iterator[str]:
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
    state = "overdue" if episode.verdict == DUE else "waiting"
    count = f"{_bound(replay)}{counted(episode.active_days, 'active day')}"
    return f"{episode.verdict:<8} {episode.first} to {episode.last}, {count} {state}"


def consolidation_line(item: ReplayedConsolidation, replay: Replay) -> str:
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


def as_markdown(replays: Sequence[Replay]) -> str:
    sections = ["# Consolidation over history", *("\n".join(_markdown_section(r)) for r in replays)]
    return "\n\n".join(sections) + "\n"


def _markdown_section(replay: Replay) -> Iterator[str]:
    yield f"## {span(replay.file)}"
    yield ""
    yield f"{counted(len(replay.daily_verdicts), 'active day')} with the file."
    for note in replay.notes:
        yield f"\nNote: {span(note)}"
    for title, lines in (
        ("Due or starved", [episode_line(episode, replay) for episode in replay.episodes]),
        ("Consolidations", [consolidation_line(item, replay) for item in replay.consolidations]),
    ):
        yield f"\n### {title}\n"
        yield from ([f"- {line}" for line in lines] or ["None."])
