"""Verdicts and their evidence in words, and the command to run next, the same in every format."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from learnings.core.due.ages import LATEST, EntryAge, EntryUse, Origin
from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED, TRIGGERS, Condition, Verdict
from learnings.core.entries.decisions import ESCALATED
from learnings.core.file_names import PLAN
from learnings.core.text import counted, encode, printable

if TYPE_CHECKING:
    from learnings.references.dead import EntryReferences


_EITHER = f"{', '.join(TRIGGERS[:-1])} or {TRIGGERS[-1]}"
COMBINATION = f"A file is due when its {_EITHER} reaches the threshold, and so does its batch."
"""How conditions combine, for outputs that list them."""


def state(verdict: Verdict) -> str:
    """Return the verdict itself: `due`, `due (escalated)`, `starved` or `not-due`."""
    return "due (escalated)" if verdict.escalated else verdict.verdict


def reason(verdict: Verdict) -> str:
    """Return the reason for the verdict, as the rest of a sentence."""
    met = [measured(verdict, trigger) for trigger in verdict.conditions.triggers if trigger.met]
    if verdict.verdict == NOT_DUE:
        return remark(verdict)
    joint = ", but " if verdict.verdict == STARVED else "; "
    return joint.join(filter(None, (" and ".join(met), remark(verdict))))


def remark(verdict: Verdict) -> str:
    """Return the part of a verdict's reason that its conditions do not state; may be empty."""
    if verdict.verdict == NOT_DUE:
        return _why_not(verdict)
    if verdict.verdict == STARVED:
        return f"{_shortage(verdict)} (starved since {verdict.starved_since})"
    if verdict.is_oversize:
        freshness = verdict.report.settings.freshness
        return f"too long to wait until entries are {freshness} active days old"
    return f"{_shortage(verdict)} since {verdict.starved_since}" if verdict.escalated else ""


def _why_not(verdict: Verdict) -> str:
    if verdict.switched_off:
        return "switched off by due = false"
    if not verdict.report.candidates:
        return "no entry has text" if verdict.report.entries else "the file has no entries"
    if verdict.rests:
        return resting(verdict)
    if verdict.conditions.triggered:
        return f"{_shortage(verdict)}, and the file is short"
    return "no trigger holds"


def shown_conditions(verdict: Verdict) -> list[Condition]:
    """Return the conditions to show in texts: `oversize` only if it is met, which is rare."""
    *conditions, oversize = verdict.conditions.listed
    return [*conditions, oversize] if oversize.met else conditions


def resting(verdict: Verdict) -> str:
    """Return the decisions of earlier consolidations: `10 entries kept on 2026-11-23`, or empty."""
    decisions = [one.decision for one in verdict.report.resting if one.decision]
    dates = sorted(one.date for one in decisions if one.kind != ESCALATED)
    waiting = len(decisions) - len(dates)
    parts = []
    if dates:
        first, last = dates[0], dates[-1]
        when = f"on {last}" if first == last else f"from {first} to {last}"
        parts.append(f"{counted(len(dates), 'entry', 'entries')} kept {when}")
    if waiting:
        verb = "waits" if waiting == 1 else "wait"
        parts.append(
            f"{counted(waiting, 'escalated entry', 'escalated entries')} {verb} for your decision"
        )
    return ", ".join(parts)


def waiting(verdict: Verdict) -> list[str]:
    """Return a line for each escalated entry: its title, line, date and reason."""
    return [
        f"{one.entry.heading} (line {one.entry.first}): escalated on {decision.date}"
        f"{decision.reason and f': {decision.reason}'}"
        for one in verdict.report.resting
        if (decision := one.decision) and decision.kind == ESCALATED
    ]


def _shortage(verdict: Verdict) -> str:
    batch = verdict.conditions.batch
    if batch.value:
        are = "is" if batch.value == 1 else "are"
        return (
            f"only {batch.value} of the {batch.threshold} entries that a batch needs {are} old "
            "enough"
        )
    first = verdict.first_fresh_in
    if first is None:
        return "no entry has a known age"
    days = counted(first, "active day")
    if verdict.report.shallow:
        return f"no entry is known to be old enough; the first will be in {days} at the latest"
    return f"no entry is old enough; the first will be in {days}"


