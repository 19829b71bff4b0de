"""Parses a plan from its Markdown file, and names each problem with its line and remedy.

Each entry has a line: a verb with its argument, the digest, the name. A line without a verb takes
the action of the heading above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.plan.plan import (
    ADD,
    DROP,
    ESCALATE,
    JOIN,
    KEEP,
    MERGE,
    MOVE,
    PLACE_HOLDER,
    Plan,
    PlanMember,
    PlanProblem,
    PlanStep,
    fingerprint,
    identity_of,
)
from learnings.core.entries.document import DIGEST_LENGTH
from learnings.core.findings.finding import quoted
from learnings.core.markdown.line_kinds import end_of_fence
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, LINE_ENDS, decode, suggestion

ENTRIES, RESULT = "entries", "result"
"""Headings of sections that are not steps."""

_FORMS = {
    MERGE: "merge NAME",
    JOIN: "merge into ENTRY",
    MOVE: "move to FILE#HEADING",
    ADD: "add to FILE#HEADING",
    DROP: "drop REASON",
    KEEP: "keep",
    ESCALATE: "escalate REASON",
}
_STEPS = ", ".join(f"`## {form}`" for form in _FORMS.values())
_LINE_FORMS = {action: form.replace("move to", "move") for action, form in _FORMS.items()}
_DECISIONS = ", ".join(f"`{form}`" for form in _LINE_FORMS.values())
_VERBS = ("merge", "move", "add", "drop", "keep", "escalate")
# `File: agents/learnings.md`, perhaps with bold or code marks.
_FILE_LINE = lazy_pattern(r"[*_]*File[*_]*:[*_]*[ \t]+(`?)(.+?)\1")
# `Proposed: c0c0436faa2f (keep 3)`: the fingerprint of the steps as proposed.
_PROPOSED_LINE = lazy_pattern(rf"Proposed:[ \t]+([0-9a-f]{{{DIGEST_LENGTH}}})(?: .*)?")
# An ATX heading; group 1 its marks, group 2 its text.
_HEADING = lazy_pattern(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
# The action at the start of a heading or line, with a colon or not; group 2 is its subject.
_ACTION = lazy_pattern(
    r"(merge(?:[ \t]+into(?![\w-]))?|(?:move|add)(?:[ \t]+to(?![\w-]))?|drop|keep|escalate)"
    r"(?![\w-])[ \t]*:?[ \t]*(.*)",
    re.IGNORECASE,
)
# A list item; group 1 is its text, without the box of a task.
_ITEM = lazy_pattern(r"[ \t]*[-*+](?:[ \t]+(?:\[[ xX]\][ \t]+)?(.*))?")
MEMBER = lazy_pattern(rf"(.*?)`([0-9a-f]{{{DIGEST_LENGTH}}})`[ \t]*(.*)")
"""The line of an entry: group 1 its decision, then its digest as code, then its name."""
# A digest as code; a line may name several entries by digest alone.
_DIGEST = lazy_pattern(rf"`([0-9a-f]{{{DIGEST_LENGTH}}})`")
# A line that explains or quotes.
_NOTE = lazy_pattern(r"[ \t]*> ?(.*)")
# How a reader notes that two texts contradict each other.
_CONTRADICTION = lazy_pattern(r"contradiction(?:, escalate)?: .+", re.IGNORECASE)
# The number of a target among the notes of an entry, then the target.
_RANK = lazy_pattern(r"(\d{1,9}) (.+)")
# The line above a fenced text (group 1 its indentation), and a comment on one line.
_FENCE = lazy_pattern(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,}).*")
_COMMENT = lazy_pattern(r"[ \t]*<!--.*-->")
# The line that marks a draft, even if most of its words were deleted.
_DRAFT = lazy_pattern(r"[ \t]*<!--[ \t]*draft\b.*", re.IGNORECASE)

_NO_FILE = "the plan names no file; write `File: PATH` below its title"
_NO_PLAN = "this is not a plan; run `learnings plan FILE` to write one"
_NO_VERB = f"the line has no decision for the entry; begin it with {_DECISIONS}"
_NO_DIGEST = "the line names no entry; put its digest after the verb, as in `keep`"
_NO_STEP_FOR_TEXT = (
    "this text belongs to no step; indent it below the entry that moves, or put it under "
    "`## merge NAME`"
)


class PlanReading(NamedTuple):
    """A plan as far as it could be parsed, and its problems in line order.

    file_line is the line that names the file, 1-based; fingerprint covers the steps.
    """

    plan: Plan
    problems: tuple[PlanProblem, ...]
    file_line: int = 1
    fingerprint: str = ""


class _Line(NamedTuple):
    """A line with its number; for a fenced text its lines, without fences, and indentation."""

    number: int
    text: str
    fenced: tuple[str, ...] | None = None
    indent: str = ""

    @property
    def heading(self) -> tuple[str, str]:
        """The marks and the text of a heading, both empty for another line."""
        match = None if self.fenced is not None else _HEADING.fullmatch(self.text)
        return (match[1], match[2] or "") if match else ("", "")


@dataclass
class _Item:
    """The line of an entry, with the notes, quotation and text indented below."""

    line: int
    decision: str
    digest: str
    name: str
    notes: list[str] = field(default_factory=list)
    text: _Line | None = None

    @property
    def member(self) -> PlanMember:
        """The entry; an empty line separates its notes from the quotation.

        A contradiction that somebody has noted below the quotation is a note, too.
        """
        end = self.notes.index("") if "" in self.notes else len(self.notes)
        notes, quote = self.notes[:end], self.notes[end + 1 :]
        found = next((n for n, line in enumerate(quote) if _CONTRADICTION.fullmatch(line)), None)
        if found is not None:
            notes, quote = [*notes, *quote[found:]], quote[:found]
        return PlanMember(self.digest, self.name, tuple(notes), tuple(quote), self.line)


@dataclass
class _OpenStep:
    """A step to which lines are still added; a section that is not a step has no action."""

    line: int
    action: str = ""
    subject: str = ""
    members: list[PlanMember] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    texts: list[_Line] = field(default_factory=list)
    has_items: bool = False
    has_marker: bool = False

    def takes(self, action: str, subject: str) -> bool:
        """Return True if an entry's line repeats the action of the heading."""
        if action == MERGE and self.action == JOIN and not subject:
            return True
        is_same = identity_of(subject) in ("", identity_of(self.subject))
        return action == self.action and is_same

    @property
    def step(self) -> PlanStep:
        """The step with its first text, without the line that marks a draft."""
        lines = "\n".join((self.texts[0].fenced if self.texts else None) or ()).strip("\n")
        first, _, rest = lines.partition("\n")
        is_marked = _DRAFT.fullmatch(first) is not None
        return PlanStep(
            self.action,
            self.subject,
            tuple(self.members),
            tuple(self.notes),
            rest.strip("\n") if is_marked else lines,
            is_marked or self.has_marker,
            self.line,
        )


