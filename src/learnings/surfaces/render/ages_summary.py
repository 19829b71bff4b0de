"""The age report as one line, for a hook at the start of a session."""

from __future__ import annotations

from learnings.core.due.ages import AgeReport
from learnings.core.text import counted, printable


def render(report: AgeReport, *, is_named: bool = False) -> str:
    """Return how many entries there are, how many are old enough, and the last consolidation.

    is_named says that it is one of several reports: the line begins with the file.
    """
    bound = "≥" if report.history.shallow else ""
    staleness = report.staleness
    last = "no prior consolidation"
    if staleness is not None:
        last = f"consolidation {bound}{staleness}d ago"
    fresh = f"{bound}{len(report.fresh)} ≥{report.freshness} days"
    name = f"{printable(report.file)}: " if is_named else ""
    return f"{name}{counted(len(report.entries), 'entry', 'entries')} ({fresh}, {last})\n"
