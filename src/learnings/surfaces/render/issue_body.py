"""The body of a consolidation issue: a complete task for a person or a coding agent.

Every text of an entry, path or finding is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.app.consolidate.inputs import TargetRoom
from learnings.app.consolidate.suggestions import Suggestions
from learnings.app.setup.origin import origin, pipx_command
from learnings.consolidation.checks.precheck import ADD, DROP, ESCALATE, Precheck
from learnings.core.due.ages import EntryAge
from learnings.core.due.verdicts import NOT_DUE, Verdict
from learnings.core.entries.document import Entry
from learnings.core.file_names import PLAN
from learnings.core.settings.setting_values import TITLES, IssueSettings
from learnings.core.text import counted, printable, short_commit
from learnings.forms import verdict_words
from learnings.forms.memory_form import FormStatus
from learnings.forms.verdict_words import plan_command, shell_word
from learnings.surfaces.render.writing import block, cell, span, table


class IssueTask(NamedTuple):
    """The content of an issue; forms are the statuses of other memory that also count."""

    verdict: Verdict
    targets: tuple[TargetRoom, ...] = ()
    suggestions: Suggestions = Suggestions()
    settings: IssueSettings = IssueSettings()
    forms: tuple[FormStatus, ...] = ()


# Rows of each list, tried in turn until the head fits. Chosen: 40 is above the number of target
# files in a repository; 10 and 0 leave room for entries if texts are long.
_MOST_ROWS = (40, 10, 0)
# The footer without the link: `Written at 2026-03-11 14:05 UTC for commit `1a2b3c4``.
_FOOTER = r"---\nWritten at \d{4}-\d\d-\d\d \d\d:\d\d UTC for commit `[0-9a-f]{7,64}`"


def content(task: IssueTask, room: int) -> str:
    """Return the task in at most `room` characters, if necessary without the youngest entries.

    An entry is shown completely or not at all; the head is always shown.
    """
    batch = task.verdict.batch
    room -= length(_missing_sentence(len(batch), task.verdict.report.file)) + 4
    head = ""
    for most in _MOST_ROWS:  # the shortest one if none fits
        head = "\n\n".join(_head_parts(task, most))
        if length(head) <= room:
            break
    left = room - length(head)
    shown: list[str] = []
    for number, entry_age in enumerate(batch, start=1):
        text = _entry(number, entry_age, task)
        left -= length(text) + 2
        if left < 0:
            break
        shown.append(text)
    missing = len(batch) - len(shown)
    note = [_missing_sentence(missing, task.verdict.report.file)] if missing else []
    return "\n\n".join((head, *shown, *note))


def footer(commit: str, moment: str, run_url: str | None) -> str:
    """Return what is not part of the task; moment has a form such as `2026-03-11 14:05 UTC`."""
    run = f", [run]({run_url})" if run_url else ""
    return f"---\nWritten at {moment} for commit {span(short_commit(commit))}{run}."


def is_footer(text: str, *, runs_url: str) -> bool:
    """Return True if a text is the footer of a run; its link must point to a run."""
    run = rf"(?:, \[run\]\({re.escape(runs_url)}\d+\))?" if runs_url else ""
    return re.fullmatch(f"{_FOOTER}{run}\\.", text, flags=re.ASCII) is not None


def closing_comment(verdict: Verdict) -> str:
    if verdict.switched_off:
        reason = "`due = false` turns off the verdict on this file"
    else:
        numbers = ", ".join(
            f"{verdict_words.measured(verdict, condition)} (threshold {condition.threshold})"
            for condition in verdict_words.shown_conditions(verdict)
        )
        lead = "too few entries are old enough" if verdict.batch else "no entry is old enough"
        lead = verdict_words.remark(verdict) if verdict.verdict == NOT_DUE else lead
        reason = f"{lead}: {numbers}"
    head = span(short_commit(verdict.report.head))
    return f"No longer due: {reason}. This is the state at commit {head}."


def length(text: str) -> int:
    """Return the length in UTF-16 units, the strictest count of characters."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _head_parts(task: IssueTask, most: int) -> Iterator[str]:
    """Yield the parts, with at most `most` rows in each list."""
    verdict = task.verdict
    yield f"Consolidation of {span(verdict.report.file)} is due: {verdict_words.reason(verdict)}."
    if task.settings.mention:  # a line of Markdown
        yield task.settings.mention
    yield _condition_table(task)
    for note in verdict.report.notes:
        yield f"Note: {span(note)}"
    waiting = verdict_words.waiting(verdict)
    if waiting:
        rows = [f"- {span(line)}" for line in waiting]
        yield _titled_list("Waiting for a decision", rows, most)
    yield _work(verdict.report.file)
    if task.targets:
        yield _targets(task.targets, most)
    suggested, with_evidence = task.suggestions, task.settings.body != TITLES
    findings = [_finding(finding, with_evidence=with_evidence) for finding in suggested.findings]
    groups = [f"- {', '.join(map(_marked, group))}" for group in suggested.groups]
    for title, rows in (("To settle first", findings), ("Entries that overlap", groups)):
        if rows:
            yield _titled_list(title, rows, most)
    count = counted(len(verdict.batch), "entry", "entries")
    yield f"## The batch\n\n{count}, oldest first. Ages are in days with at least one commit."