def read_plan(data: bytes, known: Mapping[str, PlanMember] | None = None) -> PlanReading:
    """Parse a plan; accepts any input, because problems are values.

    known are the entries of another plan by digest. The input then contains decisions about that
    plan; it need not name the file, and finds its ranked targets there.
    """
    problems: list[PlanProblem] = []
    lines = list(_joined_fences(LINE_ENDS.split(decode(data).removeprefix(BOM)), problems))
    starts = [index for index, line in enumerate(lines) if len(line.heading[0]) > 1]
    head = lines[: starts[0]] if starts else lines
    parts = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
    # Someone who removes their heading does not mean to remove the entries.
    entries = (index for index, line in enumerate(head) if MEMBER.search(line.text))
    parts.insert(0, [_Line(1, f"## {ENTRIES}"), *head[next(entries, len(head)) :]])
    named = ((_FILE_LINE.fullmatch(line.text), line.number) for line in head)
    file, file_line = next(((match[2], number) for match, number in named if match), ("", 1))
    if not file and known is None:
        problems.append(PlanProblem(1, _NO_FILE if starts else _NO_PLAN))
    reader, result = _StepReader(problems, known or {}), list[str]()
    for part in parts:
        if part[0].heading[1].casefold() == RESULT:
            result += (item[1] or "" for line in part if (item := _ITEM.fullmatch(line.text)))
        else:
            reader.read(part)
    steps = tuple(reader.steps())
    if not steps and not problems:
        problems.append(PlanProblem(len(lines), f"the plan has no step; add {_STEPS}"))
    found = fingerprint(steps)
    proposed = (match[1] for line in head if (match := _PROPOSED_LINE.fullmatch(line.text)))
    plan = Plan(file, steps, tuple(result), is_unedited=next(proposed, "") == found)
    return PlanReading(plan, tuple(sorted(problems)), file_line, found)


