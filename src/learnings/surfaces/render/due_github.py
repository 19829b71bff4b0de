"""Verdicts as workflow commands, which a GitHub Actions log shows as annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from learnings.core.due.triggers import DUE, STARVED, Verdict
from learnings.surfaces.render import due_words
from learnings.surfaces.render.next_step import next_step
from learnings.surfaces.render.workflow_commands import command

if TYPE_CHECKING:
    from learnings.app.tiers.news import TierNews

LEVELS = {DUE: "warning", STARVED: "notice"}


def render(verdicts: Sequence[Verdict], *, tiers: TierNews | None = None) -> str:
    """Return a command for each file that needs something, and for tiers that do."""
    text = "".join(_command(verdict) for verdict in verdicts if verdict.verdict in LEVELS)
    if tiers is None or not tiers.asks:
        return text
    from learnings.surfaces.render.tiers_words import news_line  # noqa: PLC0415  (few have them)

    location = {"file": f"{tiers.folder}/INDEX.md", "line": 1, "title": "learnings"}
    return text + command("warning", news_line(tiers), **location)


def _command(verdict: Verdict) -> str:
    message = f"Consolidation {verdict.verdict}: {due_words.reason(verdict)}"
    if verdict.lower_bound:
        message += " (shallow clone: ages and staleness are lower bounds)"
    step = next_step(verdict)
    if step:
        message += f"; next: {step}"
    location = {"file": verdict.report.file, "line": 1, "title": "learnings"}
    return command(LEVELS[verdict.verdict], message, **location)
