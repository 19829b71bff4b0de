"""The body of a consolidation issue: a complete task for a person or a coding agent.

Ours are the words around; every text of an entry, a path or a finding is inert.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.app.consolidate.suggestions import Destination, Item, Section
from learnings.core.due.ages import EntryAge
from learnings.core.due.conditions import Condition
from learnings.core.due.triggers import Verdict
from learnings.core.findings.finding import counted
from learnings.surfaces.render import due_words
from learnings.surfaces.render.escape import block, cell, span

_MOST_ROWS = (40, 10, 0)  # of a list; fewer where the texts in it are very long


class Target(NamedTuple):
    """A file that entries can move to: its lines, and how many it may have."""

    path: str
    lines: int
    limit: int


class Task(NamedTuple):
    """What an issue is about; `titles_only` keeps the text of the entries out of it.

    destinations holds by the identity of an entry where it may go, the best first.
    """

    verdict: Verdict
    targets: tuple[Target, ...] = ()
    sections: tuple[Section, ...] = ()
    destinations: Mapping[str, tuple[Destination, ...]] = {}
    mention: str | None = None
    titles_only: bool = False


class Stamp(NamedTuple):
    """Where the task comes from; none of it makes a task another one."""

    commit: str
    moment: str
    run_url: str | None = None


def content(task: Task, room: int) -> str:
    """The task in at most `room` characters, shortened by whole entries, the youngest first.

    With too little room for a single entry it still has all that is not about entries.
    """
    batch = task.verdict.batch
    room -= _units(_missing(len(batch), task.verdict.report.file)) + 4
    head = _fitting_head(task, room)
    left = room - _units(head)
    shown: list[str] = []
    for number, each in enumerate(batch, start=1):
        text = _entry(number, each, task)
        left -= _units(text) + 2
        if left < 0:
            break
        shown.append(text)
    missing = len(batch) - len(shown)
    note = [_missing(missing, task.verdict.report.file)] if missing else []
    return "\n\n".join((head, *shown, *note))


def footer(stamp: Stamp) -> str:
    """The last line: commit, time and run."""
    run = f", [run]({stamp.run_url})" if stamp.run_url else ""
    return f"---\nWritten at {stamp.moment} for commit {span(stamp.commit[:12])}{run}."


def cleared(verdict: Verdict, stamp: Stamp) -> str:
    """The comment that says why consolidation is not due any more."""
    words = f"Not due any more: {_why_not(verdict)}."
    return f"{words} This is how it stands at commit {span(stamp.commit[:12])}."


def _why_not(verdict: Verdict) -> str:
    if verdict.switched_off:
        return "the verdict on this file is switched off by `due = false`"
    numbers = ", ".join(
        f"{due_words.measured(verdict, each)} (threshold {each.threshold})"
        for each in verdict.conditions
    )
    lead = "too few entries are old enough" if verdict.triggered else "no trigger holds"
    return f"{lead}: {numbers}"


def _fitting_head(task: Task, room: int) -> str:
    heads = ("\n\n".join(_head(task, most)) for most in _MOST_ROWS)
    head = ""
    for head in heads:
        if _units(head) <= room:
            break
    return head


def _head(task: Task, most: int) -> Iterator[str]:
    """All but the entries: why, what to do, where to, and what else is known."""
    verdict = task.verdict
    yield f"Consolidation of {span(verdict.report.file)} is due: {due_words.reason(verdict)}."
    if task.mention:
        yield task.mention
    yield "\n".join(_conditions(verdict))
    for note in verdict.report.history.notes:
        yield f"Note: {span(note)}"
    yield _work(task)
    yield _acceptance(task)
    yield from _targets(task, most)
    yield from (_section(each, most) for each in task.sections)
    count = counted(len(verdict.batch), "entry", "entries")
    yield f"## The batch\n\n{count}, oldest first. Ages are in days on which somebody committed."


def _conditions(verdict: Verdict) -> Iterator[str]:
    yield "| condition | value | threshold | met |"
    yield "|---|---|--:|---|"
    for each in verdict.conditions:
        yield _condition(verdict, each)


def _condition(verdict: Verdict, each: Condition) -> str:
    met = "yes" if each.met else "no"
    return f"| {each.name} | {due_words.measured(verdict, each)} | {each.threshold} | {met} |"


def _entry(number: int, each: EntryAge, task: Task) -> str:
    bound = "≥ " if each.lower_bound else ""
    told = [f"{bound}{each.active_days} active days", f"added {each.origin.date}"]
    told.append(f"line {each.entry.first}")
    title, age = span(each.entry.heading), ", ".join(told)
    where = _where(task.destinations.get(each.entry.identity, ()))
    if task.titles_only:
        return f"{number}. {title}: {age}{where and f'; {where}'}"
    text = each.entry.body if each.entry.level else each.entry.text
    body = [block(text)] if text.strip() else []
    suggested = [f"{where[0].upper()}{where[1:]}"] if where else []
    return "\n\n".join((f"### {number}. {title}", age, *body, *suggested))


def _where(destinations: Sequence[Destination]) -> str:
    if not destinations:
        return ""
    return f"could go to {' or '.join(map(_destination, destinations))}"


def _destination(destination: Destination) -> str:
    section = f", section {span(destination.section)}" if destination.section else ""
    return f"{span(destination.path)}{section}"


def _missing(number: int, file: str) -> str:
    are = "entry is" if number == 1 else "entries are"
    return (
        f"**{number} more {are} not shown**, since an issue has room for 65,536 characters. All of "
        f"the batch is printed by:\n\n{block(f'learnings batch {_shell(file)}', 'sh')}"
    )


def _section(section: Section, most: int) -> str:
    rows = [_item(each) for each in section.items[:most]]
    missing = len(section.items) - len(rows)
    more = [f"- {missing} more"] if missing else []
    return "\n".join((f"## {section.title}\n", *rows, *more))


def _item(item: Item) -> str:
    quotes = ", ".join(map(span, item.quotes))
    return f"- {item.words}{': ' if quotes and item.words else ''}{quotes}"


def _targets(task: Task, most: int) -> Iterator[str]:
    if not task.targets:
        return
    rows = [_target(each) for each in task.targets[:most]]
    missing = len(task.targets) - len(rows)
    more = [f"\n{missing} more target files"] if missing else []
    head = ("## Where entries can go\n", "| file | lines | limit | room |", "|---|--:|--:|--:|")
    yield "\n".join((*head, *rows, *more))


def _target(each: Target) -> str:
    room = max(0, each.limit - each.lines)
    return f"| {cell(each.path)} | {each.lines} | {each.limit} | {room} |"


def _work(task: Task) -> str:
    file = task.verdict.report.file
    return (
        "## What to do\n\n"
        "1. Take each entry of the batch in turn. What holds in general goes into the file where a "
        "reader will look for it, merged with what is there; what has been said already, or has "
        "turned out wrong, is dropped.\n"
        f"2. Take the entry out of {span(file)} in the same commit. Leave all other entries as "
        "they are.\n"
        "3. Open a pull request. This issue closes by itself once it is merged.\n\n"
        f"{block(_commands(_shell(file)), 'sh')}"
    )


def _commands(file: str) -> str:
    rows = (
        (f"learnings batch {file}", "the batch again, as it is now"),
        (f"learnings groups {file}", "entries that overlap, with the words they share"),
        (f"learnings route {file}", "where each entry may go, with the reasons"),
        (f"learnings due {file}", "what is still to be done, after the commit"),
        ("learnings check", "whether all files are sound"),
    )
    width = max(len(command) for command, _ in rows)
    return "\n".join(f"{command:{width}}   # {says}" for command, says in rows)


def _acceptance(task: Task) -> str:
    shell = _shell(task.verdict.report.file)
    return (
        "## Done when\n\n"
        f"- {span(f'learnings due --exit-code {shell}')} ends with 0 after the commit;\n"
        "- `learnings check` finds no error, and no target file is over its limit;\n"
        "- each lesson that still holds can be found in one place."
    )


def _shell(path: str) -> str:
    return shlex.quote(path)


def _units(text: str) -> int:
    """Characters as the strictest way of counting has them: two for what is no 16-bit one."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
