"""Verdicts made of plain values, for tests of renderers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from learnings.app.inspection import Inspection
from learnings.app.verify.verification import Verification
from learnings.check.session_cost import SessionCost
from learnings.consolidation.proof.changes import EntryChange
from learnings.core.due import ages, verdicts
from learnings.core.due.ages import COMMIT, Activity, Consolidation, History, Origin
from learnings.core.due.forecast import SizeSeries
from learnings.core.due.verdicts import Verdict
from learnings.core.entries.document import read
from learnings.core.entries.entry_changes import Delta
from learnings.core.findings.finding import CheckReport
from learnings.core.settings.setting_values import FileSettings

FILE = "agents/learnings.md"
HEAD = "a" * 40
NO_COST = SessionCost()


def days(number: int) -> tuple[str, ...]:
    """Return a number of active days, one a day from 1 January 2026."""
    first = date(2026, 1, 1)
    return tuple((first + timedelta(days=count)).isoformat() for count in range(number))


def verdict(
    entries: Sequence[tuple[str, str]],
    *,
    active_days: int = 20,
    file: str = FILE,
    settings: FileSettings | None = None,
    consolidated: int | None = None,
    shallow: bool = False,
    notes: tuple[str, ...] = (),
) -> Verdict:
    """Return the verdict on a memory of (title, body) pairs, all added on the first active day.

    consolidated is the number of active days since the last consolidation, or None.
    """
    chosen = settings or FileSettings()
    text = "# Learnings\n\n" + "".join(f"## {title}\n\n{body}\n\n" for title, body in entries)
    document = read(text.encode("utf-8", "surrogateescape"))
    active = days(active_days)
    origins = {entry.identity: Origin(COMMIT, active[0], HEAD) for entry in document.entries}
    last = None
    if consolidated is not None:
        last = Consolidation("b" * 40, active[-1 - consolidated], 3)
    history = History(HEAD, shallow, Activity(active), origins, last, notes)
    report = ages.report(document, history, file=file, settings=chosen)
    return verdicts.judge(report)


def inspected(
    report: CheckReport,
    judged: Sequence[Verdict],
    *,
    problems: Sequence[str] = (),
    deltas: Sequence[Delta] = (),
    charts: Sequence[tuple[str, SizeSeries]] = (),
    verification: Verification | None = None,
    cost: SessionCost = NO_COST,
    changes: Sequence[EntryChange] = (),
) -> Inspection:
    """Return the inspection of a CI job, empty except for the given values."""
    found = tuple(problems), tuple(deltas), tuple(charts)
    return Inspection((), report, tuple(judged), *found, verification, cost)._replace(
        changes=tuple(changes)
    )
