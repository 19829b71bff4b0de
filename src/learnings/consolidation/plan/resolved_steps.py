"""The steps of a plan with the entries they still apply to, and the problems of steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from learnings.consolidation.plan.drafts import fault_of_draft, fault_of_name
from learnings.consolidation.plan.plan import (
    ADD,
    DROP,
    JOIN,
    MERGE,
    PLACE_HOLDER,
    Plan,
    PlanProblem,
    PlanStep,
    identity_of,
    member_of,
)
from learnings.core.entries.dialects import UNMERGEABLE, Dialect
from learnings.core.entries.document import Entry, digest_of
from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import outline_of
from learnings.core.text import nearest


def resolve(
    plan: Plan, entries: Sequence[Entry], archived: Collection[str], *, are_files: bool = False
) -> tuple[tuple[PlanStep, ...], tuple[PlanProblem, ...]]:
    """Return the steps of a plan with the entries of its file, and their problems by line.

    archived are the digests of the entries in the archives of the file; an entry that is there and
    not in the file was handled by an earlier run. are_files: entries leave one by one, so a killed
    run can have left some of the merged ones.
    """
    resolver = _Resolver(plan.file, entries, archived)
    steps = tuple(map(resolver.resolved, plan.steps))
    leaving = {entry.identity for step in steps if step.leaves for entry in step.entries}
    for step in steps:
        if step.is_merge and step.entries and step.done and not are_files:
            message = (
                f"{len(step.done)} of these entries already left the file, so one text cannot "
                "replace them all; remove them from the step"
            )
            resolver.problem(step.line, message)
        elif step.joined is not None and step.joined.identity in leaving:
            name = quoted(step.joined.title)
            resolver.problem(step.line, f"{name} leaves the file in this plan; name another entry")
    return steps, tuple(sorted(resolver.problems))


class _Resolver:
    """Finds entries by digest and by name, each one once."""

    def __init__(self, file: str, entries: Sequence[Entry], archived: Collection[str]) -> None:
        self.problems: list[PlanProblem] = []
        self._file, self._archived = file, archived
        self._by_digest = defaultdict[str, list[Entry]](list)
        for entry in entries:
            self._by_digest[digest_of(entry)].append(entry)
        # The name in a plan, the heading, the identity; of several entries the first.
        self._by_name = {
            **{identity_of(member_of(entry).name): entry for entry in reversed(entries)},
            **{identity_of(entry.heading): entry for entry in reversed(entries)},
            **{entry.identity: entry for entry in reversed(entries)},
        }
        self._lines: dict[str, int] = {}  # of the plan, by identity or by digest and name

    def problem(self, line: int, message: str) -> None:
        self.problems.append(PlanProblem(line, message))

    def resolved(self, step: PlanStep) -> PlanStep:
        entries, done = list[Entry](), []
        for member in step.members:
            name, same = identity_of(member.name), self._by_digest.get(member.digest, [])
            entry = self._by_name.get(name)
            if entry not in same:  # another one has that name, or the name was edited
                free = (one for one in same if one.identity not in self._lines)
                entry = next(free, same[0] if same else None)
            key = entry.identity if entry else f"{member.digest} {name}"
            first = self._lines.setdefault(key, member.line)
            if first != member.line:
                message = f"{quoted(member.name)} is also on line {first}; remove one of them"
                self.problem(member.line, message)
            elif entry is not None:
                entries.append(entry)
            elif member.digest in self._archived:
                done.append(member)
            elif step.leaves or name not in self._by_name:
                self.problem(member.line, self._unknown(member.name, member.digest))
        joined = None
        if step.action == JOIN and entries:
            name = step.subject.strip("`")
            joined = next(iter(self._by_digest.get(name, ())), self._by_name.get(identity_of(name)))
            if joined is None:
                self.problem(step.line, self._unknown(name, ""))
        return step._replace(entries=tuple(entries), done=tuple(done), joined=joined)

    def _unknown(self, name: str, digest: str) -> str:
        """Return why the file has no entry with this digest, or with this name."""
        key = identity_of(name)
        near = key if key in self._by_name else nearest(key, self._by_name)
        missing = f"there is no entry {quoted(name)} in {self._file}"
        if near is None:
            return f"{missing}; remove the line, or run `learnings plan` to make a new plan"
        member = member_of(self._by_name[near])
        line = f"write `{member.digest}` {member.name}"
        if near != key:
            return f"{missing}; if you meant the nearest, {line}"
        if not digest:
            return f"the entry has no digest; {line}"
        return f"{quoted(name)} has changed since the plan was made; read it again, then {line}"


def text_problems(
    steps: Sequence[PlanStep], dialect: Dialect, *, as_proposed: bool
) -> Iterator[PlanProblem]:
    """Yield the problems in texts and names of steps that take entries out of a file.

    A text may be missing, unedited, or not stay one entry of the file in this dialect.
    """
    for step in steps:
        if step.entries and step.leaves and step.action != DROP:
            faults = _faults(step, dialect, as_proposed=as_proposed)
            yield from (PlanProblem(step.line, fault) for fault in islice(faults, 1))


def _faults(step: PlanStep, dialect: Dialect, *, as_proposed: bool) -> Iterator[str]:
    if step.is_merge:
        yield from _faults_of_merge(step, dialect, as_proposed=as_proposed)
    elif step.action == ADD and not step.text.strip():
        yield (
            "there is no text to add; write it between ``` lines indented below the entry, or "
            "change it to `drop`"
        )
    outline = outline_of([f"{line}\n" for line in step.text.split("\n")])
    if not all(block.closed for block in outline.hiding_blocks):
        yield "the text has a code block or comment without an end; close it"
    level = dialect.level if step.is_merge else 0
    highest = min((heading.level for heading in outline.headings), default=level + 1)
    if level and highest <= level:
        yield (
            f"the text has a heading of level {highest}, which would begin another entry; write "
            f"it with {level + 1} # or more"
        )


def _faults_of_merge(step: PlanStep, dialect: Dialect, *, as_proposed: bool) -> Iterator[str]:
    heading = f"`## {step.heading}`"
    if dialect.name in UNMERGEABLE:
        yield (
            f"entries written as {dialect.name} cannot be merged; drop, move or keep each of "
            f"those below {heading}"
        )
    if step.lacks == "text":
        yield f"the merged entry has no text; write it between ``` lines below {heading}"
    if step.lacks == "name":
        yield f"the group has no name yet; write a title for {PLACE_HOLDER} in {heading}"
    if step.is_draft and not as_proposed:
        yield (
            "the text is an unedited draft; edit it, then remove the line `<!-- draft … -->`, or "
            "accept all drafts with --as-proposed"
        )
    name = fault_of_name(step.subject, step.entries) if step.action == MERGE else ""
    draft = fault_of_draft(step.text, step.entries) if step.is_draft else ""
    yield from filter(None, (name, draft))
