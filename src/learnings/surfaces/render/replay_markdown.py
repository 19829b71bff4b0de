"""Replays as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.due.replay import Replay
from learnings.surfaces.render import replay_text


def render(replays: Sequence[Replay]) -> str:
    """Return a section for each file: its episodes, then its consolidations."""
    sections = ["# Consolidation over history", *("\n".join(_section(r)) for r in replays)]
    return "\n\n".join(sections) + "\n"


def _section(replay: Replay) -> Iterator[str]:
    yield f"## {replay.file}"
    yield ""
    yield f"{len(replay.daily_verdicts)} active days with the file."
    for title, lines in (
        ("Due or starved", [replay_text.episode(each) for each in replay.episodes]),
        ("Consolidations", [replay_text.found(each) for each in replay.consolidations]),
    ):
        yield f"\n### {title}\n"
        yield from ([f"- {line}" for line in lines] or ["None."])
