"""Verdicts as workflow commands, which a GitHub Actions log shows as annotations."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.due.triggers import DUE, STARVED, Verdict
from learnings.surfaces.render import due_words
from learnings.surfaces.render.next_step import next_step
from learnings.surfaces.render.workflow_commands import command

LEVELS = {DUE: "warning", STARVED: "notice"}


def render(verdicts: Sequence[Verdict]) -> str:
    """Return a command for each file that needs something."""
    return "".join(_command(verdict) for verdict in verdicts if verdict.verdict in LEVELS)


def _command(verdict: Verdict) -> str:
    message = f"Consolidation {verdict.verdict}: {due_words.reason(verdict)}"
    if verdict.lower_bound:
        message += " (shallow clone: ages and staleness are lower bounds)"
    step = next_step(verdict)
    if step:
        message += f"; next: {step}"
    location = {"file": verdict.report.file, "line": 1, "title": "learnings"}
    return command(LEVELS[verdict.verdict], message, **location)