def _titled_list(title: str, rows: Sequence[str], most: int) -> str:
    more = [f"- {len(rows) - most} more"] if len(rows) > most else []
    return "\n".join((f"## {title}\n", *rows[:most], *more))


def _condition_table(task: IssueTask) -> str:
    verdict = task.verdict
    rows: list[Sequence[object]] = [
        (one.name, verdict_words.measured(verdict, one), one.threshold, "yes" if one.met else "no")
        for one in verdict_words.shown_conditions(verdict)
    ]
    for form in task.forms:
        action = f"{form.reason}: {span(form.next or '')}"
        rows.append((span(form.path), action, form.threshold, "yes"))
    return "\n".join(table(("condition", "value", ":threshold", "met"), rows))


def _work(file: str) -> str:
    source = origin()
    install = ", run `pipx install .` in a clone of it"
    if source and not source.is_local:
        install = f": `{pipx_command(source)}`"
    return (
        "## What to do\n\n1. `learnings plan` writes a worksheet with a line for each "
        "entry of the batch. Edit the first word of each line: `merge` entries that "
        "say the same thing; `move` general rules to the file where a reader will look for "
        "them; `drop` entries that are repeated or proved wrong, with the reason; "
        "`keep` or `escalate` the rest.\n2. `learnings apply` applies the plan. "
        f"It moves every entry that leaves {span(file)} to the archive, word for word, "
        "and records which entries you decided to keep.\n3. `learnings verify` proves "
        "that nothing is lost. Commit the files that `apply` names, including the "
        "archive, and open a pull or merge request. Once it is merged and "
        "consolidation is no longer due, this issue closes "
        f"automatically.\n\n{block(_commands(file), 'sh')}\n\nIf `learnings` is not "
        f"installed{install}.\n\n## Done when\n\n- every "
        f"entry below has left {span(file)}, or is kept or escalated by decision;\n- "
        "`learnings verify --base HEAD` exits with 0 before the commit;\n- `learnings "
        "check` finds no error, and no target file is over its limit."
    )


def _commands(file: str) -> str:
    rows = (
        (plan_command(file), "propose a plan to edit"),
        (f"learnings apply {PLAN} --stage", "apply the edited plan"),
        ("learnings verify --base HEAD", "prove that nothing is lost, before the commit"),
        ("learnings check", "check all files"),
    )
    width = max(len(command) for command, _ in rows)
    return "\n".join(f"{command:{width}}   # {purpose}" for command, purpose in rows)


def _targets(targets: tuple[TargetRoom, ...], most: int) -> str:
    rows = (
        (cell(path), lines, limit, max(0, limit - lines)) for path, lines, limit in targets[:most]
    )
    shown = "\n".join(table(("file", ":lines", ":limit", ":room"), rows))
    more = len(targets) - most
    left_out = f"\n\n{counted(more, 'more target file')}" if more > 0 else ""
    return f"## Where entries can go\n\n{shown}{left_out}"


_ACTIONS = {DROP: "to drop", ADD: "to add to its section", ESCALATE: "to decide"}


def _finding(finding: Precheck, *, with_evidence: bool) -> str:
    against = finding.against
    row = f"- {_ACTIONS[finding.action]} ({finding.check}): {_marked(finding.entry)}"
    if against.entry is not None:
        row += f"; newer: {span(against.entry.heading)}"
    elif against.target is not None:
        place = f"{against.target}:{against.line} {against.section or ''}"
        row += f"; against: {span(place.rstrip())}"
    evidence = finding.evidence if with_evidence else ()
    return "\n".join((row, *(f"  - {span(line)}" for line in evidence)))


def _marked(entry: Entry) -> str:
    return f"{span(entry.heading)}{' (superseded)' if entry.superseded else ''}"


def _entry(number: int, entry_age: EntryAge, task: IssueTask) -> str:
    entry, origin = entry_age.entry, entry_age.origin
    title = span(entry.heading)
    facts = f"{verdict_words.age(entry_age)}, added {origin.date}, {printable(entry.place)}"
    if entry.superseded:
        facts += ", superseded"
    destinations = task.suggestions.destinations.get(entry.identity, ())
    places = (
        span(section.path) + (f", section {span(section.title)}" if section.title else "")
        for section in destinations
    )
    where = f"could go to {' or '.join(places)}" if destinations else ""
    if task.settings.body == TITLES:
        return f"{number}. {title}: {facts}{where and f'; {where}'}"
    text = entry.body if entry.level else entry.text
    body = [block(text)] if text.strip() else []
    suggested = [f"{where[0].upper()}{where[1:]}"] if where else []
    return "\n\n".join((f"### {number}. {title}", facts, *body, *suggested))


def _missing_sentence(number: int, file: str) -> str:
    are = "is" if number == 1 else "are"
    return (
        f"**{counted(number, 'more entry', 'more entries')} {are} not shown**, because "
        "an issue holds only 65,536 characters. To print the whole "
        f"batch:\n\n{block(f'learnings batch {shell_word(file)}', 'sh')}"
    )
