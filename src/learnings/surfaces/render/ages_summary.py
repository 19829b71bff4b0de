"""The age report as one line, for a hook at the start of a session."""

from __future__ import annotations

from learnings.core.due.ages import AgeReport
from learnings.core.text import counted


def render(report: AgeReport) -> str:
    """Return how many entries there are, how many are old enough, and the last consolidation."""
    bound = "≥" if report.history.shallow else ""
    staleness = report.staleness
    last = "no prior consolidation"
    if staleness is not None:
        last = f"consolidation {bound}{staleness}d ago"
    fresh = f"{bound}{len(report.fresh)} ≥{report.freshness} days"
    return f"{counted(len(report.entries), 'entry', 'entries')} ({fresh}, {last})\n"