def measured(verdict: Verdict, condition: Condition) -> str:
    """Return a condition's value in words."""
    never = "no consolidation known" if verdict.report.shallow else "never consolidated"
    if condition.value is None:
        return never
    if condition.unit:
        return counted(condition.value, condition.unit)
    bound = "≥ " if verdict.report.shallow else ""
    if condition.name == "batch":
        entries = counted(condition.value, "entry", "entries")
        return f"{bound}{entries} of {verdict.report.settings.freshness} or more active days"
    days = f"{bound}{counted(condition.value, 'active day')}"
    if condition.known:
        return f"{days} since the last consolidation"
    return f"{days} since the oldest entry ({never})"


def outlook(verdict: Verdict) -> str | None:
    """Return the forecast as a sentence; None without one, or if the file is due."""
    forecast = verdict.forecast
    if forecast is None or verdict.verdict == DUE:
        return None
    return f"due in {counted(forecast.due_in_active_days, 'active day')}: {forecast.because}"


def age(entry_age: EntryAge) -> str:
    """Return an age in words: `12 active days`, with ≥ for a lower bound."""
    if entry_age.active_days is None:
        return "unknown"
    bound = "≥ " if entry_age.lower_bound else ""
    return f"{bound}{counted(entry_age.active_days, 'active day')}"


def basis(origin: Origin, shown: Callable[[str], str]) -> str:
    """Return what an age rests on: `moved from x.md`; shown() writes a path for the format."""
    source = f" from {shown(origin.moved_from)}" if origin.moved_from else ""
    gap = ""
    if origin.gap is not None:
        left, back = ("an unknown day" if day == LATEST else day for day in origin.gap)
        gap = f" (left on {left}, back on {back})" if back else f" (left on {left})"
    return f"{origin.basis}{source}{gap}"


def next_step(verdict: Verdict) -> str | None:
    """Return the command to run next for a file, or None if no trigger holds."""
    if verdict.verdict == NOT_DUE:
        return None
    # What rests is in no plan.
    is_starved = verdict.verdict == STARVED and not verdict.report.resting
    every_entry = is_starved or verdict.is_oversize
    return plan_command(verdict.report.file, every_entry=every_entry)


def plan_command(file: str, *, every_entry: bool = False) -> str:
    """Return the command that writes the plan of a learnings file."""
    return f"learnings plan {shell_word(file)} {'--all ' * every_entry}--output {PLAN}"


def shell_word(path: str) -> str:
    r"""Return a path as one word of a shell command; invisible characters as in `$'\x1b'`."""
    if printable(path) == path:
        return shlex.quote(path)
    escaped = (
        character
        if printable(character) == character and character not in "'\\"
        else "".join(f"\\x{byte:02x}" for byte in encode(character))
        for character in path
    )
    return f"$'{''.join(escaped)}'"


def references_words(references: EntryReferences) -> str:
    """Return the number of dead references of an entry, empty if there are none."""
    if references.are_all_removed:
        return "all references dead"
    count = counted(references.known, "reference")
    return f"{len(references.dead)} of {count} dead" if references.dead else ""


def use_words(use: EntryUse) -> str:
    """Return when the files that an entry names were changed since it was written."""
    if use.last is None:
        return f"never, for {counted(use.idle, 'active day')}"
    return f"on {counted(use.active_days, 'active day')}, last on {use.last}"


def evidence_words(references: EntryReferences | None, use: EntryUse | None) -> Iterator[str]:
    """Yield the reasons to look at an entry, as clauses."""
    if references is not None and references.dead:
        yield references_words(references)
    if use is not None and use.is_long_unused:
        yield f"its files and commands did not change for {counted(use.idle, 'active day')}"
