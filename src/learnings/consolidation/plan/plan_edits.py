"""Merges separately written decisions into a plan; only the entries they name change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from learnings.consolidation.plan.plan import JOIN, MERGE, Plan, PlanMember, PlanProblem, PlanStep
from learnings.consolidation.plan.plan_reading import PlanReading, read_plan


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
