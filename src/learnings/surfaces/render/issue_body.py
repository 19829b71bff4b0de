"""The body of a consolidation issue: a complete task for a person or a coding agent.

The sentences are ours; every text of an entry, a path or a finding is escaped.
"""

from __future__ import annotations

import re

from learnings.core.due.triggers import NOT_DUE, Verdict
from learnings.core.text import short_commit
from learnings.surfaces.render import due_words, issue_entries, issue_head
from learnings.surfaces.render.escape import span
from learnings.surfaces.render.issue_task import Stamp, Task

# Rows of each list that are tried one after the other until the head fits. Chosen: 40 is more than
# repositories have target files; 10 and none for texts so long that the entries would lack room.
_MOST_ROWS = (40, 10, 0)
# What footer() gives, without the link: `Written at 2026-03-11 14:05 UTC for commit `1a2b3c4``.
_FOOTER = r"---\nWritten at \d{4}-\d\d-\d\d \d\d:\d\d UTC for commit `[0-9a-f]{7,64}`"


def content(task: Task, room: int) -> str:
    """Return the task in at most `room` characters, without the youngest entries if need be.

    An entry is shown as a whole or not at all. Where there is no room for a single one, the head is
    still there.
    """
    batch = task.verdict.batch
    room -= length(issue_entries.missing(len(batch), task.verdict.report.file)) + 4
    head = _fitting_head(task, room)
    left = room - length(head)
    shown: list[str] = []
    for number, entry_age in enumerate(batch, start=1):
        text = issue_entries.render(number, entry_age, task)
        left -= length(text) + 2
        if left < 0:
            break
        shown.append(text)
    missing = len(batch) - len(shown)
    note = [issue_entries.missing(missing, task.verdict.report.file)] if missing else []
    return "\n\n".join((head, *shown, *note))


def footer(stamp: Stamp) -> str:
    """Return the last line: commit, time and run."""
    run = f", [run]({stamp.run_url})" if stamp.run_url else ""
    return f"---\nWritten at {stamp.moment} for commit {span(short_commit(stamp.commit))}{run}."


def is_footer(text: str, *, runs_url: str) -> bool:
    """Return True if a text can be the footer of any run; its link has to lead to one."""
    run = rf"(?:, \[run\]\({re.escape(runs_url)}\d+\))?" if runs_url else ""
    return re.fullmatch(f"{_FOOTER}{run}\\.", text, flags=re.ASCII) is not None


def closing_comment(verdict: Verdict, stamp: Stamp) -> str:
    """Return the comment that says why consolidation is not due any more."""
    words = f"Not due any more: {_why_not(verdict)}."
    return f"{words} This is how it stands at commit {span(short_commit(stamp.commit))}."


def _why_not(verdict: Verdict) -> str:
    if verdict.switched_off:
        return "the verdict on this file is switched off by `due = false`"
    numbers = ", ".join(
        f"{due_words.measured(verdict, condition)} (threshold {condition.threshold})"
        for condition in verdict.conditions
    )
    return f"{_lead(verdict)}: {numbers}"


def _lead(verdict: Verdict) -> str:
    if not verdict.report.entries:
        return "the file has no entries"
    if verdict.verdict == NOT_DUE:
        return "no trigger holds"
    return "too few entries are old enough" if verdict.batch else "no entry is old enough"


def _fitting_head(task: Task, room: int) -> str:
    """Return the head with the longest lists that leave it in the room, else the shortest one."""
    for most in _MOST_ROWS[:-1]:
        head = issue_head.render(task, most)
        if length(head) <= room:
            return head
    return issue_head.render(task, _MOST_ROWS[-1])


def length(text: str) -> int:
    """Return the length in units of UTF-16, the strictest way of counting characters."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