def with_decisions(plan: Plan, data: bytes) -> PlanReading:
    """Return a plan with the decisions of another file, which has the form of a plan.

    An entry that the file does not name keeps its decision. A merge of a name that the plan has
    gets its text. Problems have line numbers of the other file.
    """
    known = {member.digest: member for step in plan.steps for member in step.members}
    reading = read_plan(data, known)
    problems, edits = [*reading.problems], reading.plan.steps
    steps: dict[object, PlanStep] = {}
    decided = {member.digest for step in edits for member in step.members}
    for step in plan.steps:
        left = tuple(member for member in step.members if member.digest not in decided)
        steps[_key(step) or len(steps)] = step._replace(members=left)
    for step in edits:
        members = []
        for member in step.members:
            if member.digest not in known:
                message = f"the plan has no entry `{member.digest}`"
                problems.append(PlanProblem(member.line, message))
            old = known.get(member.digest, member)
            notes = (note for note in member.notes if note not in old.notes)
            members.append(old._replace(notes=(*old.notes, *notes)))
        key = _key(step) or len(steps)
        before = steps.get(key)
        if before is None and not members:
            message = f"the plan has no `{step.action} {step.subject}`; name its entries"
            problems.append(PlanProblem(step.line, message))
        if before is not None:
            text = (step if step.text else before).text, (step if step.text else before).is_draft
            members = [*before.members, *members]
            step = before._replace(text=text[0], is_draft=text[1])  # noqa: PLW2901
        steps[key] = step._replace(members=tuple(members))
    whole = tuple(step for step in steps.values() if step.members)
    plan = plan._replace(steps=whole, is_unedited=False)
    return reading._replace(plan=plan, problems=tuple(sorted(problems)))


def _key(step: PlanStep) -> tuple[str, str] | None:
    """Return what identifies a merge; any other step stands for itself."""
    return (step.action, step.subject.casefold()) if step.is_merge else None


def _joined_fences(texts: Sequence[str], problems: list[PlanProblem]) -> Iterator[_Line]:
    """Yield the lines, with each fenced text as one."""
    number = 0
    while number < len(texts):
        text = texts[number].rstrip()
        number += 1
        opening = _FENCE.fullmatch(text)
        if opening is None:
            yield _Line(number, text)
            continue
        end = end_of_fence(texts, number, opening[2])
        if end is None:
            message = f"the text that begins here has no end; add a line {opening[2]} below it"
            problems.append(PlanProblem(number, message))
            yield _Line(number, text, ())
            continue
        width = len(opening[1])
        inner = (
            line[min(width, len(line) - len(line.lstrip(" \t"))) :] for line in texts[number:end]
        )
        yield _Line(number, text, tuple(inner), opening[1])
        number = end + 1


