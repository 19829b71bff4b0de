"""Verdicts as workflow commands, which a GitHub Actions log shows as annotations."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.triggers import DUE, STARVED, Verdict
from learnings.surfaces.render import due_words

LEVELS = {DUE: "warning", STARVED: "notice"}


def render(verdicts: Sequence[Verdict]) -> str:
    """Return a command for each file that needs something."""
    return "".join(_command(verdict) for verdict in verdicts if verdict.verdict in LEVELS)


def _command(verdict: Verdict) -> str:
    path = _property(verdict.report.file)
    message = _data(f"Consolidation {verdict.verdict}: {due_words.reason(verdict)}")
    return f"::{LEVELS[verdict.verdict]} file={path},line=1,title=learnings::{message}\n"


def _data(text: str) -> str:
    """Escape what would end the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape what would end a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
