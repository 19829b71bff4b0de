"""The words in which verdicts are told, shared by the formats."""

from __future__ import annotations

from learnings.core.due.conditions import BATCH, SIZE, Condition
from learnings.core.due.triggers import DUE, STARVED, Verdict


def reason(verdict: Verdict) -> str:
    """Return why the verdict is what it is, as the rest of a sentence."""
    if verdict.switched_off:
        return "switched off by due = false"
    met = [measured(verdict, c) for c in verdict.conditions if c.met and c.name != BATCH]
    batch = verdict.conditions[-1]
    are = "is" if batch.value == 1 else "are"
    count = f"{batch.value} of the {batch.threshold} entries a batch needs {are} old enough"
    if verdict.verdict == STARVED:
        return f"{' and '.join(met)}, but only {count} (since {verdict.starved_since})"
    if verdict.escalated:
        return f"{' and '.join(met)}; {count}, and that since {verdict.starved_since}"
    if verdict.verdict == DUE:
        return " and ".join(met)
    return "no trigger holds"


def measured(verdict: Verdict, condition: Condition) -> str:
    """Return a condition's value in words."""
    bound = "≥ " if verdict.lower_bound and condition.name != SIZE else ""
    value = "no" if condition.value is None else f"{bound}{condition.value}"
    if condition.name == SIZE:
        return f"{value} lines"
    if condition.name == BATCH:
        noun = "entry" if value == "1" else "entries"
        return f"{value} {noun} of {bound}{verdict.report.freshness} or more active days"
    if condition.known:
        return f"{value} active days since the last consolidation"
    if condition.value is None:
        return "never consolidated"
    return f"{value} active days since the oldest entry (never consolidated)"


def outlook(verdict: Verdict) -> str | None:
    """Return the forecast as a sentence; None where there is none or nothing is ahead."""
    forecast = verdict.forecast
    if forecast is None or verdict.verdict == DUE:
        return None
    return f"due in {forecast.due_in_active_days} active days: {forecast.because}"
