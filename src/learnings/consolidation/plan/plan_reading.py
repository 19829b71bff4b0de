"""Parses a plan from its Markdown file, and names each problem with its line and remedy.

Each entry has a line: a verb with its argument, the digest, the name. A line without a verb takes
the action of the heading above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
_DECISIONS = _STEPS.replace("## ", "").replace("move to", "move")
# `File: agents/learnings.md`, perhaps with bold or code marks.
_FILE_LINE = lazy_pattern(r"[*_]*File[*_]*:[*_]*[ \t]++(`?)(.+?)\1")
# `Proposed: c0c0436faa2f (keep 3)`: the fingerprint of the steps as proposed.
_PROPOSED_LINE = lazy_pattern(rf"Proposed:[ \t]+([0-9a-f]{{{DIGEST_LENGTH}}})(?: .*)?")
# An ATX heading; group 1 its marks, group 2 its text.
_HEADING = lazy_pattern(r" {0,3}(#{1,6})(?:[ \t]++(.*))?")
# The action at the start of a heading or line, with a colon or not; group 2 is its subject.
_ACTION = lazy_pattern(
    r"(merge(?:[ \t]+into(?![\w-]))?|(?:move|add)(?:[ \t]+to(?![\w-]))?|drop|keep|escalate)"
    r"(?![\w-])[ \t]*+:?[ \t]*+(.*)",
    re.IGNORECASE,
)
# A list item; group 1 is its text, without the box of a task.
_ITEM = lazy_pattern(r"[ \t]*[-*+](?:[ \t]++(?:\[[ xX]\][ \t]++)?(.*))?")
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
# The line above a fenced text; group 1 is its indentation. A comment on one line.
_FENCE = lazy_pattern(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,}).*")
_COMMENT = lazy_pattern(r"[ \t]*<!--.*-->")
# The line that marks a draft, even if most of its words were deleted.
_DRAFT = lazy_pattern(r"[ \t]*<!--[ \t]*draft\b.*", re.IGNORECASE)


class PlanReading(NamedTuple):
    """A plan as far as it could be parsed, and its problems in line order.

    file_line is the line that names the file, 1-based.
    """

    plan: Plan
    problems: tuple[PlanProblem, ...]
    file_line: int = 1


class _Line(NamedTuple):
    """A line with its number; a fenced text is one, with the text without fences."""

    number: int
    text: str
    fenced: str | None = None

    @property
    def heading(self) -> tuple[str, str]:
        """The marks and the text of a heading, both empty for another line."""
        match = None if self.fenced is not None else _HEADING.fullmatch(self.text)
        return (match[1], match[2] or "") if match else ("", "")


class _Row(NamedTuple):
    """The line of an entry, with the notes below, and the first text if it is indented.

    The entries of one line share them.
    """

    line: int
    decision: str
    digest: str
    name: str
    notes: list[str]
    texts: list[_Line]


class _Open:
    """A step and what is read for it; the section of entries is one without an action.

    is_known is True for a step of an earlier plan.
    """

    def __init__(self, step: PlanStep, *, is_known: bool = False) -> None:
        self.step, self.is_known = step, is_known
        self.members, self.notes = list[PlanMember](), list[str]()
        self.text: str | None = None
        self.text_line = 0
        self.is_draft = self.has_rows = False


def read_plan(data: bytes) -> PlanReading:
    """Parse a plan; accepts any input, because problems are values."""
    reader = _Reader(data, None)
    steps = tuple(reader.steps())
    named = ((_FILE_LINE.fullmatch(line.text), line.number) for line in reader.head)
    file, file_line = next(((match[2], number) for match, number in named if match), ("", 1))
    if not file and len(reader.head) == len(reader.lines):
        reader.problem(1, "this is not a plan; run `learnings plan FILE` to write one")
    elif not file:
        reader.problem(1, "the plan names no file; write `File: PATH` below its title")
    proposed = (m[1] for line in reader.head if (m := _PROPOSED_LINE.fullmatch(line.text)))
    is_unedited = next(proposed, "") == fingerprint(steps)
    plan = Plan(file, steps, tuple(reader.result), is_unedited)
    return PlanReading(plan, reader.sorted_problems(), file_line)


def with_decisions(plan: Plan, data: bytes) -> PlanReading:
    """Return a plan with the decisions of another file, which has the form of a plan.

    An entry that the file does not name keeps its decision. A merge of a name that the plan has
    gets its text. All line numbers are of the other file, 0 for what it does not have.
    """
    reader = _Reader(data, plan)
    plan = plan._replace(steps=tuple(reader.steps()), is_unedited=False)
    return PlanReading(plan, reader.sorted_problems())


class _Reader:
    """Sorts the lines of a plan into steps; those of decisions into the steps of an earlier plan.

    Decisions need not name the file, and find their ranked targets in the earlier plan.
    """

    def __init__(self, data: bytes, before: Plan | None) -> None:
        self.result: list[str] = []
        self._problems: list[PlanProblem] = []
        self._decides = before is not None
        self._open = [
            _Open(
                step._replace(line=0, members=tuple(one._replace(line=0) for one in step.members)),
                is_known=True,
            )
            for step in (before.steps if before else ())
        ]
        self._known = {one.digest: one for opened in self._open for one in opened.step.members}
        self._by_decision = {
            (opened.step.action, identity_of(opened.step.subject)): opened
            for opened in reversed(self._open)
            if opened.step.is_merge
        }
        self._is_empty = True
        self.lines = list(self._joined_fences(LINE_ENDS.split(decode(data).removeprefix(BOM))))
        starts = [index for index, line in enumerate(self.lines) if len(line.heading[0]) > 1]
        self.head = self.lines[: starts[0]] if starts else self.lines
        # Someone who removes their heading does not mean to remove the entries.
        entries = (index for index, line in enumerate(self.head) if MEMBER.match(line.text))
        below = self.head[next(entries, len(self.head)) :]
        self._read_section([_Line(1, f"## {ENTRIES}"), *below])
        for start, end in pairwise([*starts, len(self.lines)]):
            self._read_section(self.lines[start:end])

    def problem(self, line: int, message: str) -> None:
        self._problems.append(PlanProblem(line, message))

    def sorted_problems(self) -> tuple[PlanProblem, ...]:
        """Return the problems in line order; one that there is no step if there is no other."""
        if self._is_empty and not self._problems:
            self.problem(len(self.lines), f"the plan has no step; add {_STEPS}")
        return tuple(sorted({*self._problems}))

    def steps(self) -> Iterator[PlanStep]:
        """Yield the steps in the order of their first lines, and record their problems."""
        decided = {member.digest for opened in self._open for member in opened.members}
        for opened in self._open:
            step, is_known = opened.step, opened.is_known
            left = (member for member in step.members if member.digest not in decided)
            step = step._replace(members=(*left, *opened.members))
            if opened.text or not is_known:
                step = step._replace(text=opened.text or "", is_draft=opened.is_draft)
            if not is_known:
                step = step._replace(notes=tuple(opened.notes))
            are_elsewhere = opened.has_rows and (step.is_draft or not step.text)
            if step.members:
                yield step
            elif self._decides and not is_known:
                message = f"the plan has no `{step.action} {step.subject}`; name its entries"
                self.problem(step.line, message)
            elif not self._decides and not (step.leaves and are_elsewhere):
                if step.leaves:
                    message = "the step names no entry; list some below its heading, or remove it"
                    self.problem(step.line, message)
                yield step

    def _joined_fences(self, texts: Sequence[str]) -> Iterator[_Line]:
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
                self.problem(number, message)
                yield _Line(number, text.lstrip(), "")
                continue
            indent = rf"\A[ \t]{{0,{len(opening[1])}}}"
            inner = (re.sub(indent, "", line) for line in texts[number:end])
            yield _Line(number, text, "\n".join(inner))
            number = end + 1

    def _read_section(self, lines: Sequence[_Line]) -> None:
        title = lines[0].heading[1].casefold()
        if title == RESULT:
            found = (_ITEM.fullmatch(line.text) for line in lines)
            self.result += (match[1] or "" for match in found if match)
            return
        section = _Open(PlanStep("", "", ())) if title == ENTRIES else self._step_of(lines[0])
        if section is None:
            return
        rows: list[_Row] = []
        for line in lines[1:]:
            self._read_line(line, section, rows)
        section.has_rows |= bool(rows)
        for row in rows:
            self._add(row, section)

    def _step_of(self, line: _Line) -> _Open | None:
        """Return the step that a heading begins; two sections of one merge are one step."""
        marks, text = line.heading
        action, subject = _decision_of(text) or ("", "")
        if not action:
            hint = _hint(text.partition(" ")[0].rstrip(":"))
            what = f"{quoted(text)} is not a step; {hint}"
            self.problem(line.number, f"{what}write {_STEPS} (a text goes between ``` lines)")
            return None
        if marks != "##":
            self.problem(line.number, "a step has a heading of level 2; begin it with `## `")
            return None
        if not subject and action not in (KEEP, ESCALATE):
            self.problem(line.number, f"`{action}` is incomplete; write `## {_FORMS[action]}`")
        is_open = subject == PLACE_HOLDER and not self._decides
        is_own = action not in (MERGE, JOIN) or is_open
        step = self._step(line.number, action, subject, is_own=is_own)
        step.step = step.step._replace(line=line.number)
        return step

    def _step(
        self, line: int, action: str, subject: str, *, is_own: bool, texts: Sequence[_Line] = ()
    ) -> _Open:
        """Return a new step, or that of the same text, or of all lines with the same decision."""
        self._is_empty = False
        if is_own and texts and self._open[-1:] and self._open[-1].text_line == texts[0].number:
            return self._open[-1]
        new = _Open(PlanStep(action, subject, (), line=line))
        step = new if is_own else self._by_decision.setdefault((action, identity_of(subject)), new)
        if step is new:
            self._open.append(new)
        return step

    def _read_line(self, line: _Line, section: _Open, rows: list[_Row]) -> None:
        """Add a line to a section, or to the last of its entries."""
        last = rows[-1] if rows else None
        if line.fenced is not None:
            is_below = line.text[:1].isspace() and last and last.decision and not last.texts
            if is_below and last:
                last.texts.append(line)
            else:
                self._add_text(line, section)
        elif note := _NOTE.fullmatch(line.text):
            (last or section).notes.append(note[1].rstrip())
        elif item := _ITEM.fullmatch(line.text):
            match = MEMBER.fullmatch((item[1] or "").strip())
            decision, digest, name = match.groups() if match else ("", "", item[1] or "")
            is_join = section.step.action != JOIN and _decision_of(decision.strip()) == (JOIN, "")
            named = MEMBER.match(name)
            if is_join and named and not named[1]:  # the first digest is of the other entry
                decision, digest, name = f"{JOIN} {digest}", named[2], named[3]
            others = _DIGEST.findall(name) if not _DIGEST.sub("", name).strip(" ,") else []
            own = "" if others else name
            notes, texts = list[str](), list[_Line]()  # about all of them
            rows += (
                _Row(line.number, decision.strip(), one, own, notes, texts)
                for one in (digest, *others)
            )
        elif _DRAFT.fullmatch(line.text):
            section.is_draft = True
        elif line.text.strip() and not _COMMENT.fullmatch(line.text):
            self.problem(line.number, _stray(line.text))

    def _add(self, row: _Row, section: _Open) -> None:
        """Add an entry to the step that its line names, or else to that of its section."""
        action, subject = _decision_of(row.decision) or ("", "")
        own = section.step.action
        if row.decision and not action:
            hint = _hint(row.decision.split()[0].casefold())
            message = f"{quoted(row.decision)} is not a decision; {hint}write {_DECISIONS}"
            self.problem(row.line, message)
            return
        if not action and not own:
            message = f"the line has no decision for the entry; begin it with {_DECISIONS}"
            if not row.digest:
                message = "the line names no entry; put its digest after the verb, as in `keep`"
            self.problem(row.line, message)
            return
        same = identity_of(subject) in ("", identity_of(section.step.subject))
        repeats = same if action == own else action == MERGE and own == JOIN and not subject
        known, step = self._known.get(row.digest), section
        member = _member_of(row, known)
        if action and not repeats:
            if action in (MOVE, ADD) and subject.isdecimal():
                subject = self._ranked(row.line, member.notes, subject)
            elif not subject and action not in (KEEP, ESCALATE):
                form = _FORMS[action].replace("move to", "move")
                written = row.decision.rstrip(": \t")
                self.problem(row.line, f"`{written}` is incomplete; write `{form}`")
            is_own = action in (MOVE, ADD) and bool(row.texts)
            step = self._step(row.line, action, subject, is_own=is_own, texts=row.texts)
        if self._decides and known is None:
            self.problem(row.line, f"the plan has no entry `{row.digest}`")
        step.members.append(member)
        for text in row.texts:
            if step.step.is_merge:
                place = f"`## {step.step.action} {step.step.subject}`"
                self.problem(text.number, f"a merge has one text; put it under {place}")
            else:
                self._add_text(text, step)

    def _add_text(self, line: _Line, opened: _Open) -> None:
        """Add a fenced text to a step, without the line that marks a draft."""
        action = opened.step.action
        if opened.text_line == line.number:  # of another entry of the line
            return
        if not action:
            message = (
                "this text belongs to no step; indent it below the entry that moves, or put it "
                "under `## merge NAME`"
            )
            self.problem(line.number, message)
        elif opened.text is not None:
            message = "the step has two texts; join them between one pair of ``` lines"
            self.problem(line.number, message)
        else:
            opened.text, opened.text_line = (line.fenced or "").strip("\n"), line.number
            first, _, rest = opened.text.partition("\n")
            if _DRAFT.fullmatch(first):
                opened.text, opened.is_draft = rest.strip("\n"), True
            if opened.text and action in (DROP, KEEP, ESCALATE):
                message = f"`{action}` takes no text; remove it, or write `merge` or `move`"
                self.problem(line.number, message)

    def _ranked(self, line: int, notes: Sequence[str], number: str) -> str:
        """Return the target with a number among the notes of an entry."""
        for rank in filter(None, map(_RANK.fullmatch, notes)):
            if int(rank[1]) == int(number[:9]):
                return rank[2]
        message = f"no target {number} is listed below this entry; write `move FILE#HEADING`"
        self.problem(line, message)
        return ""


def _member_of(row: _Row, known: PlanMember | None) -> PlanMember:
    """Return the entry of a row; if it is known from another plan, as there, with more notes.

    A blank line separates its notes from the quotation. A contradiction noted below the quotation
    counts as a note.
    """
    end = row.notes.index("") if "" in row.notes else len(row.notes)
    notes, quote = row.notes[:end], row.notes[end + 1 :]
    found = next((n for n, line in enumerate(quote) if _CONTRADICTION.fullmatch(line)), None)
    if found is not None:
        notes, quote = [*notes, *quote[found:]], quote[:found]
    if known is not None:
        more = (note for note in notes if note not in known.notes)
        return known._replace(notes=(*known.notes, *more), line=row.line)
    return PlanMember(row.digest, row.name, tuple(notes), tuple(quote), row.line)


def _decision_of(text: str) -> tuple[str, str] | None:
    """Return the action and the subject with which a heading or line begins."""
    match = _ACTION.fullmatch(text)
    if match is None:
        return None
    words = " ".join(match[1].casefold().split())
    return {"move": MOVE, "add": ADD}.get(words, words), match[2].strip()


def _hint(word: str) -> str:
    near = suggestion(word, dict.fromkeys(form.split()[0] for form in _FORMS.values()))
    return f"{near} " if near else ""


def _stray(text: str) -> str:
    """Return the message for a line that is neither an entry nor an explanation."""
    entry = MEMBER.match(text)
    if entry is not None:
        line = re.sub(r"\A[\s\d.)]+", "", entry[0]).rstrip()
        return f"the line of an entry must begin with a dash and a blank; write - {line}"
    return (
        "this line is not part of a plan; begin it with > to make it a note, or put it between "
        "``` lines to insert it (longer ones if it contains such lines)"
    )
