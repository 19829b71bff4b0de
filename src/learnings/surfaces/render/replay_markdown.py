"""Replays as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.due.replay import Replay
from learnings.core.text import counted
from learnings.surfaces.render.escape import span
from learnings.surfaces.render.replay_text import consolidation_line, episode_line


def render(replays: Sequence[Replay]) -> str:
    """Return a section for each file: its episodes, then its consolidations."""
    sections = ["# Consolidation over history", *("\n".join(_section(r)) for r in replays)]
    return "\n\n".join(sections) + "\n"


def _section(replay: Replay) -> Iterator[str]:
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
