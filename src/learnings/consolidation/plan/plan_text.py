"""Writes a plan as a self-explanatory Markdown file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from learnings.consolidation.plan.moving import place_now
from learnings.consolidation.plan.plan import (
    ADD,
    MERGE,
    MOVE,
    PLACE_HOLDER,
    Plan,
    PlanMember,
    PlanStep,
    fingerprint,
)
from learnings.consolidation.plan.plan_reading import (
    ENTRIES,
    MEMBER,
    RESULT,
    read_plan,
    with_decisions,
)
from learnings.consolidation.text.sections import TargetFile
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, decode, encode, newline_of, split_lines

DRAFT_MARKER = "<!-- draft: edit the lines below, then remove this line -->"
"""The line above a text that a program has composed and nobody has edited."""

_HEAD = """\
# Consolidation plan

File: {file}
Proposed: {proposed}

Edit how lines begin: `keep` (rests for {rest}), `move 1` or `move FILE#HEADING`,
`add to FILE#HEADING`, `drop REASON`, `merge NAME`, `merge into TITLE`, `escalate REASON`. Or write
such lines, of several digests, for `apply --decisions`. A text between ``` lines replaces entries:
indented below their line, or below `## merge NAME`. `plan --only DIGEST …` shows whole entries.
"""
# A run of backticks.
_TICKS = lazy_pattern("`+")


def plan_text(plan: Plan, *, keep_days: int, notes: Sequence[str] = ()) -> bytes:
    """Return the file of a plan; read_plan() is the inverse.

    keep_days are the active days for which kept entries rest, notes are sentences for its head. A
    subject, name or note is written on one line.
    """
    body = _body(plan)
    written = fingerprint(read_plan(encode(body)).plan.steps)
    head = _HEAD.format(
        file=plan.file,
        proposed=f"{written} {counts_of(plan)}".rstrip(),
        rest=counted(keep_days, "active day"),
    )
    remarks = "".join(f"> {note}\n" for note in notes)
    return encode("\n".join(filter(None, (head, remarks, body))))


def resumed(plan: Plan, earlier: Plan, targets: Sequence[TargetFile]) -> Plan:
    """Return a plan with the decisions of an applied one about entries that had to stay.

    If a split has moved a section since, the entries go to the file where it is now.
    """
    left = {member.digest for step in plan.steps for member in step.members} & {*earlier.skipped}
    steps = []
    for step in earlier.steps:
        members = tuple(PlanMember(m.digest, m.name) for m in step.members if m.digest in left)
        if members and step.subject != PLACE_HOLDER:
            subject = step.subject
            if step.action in (MOVE, ADD):
                subject = place_now(subject, members[0].name, targets)
            steps.append(step._replace(subject=subject, members=members))
    return (
        with_decisions(plan, encode(_body(Plan(plan.file, tuple(steps))))).plan if steps else plan
    )


def counts_of(plan: Plan) -> str:
    """Return the number of entries per action: `(keep 3, merge 2)`; empty without any."""
    counts = Counter(step.action.split()[0] for step in plan.steps for _ in step.members)
    numbers = ", ".join(f"{action} {count}" for action, count in counts.items())
    return f"({numbers})" if numbers else ""


def with_steps(data: bytes, plan: Plan) -> bytes:
    """Return the file of a plan with other steps below its unchanged head."""
    return _with_end(data, "## ", _body(plan))


def with_result(data: bytes, result: Sequence[str]) -> bytes:
    """Return the file of a plan with its outcome at the end; people's text stays unchanged.

    data is a file that read_plan() has parsed without a problem.
    """
    return _with_end(data, f"## {RESULT}\n", _result_section(result) if result else "")


def _with_end(data: bytes, start: str, end: str) -> bytes:
    """Return a text of which the end, from the first line that begins so, is another one."""
    text = decode(data)
    newline, lines = newline_of(text), split_lines(text)
    starts = (n for n, line in enumerate(lines) if f"{line.strip().casefold()}\n".startswith(start))
    above = "".join(lines[: next(starts, len(lines))]).rstrip()
    return encode(above + newline + f"\n{end}".replace("\n", newline) * bool(end))


def _body(plan: Plan) -> str:
    """Return the sections: one for each step with text or notes, one for all other entries."""
    sections, single = list[str](), list[str]()
    for step in plan.steps:
        is_below = len(step.members) == 1 and step.action in (MOVE, ADD)
        has_text = (step.text and not is_below) or step.is_draft
        # A reason with a digest in it could not be told from the line of an entry.
        is_unclear = not step.members or MEMBER.fullmatch(step.subject)
        if step.action == MERGE or step.notes or has_text or is_unclear:
            notes = [*(f"> {note}".rstrip() for note in step.notes), ""] if step.notes else []
            members = _member_lines(step, step.action.split()[0])
            text = ["", *_fenced(step)] if step.text or step.is_draft else []
            sections.append(_section(step.heading, (*notes, *members, *text)))
        else:
            single += _member_lines(step, step.heading.replace(MOVE, "move", 1))
            single += (f"  {line}" if line else "" for line in _fenced(step) if step.text)
    if single:
        sections.append(_section(ENTRIES.title(), single))
    if plan.result:
        sections.append(_result_section(plan.result))
    return "\n".join(sections)


def _member_lines(step: PlanStep, decision: str) -> Iterator[str]:
    for member in step.members:
        yield f"- {decision} `{member.digest}` {member.name}".rstrip()
        lines = (*member.notes, "", *member.quote) if member.quote else member.notes
        yield from (f"  > {line}".rstrip() for line in lines)


def _fenced(step: PlanStep) -> Sequence[str]:
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(step.text)), default=0))
    draft = (DRAFT_MARKER,) if step.is_draft else ()
    return (f"{fence}markdown", *draft, *(step.text.split("\n") if step.text else ()), fence)


def _result_section(lines: Sequence[str]) -> str:
    return _section(RESULT, [f"- {line}" for line in lines])


def _section(title: str, lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in (f"## {title}", "", *lines))