class _StepReader:
    """Sorts the lines of sections into steps."""

    def __init__(self, problems: list[PlanProblem], known: Mapping[str, PlanMember]) -> None:
        self._known = known
        self._problems = problems
        self._open: list[_OpenStep] = []
        self._by_decision: dict[tuple[str, str], _OpenStep] = {}

    def steps(self) -> Iterator[PlanStep]:
        """Yield the steps in the order of their first lines, and record their problems."""
        for opened in self._open:
            step = opened.step
            if step.text and step.action in (DROP, KEEP, ESCALATE):
                message = f"`{step.action}` takes no text; remove it, or write `merge` or `move`"
                self._problem(opened.texts[0].number, message)
            for extra in opened.texts[1:]:
                message = "the step has two texts; join them between one pair of ``` lines"
                self._problem(extra.number, message)
            if not step.members and step.leaves and not self._known:
                if opened.has_items and (step.is_draft or not step.text):
                    continue  # all entries below the heading have other decisions
                message = "the step names no entry; list some below its heading, or remove it"
                self._problem(step.line, message)
            yield step

    def read(self, lines: Sequence[_Line]) -> None:
        """Add a section; its first line is the heading."""
        section = self._section(lines[0])
        if section is None:
            return
        items: list[_Item] = []
        for line in lines[1:]:
            self._read_line(line, section, items)
        section.has_items |= bool(items)
        for item in items:
            self._add(item, section)
        for text in () if section.action else section.texts:
            self._problem(text.number, _NO_STEP_FOR_TEXT)

    def _section(self, heading: _Line) -> _OpenStep | None:
        """Return the step that a heading begins; two sections of one merge are one step."""
        marks, text = heading.heading
        if text.casefold() == ENTRIES:
            return _OpenStep(heading.number)
        known = _ACTION.fullmatch(text)
        if known is None or marks != "##":
            self._problem(heading.number, _unknown_step(text, is_known=known is not None))
            return None
        action, subject = _decision_of(known)
        if not subject and action not in (KEEP, ESCALATE):
            message = f"`{action}` is incomplete; write `## {_FORMS[action]}`"
            self._problem(heading.number, message)
        if action not in (MERGE, JOIN) or subject == PLACE_HOLDER:
            return self._new_step(heading.number, action, subject)
        step = self._step_for(heading.number, action, subject)
        step.line = heading.number
        return step

    def _read_line(self, line: _Line, section: _OpenStep, items: list[_Item]) -> None:
        """Add a line to a section, or to the last of its entries."""
        last = items[-1] if items else None
        note = _NOTE.fullmatch(line.text)
        item = _ITEM.fullmatch(line.text)
        if line.fenced is not None:
            if line.indent and last is not None and last.decision and last.text is None:
                last.text = line
            else:
                section.texts.append(line)
        elif note is not None:
            (section if last is None else last).notes.append(note[1].rstrip())
        elif item is not None:
            match = MEMBER.fullmatch((item[1] or "").strip())
            decision, digest, name = match.groups() if match else ("", "", item[1] or "")
            others = _DIGEST.findall(name) if not _DIGEST.sub("", name).strip(" ,") else []
            own = "" if others else name
            items += (_Item(line.number, decision.strip(), one, own) for one in (digest, *others))
        elif _DRAFT.fullmatch(line.text):
            section.has_marker = True
        elif line.text.strip() and not _COMMENT.fullmatch(line.text):
            self._problem(line.number, _stray(line.text))

    def _new_step(self, line: int, action: str, subject: str) -> _OpenStep:
        self._open.append(_OpenStep(line, action, subject))
        return self._open[-1]

    def _step_for(self, line: int, action: str, subject: str) -> _OpenStep:
        """Return the step of all lines with the same decision."""
        key = action, identity_of(subject)
        if key not in self._by_decision:
            self._by_decision[key] = self._new_step(line, action, subject)
        return self._by_decision[key]

    def _add(self, item: _Item, section: _OpenStep) -> None:
        """Add an entry to the step that its line names, or else to that of its section."""
        if not item.decision:
            if section.action:
                section.members.append(item.member)
            else:
                self._problem(item.line, _NO_VERB if item.digest else _NO_DIGEST)
            return
        known = _ACTION.fullmatch(item.decision)
        if known is None:
            hint = _hint(item.decision.split()[0].casefold())
            message = f"{quoted(item.decision)} is not a decision; {hint}write {_DECISIONS}"
            self._problem(item.line, message)
            return
        action, subject = _decision_of(known)
        step = section
        if not section.takes(action, subject):
            if action in (MOVE, ADD) and subject.isdecimal():
                subject = self._ranked(item, subject)
            elif not subject and action not in (KEEP, ESCALATE):
                message = f"`{known[1]}` is incomplete; write `{_LINE_FORMS[action]}`"
                self._problem(item.line, message)
            is_own = action in (MOVE, ADD) and item.text is not None
            new = self._new_step if is_own else self._step_for
            step = new(item.line, action, subject)
        step.members.append(item.member)
        if item.text is not None and step.action in (MERGE, JOIN):
            message = f"a merge has one text; put it under `## {step.action} {step.subject}`"
            self._problem(item.text.number, message)
        elif item.text is not None:
            step.texts.append(item.text)

    def _ranked(self, item: _Item, number: str) -> str:
        """Return the target with a number among the notes of an entry."""
        known = self._known.get(item.digest)
        for note in item.member.notes or (known.notes if known else ()):
            rank = _RANK.fullmatch(note)
            if rank is not None and int(rank[1]) == int(number[:9]):
                return rank[2]
        message = f"no target {number} is listed below this entry; write `move FILE#HEADING`"
        self._problem(item.line, message)
        return ""

    def _problem(self, line: int, message: str) -> None:
        self._problems.append(PlanProblem(line, message))


def _decision_of(match: re.Match[str]) -> tuple[str, str]:
    words = " ".join(match[1].casefold().split())
    return {"move": MOVE, "add": ADD}.get(words, words), match[2].strip()


def _hint(word: str) -> str:
    near = suggestion(word, _VERBS)
    return f"{near} " if near else ""


def _unknown_step(text: str, *, is_known: bool) -> str:
    if is_known:
        return "a step has a heading of level 2; begin it with `## `"
    word = text.partition(" ")[0].rstrip(":")
    hint = _hint(word)
    return f"{quoted(text)} is not a step; {hint}write {_STEPS} (a text goes between ``` lines)"


def _stray(text: str) -> str:
    """Return the message for a line that is neither an entry nor an explanation."""
    entry = MEMBER.search(text)
    if entry is not None:
        line = re.sub(r"\A[\s\d.)]+", "", entry[0]).rstrip()
        return f"the line of an entry must begin with a dash and a blank; write - {line}"
    return (
        "this line is not part of a plan; begin it with > to make it a note, or put it between "
        "``` lines to insert it (longer ones if it contains such lines)"
    )
