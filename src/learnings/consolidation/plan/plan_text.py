"""A plan as a self-explanatory Markdown file, and edits of its decisions written separately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from learnings.consolidation.plan.plan import (
    ADD,
    JOIN,
    MERGE,
    MOVE,
    Plan,
    PlanMember,
    PlanProblem,
    PlanStep,
)
from learnings.consolidation.plan.plan_reading import (
    ENTRIES,
    MEMBER,
    RESULT,
    TARGETS,
    PlanReading,
    read_plan,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, decode, encode, newline_of, split_lines

DRAFT_MARKER = "<!-- draft: edit the lines below, then remove this line -->"
"""The line above a text that a program has composed and nobody has edited."""

_HEAD = """\
# Consolidation plan

File: {file}
Proposed: {proposed}

Edit how lines begin, then run `learnings apply`: `keep` (rests for {rest}), `move 1` or
`move FILE#HEADING`, `add to FILE#HEADING`, `drop REASON`, `merge NAME`, `merge into TITLE`,
`escalate REASON`. Texts stand between ``` lines, below `## merge NAME` or indented. A deleted line
decides nothing. What leaves is archived.
"""
# A run of backticks.
_TICKS = lazy_pattern("`+")


def plan_text(plan: Plan, *, keep_days: int, notes: Sequence[str] = ()) -> bytes:
    """Return the file of a plan; read_plan() is the inverse.

    keep_days are the active days for which kept entries rest, notes are sentences for its head. A
    subject, name or note is written on one line.
    """
    body = "\n".join(_sections(plan))
    head = _HEAD.format(
        file=plan.file,
        proposed=" ".join(filter(None, (read_plan(encode(body)).fingerprint, counts_of(plan)))),
        rest=counted(keep_days, "active day"),
    )
    remarks = _joined(f"> {note}" for note in notes)
    return encode("\n".join(filter(None, (head, remarks, body))))


def with_steps(data: bytes, plan: Plan) -> bytes:
    """Return the file of a plan with other steps below its unchanged head."""
    text = decode(data)
    newline = newline_of(text)
    lines = split_lines(text)
    first = next((n for n, line in enumerate(lines) if line.startswith("## ")), len(lines))
    head = "".join(lines[:first]).rstrip() + newline * 2
    return encode(head + "\n".join(_sections(plan)).replace("\n", newline))


def counts_of(plan: Plan) -> str:
    """Return the number of entries per action: `(keep 3, merge 2)`; empty without any."""
    counts = Counter(step.action.split()[0] for step in plan.steps for _ in step.members)
    numbers = ", ".join(f"{action} {count}" for action, count in counts.items())
    return f"({numbers})" if numbers else ""


def with_result(data: bytes, result: Sequence[str]) -> bytes:
    """Return the file of a plan with its outcome at the end; people's text stays unchanged.

    data is a file that read_plan() has parsed without a problem.
    """
    text = decode(data)
    newline = newline_of(text)
    lines = split_lines(text)
    starts = (n for n, line in enumerate(lines) if line.strip().casefold() == f"## {RESULT}")
    above = "".join(lines[: next(starts, len(lines))]).rstrip()
    section = _result_section(result) if result else ""
    return encode(above + newline + f"\n{section}".replace("\n", newline) * bool(section))


def _result_section(lines: Sequence[str]) -> str:
    return _joined([f"## {RESULT}", "", *(f"- {line}" for line in lines)])


def _sections(plan: Plan) -> Iterator[str]:
    """Yield the sections: one for each step with text or notes, one for all other entries."""
    if plan.targets:
        yield _joined(
            [f"## {TARGETS.title()}", "", *(f"> {line}".rstrip() for line in plan.targets)]
        )
    single = [step for step in plan.steps if not _has_section(step)]
    yield from (_joined(_section_lines(step)) for step in plan.steps if _has_section(step))
    if single:
        lines: list[str] = []
        for step in single:
            lines += _member_lines(step, step.decision)
            if step.text:
                lines += (f"  {line}" if line else "" for line in _fenced(step))
        yield _joined([f"## {ENTRIES.title()}", "", *lines])
    if plan.result:
        yield _result_section(plan.result)


def _has_section(step: PlanStep) -> bool:
    is_below = len(step.members) == 1 and step.action in (MOVE, ADD) and not step.is_draft
    needs_one = step.notes or (step.text and not is_below) or step.is_draft or not step.members
    # A reason with a digest in it could not be told from the line of an entry.
    return bool(step.action == MERGE or needs_one or MEMBER.fullmatch(step.subject))


def _section_lines(step: PlanStep) -> Iterator[str]:
    yield f"## {step.heading}"
    yield ""
    if step.notes:
        yield from (f"> {note}".rstrip() for note in step.notes)
        yield ""
    yield from _member_lines(step, step.action.split()[0])
    if step.text or step.is_draft:
        yield ""
        yield from _fenced(step)


def _fenced(step: PlanStep) -> Iterator[str]:
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(step.text)), default=0))
    yield f"{fence}markdown"
    if step.is_draft:
        yield DRAFT_MARKER
    yield from (step.text.split("\n") if step.text else ())
    yield fence


def _member_lines(step: PlanStep, decision: str) -> Iterator[str]:
    for member in step.members:
        yield f"- {decision} `{member.digest}` {member.name}".rstrip()
        lines = (*member.notes, "", *member.quote) if member.quote else member.notes
        yield from (f"  > {line}".rstrip() for line in lines)


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def with_decisions(plan: Plan, data: bytes) -> PlanReading:
    """Return a plan with the decisions of another file, which has the form of a plan.

    An entry that the file does not name keeps its decision. A merge of a name that the plan has
    gets its text. Problems have line numbers of the other file.
    """
    known = {member.digest: member for step in plan.steps for member in step.members}
    reading = read_plan(data, known)
    unknown = [
        PlanProblem(member.line, f"the plan has no entry `{member.digest}`")
        for step in reading.plan.steps
        for member in step.members
        if member.digest not in known
    ]
    merges = {_key(step) for step in plan.steps if step.action in (MERGE, JOIN)}
    unknown += [
        PlanProblem(step.line, f"the plan has no `{step.action} {step.subject}`; name its entries")
        for step in reading.plan.steps
        if not step.members and _key(step) not in merges
    ]
    steps = tuple(_merged(plan, reading.plan, known))
    return reading._replace(
        plan=plan._replace(steps=steps, is_unedited=False),
        problems=tuple(sorted((*reading.problems, *unknown))),
    )


def _merged(plan: Plan, edits: Plan, known: Mapping[str, PlanMember]) -> Iterator[PlanStep]:
    decided = {member.digest for step in edits.steps for member in step.members}
    proposed = {_key(step) for step in plan.steps if step.action in (MERGE, JOIN)}
    texts = {_key(step): step for step in edits.steps if _key(step) in proposed}
    for step in plan.steps:
        members = tuple(member for member in step.members if member.digest not in decided)
        edit = texts.get(_key(step))
        if edit is not None:
            members += tuple(_known(member, known) for member in edit.members)
            if edit.text:
                step = step._replace(text=edit.text, is_draft=edit.is_draft)  # noqa: PLW2901
        if members:
            yield step._replace(members=members)
    for step in edits.steps:
        if _key(step) not in texts:
            yield step._replace(members=tuple(_known(member, known) for member in step.members))


def _known(member: PlanMember, known: Mapping[str, PlanMember]) -> PlanMember:
    """Return the plan's version of an entry, with the notes that were added to it."""
    old = known.get(member.digest, member)
    notes = (note for note in member.notes if note not in old.notes)
    return old._replace(notes=(*old.notes, *notes))


def _key(step: PlanStep) -> tuple[str, str]:
    return step.action, step.subject.casefold()
