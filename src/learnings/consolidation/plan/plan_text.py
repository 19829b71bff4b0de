"""A plan as a Markdown file that explains itself: written, and read again after people edit it.

Reading reports every problem with its line and its remedy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.plan.plan import (
    DROP,
    ESCALATE,
    KEEP,
    MERGE,
    MOVE,
    Plan,
    PlanMember,
    PlanProblem,
    PlanStep,
)
from learnings.core.entries.digests import DIGEST_LENGTH
from learnings.core.findings.finding import quoted
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, LINE_ENDS, decode, encode, newline_of, split_lines, suggestion

RESULT = "result"
"""The heading of the section that says what was done."""

DRAFT_MARKER = "<!-- draft: edit the lines below, then remove this line -->"
"""The line above a text that a program has put together and nobody has edited."""

_HEAD = """\
# Consolidation plan

File: {file}
Proposed: {proposed}

Each section is one step; `learnings apply` takes all of them or none. Its heading says what becomes
of the entries listed below it:

- `## merge NAME`: they become one entry, NAME, with the text between the ``` lines.
- `## move to FILE#HEADING`: they go to that section of a target file, or with FILE alone to its
  end: word for word, or as the text between the ``` lines if there is one.
- `## drop REASON`: they leave the file.
- `## keep REASON`: they stay, and are in no batch for some time; the reason may be left out.
- `## escalate REASON`: they stay, and wait until a person decides.

An entry whose line you remove stays undecided. As long as nothing here is edited, nobody has judged
it and `learnings apply` refuses it; with `--keep-all` you say that you have. What leaves the file
goes to its archive, word for word. Edit headings and texts, and move the lines of entries from one
section to another as they are: the code before a title is the digest of the entry. Lines that begin
with > explain, and change nothing. A finding `look` asks you to read both sides: if they contradict
each other, escalate the entry.
"""
# A run of backticks.
_TICKS = lazy_pattern("`+")


def plan_text(plan: Plan) -> bytes:
    """Return the file of a plan; read_plan() gives the plan back.

    A subject, name or note is written on one line.
    """
    sections = "\n".join(map(_step_section, plan.steps))
    proposed = plan.proposed or read_plan(encode(sections)).plan.fingerprint
    head = _HEAD.format(file=plan.file, proposed=proposed)
    parts = [head, *([sections] if sections else [])]
    if plan.result:
        parts.append(_result_section(plan.result))
    return encode("\n".join(parts))


def with_result(data: bytes, result: Sequence[str]) -> bytes:
    """Return the file of a plan with what was done at its end; what people wrote stays as it is.

    data is a file that read_plan() has read without a problem.
    """
    text = decode(data)
    newline = newline_of(text)
    lines = split_lines(text)
    starts = (n for n, line in enumerate(lines) if line.strip().casefold() == f"## {RESULT}")
    above = "".join(lines[: next(starts, len(lines))]).rstrip()
    section = _result_section(result) if result else ""
    return encode(above + newline + f"\n{section}".replace("\n", newline) * bool(section))


def _result_section(lines: Sequence[str]) -> str:
    return _joined_lines([f"## {RESULT}", "", *(f"- {line}" for line in lines)])


def _step_section(step: PlanStep) -> str:
    return _joined_lines(_section_lines(step))


def _section_lines(step: PlanStep) -> Iterator[str]:
    yield f"## {step.heading}"
    yield ""
    yield from (f"- `{member.digest}` {member.name}".rstrip() for member in step.members)
    if step.notes:
        yield ""
        yield from (f"> {note}".rstrip() for note in step.notes)
    if step.text or step.is_draft:
        fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(step.text)), default=0))
        yield from ("", f"{fence}markdown")
        if step.is_draft:
            yield DRAFT_MARKER
        yield from (step.text.split("\n") if step.text else ())
        yield fence


def _joined_lines(lines: list[str] | Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


_FORMS = {
    MERGE: "`## merge NAME`",
    MOVE: "`## move to FILE#HEADING`",
    DROP: "`## drop REASON`",
    KEEP: "`## keep`",
    ESCALATE: "`## escalate REASON`",
}
_ACTIONS = ", ".join(_FORMS.values())
# `File: agents/learnings.md`, perhaps with the marks of bold or code.
_FILE_LINE = lazy_pattern(r"[*_]*File[*_]*:[*_]*[ \t]+(`?)(.+?)\1")
# `Proposed: c0c0436faa2f`: the fingerprint of the steps as they were written.
_PROPOSED_LINE = lazy_pattern(rf"Proposed:[ \t]+([0-9a-f]{{{DIGEST_LENGTH}}})")
# An ATX heading; group 1 its marks, group 2 its text.
_HEADING = lazy_pattern(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
# The action at the beginning of a heading, with a colon or not; group 2 is its subject.
_ACTION = lazy_pattern(
    r"(merge|move[ \t]+to|drop|keep|escalate)(?![\w-])[ \t]*:?[ \t]*(.*)", re.IGNORECASE
)
# An item of a list; group 1 is its text, the box of a task left out.
_ITEM = lazy_pattern(r"[ \t]*[-*+](?:[ \t]+(?:\[[ xX]\][ \t]+)?(.*))?")
# A member: its digest as code, then its identity.
_MEMBER = lazy_pattern(rf"`([0-9a-f]{{{DIGEST_LENGTH}}})`[ \t]*(.*)")
_NOTE = lazy_pattern(r" {0,3}> ?(.*)")
# The line above a fenced text, and a comment on one line.
_FENCE = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,}).*")
_COMMENT = lazy_pattern(r"[ \t]*<!--.*-->")
# The line that marks a draft, however much of its words is left.
_DRAFT = lazy_pattern(r"[ \t]*<!--[ \t]*draft\b.*", re.IGNORECASE)


class PlanReading(NamedTuple):
    """A plan as far as it could be read, and what is wrong with it, in the order of the lines.

    file_line is the one that names the file, 1-based.
    """

    plan: Plan
    problems: tuple[PlanProblem, ...]
    file_line: int = 1


class _Line(NamedTuple):
    """A line of a section with its number; of a fenced text the lines, without the fences."""

    number: int
    text: str
    fenced: tuple[str, ...] | None = None


def read_plan(data: bytes) -> PlanReading:
    """Read a plan; there is no input that it refuses, since problems are values."""
    problems: list[PlanProblem] = []
    lines = list(_joined_fences(LINE_ENDS.split(decode(data).removeprefix(BOM)), problems))
    starts = [index for index, line in enumerate(lines) if _is_step_heading(line)]
    sections = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
    head = lines[: starts[0]] if starts else lines
    result = [section for section in sections if _is_result(section[0])]
    steps = [_step(section, problems) for section in sections if not _is_result(section[0])]
    file, file_line = _file(head)
    if not file:
        problems.append(PlanProblem(1, _NO_FILE if starts else _NO_PLAN))
    plan = Plan(
        file,
        tuple(step for step in steps if step is not None),
        tuple(text for section in result for text in _items(section)),
        _proposed(head),
    )
    if not plan.steps and not problems:
        problems.append(PlanProblem(len(lines), f"the plan has no step; add {_ACTIONS}"))
    return PlanReading(plan, tuple(sorted(problems)), file_line)


def _joined_fences(texts: Sequence[str], problems: list[PlanProblem]) -> Iterator[_Line]:
    """Give the lines with each fenced text as one."""
    number = 0
    while number < len(texts):
        text = texts[number].rstrip()
        number += 1
        opening = _FENCE.fullmatch(text)
        if opening is None:
            yield _Line(number, text)
            continue
        end = _end_of_fence(texts, number, opening[1])
        if end is None:
            message = f"the text that begins here has no end; put {opening[1]} on a line below it"
            problems.append(PlanProblem(number, message))
            yield _Line(number, text, ())
            continue
        yield _Line(number, text, tuple(texts[number:end]))
        number = end + 1


def _end_of_fence(texts: Sequence[str], start: int, marks: str) -> int | None:
    """Return the index of the line that closes a fence, None for none."""
    for index in range(start, len(texts)):
        text = texts[index].strip()
        if len(text) >= len(marks) and set(text) == {marks[0]}:
            return index
    return None


def _is_step_heading(line: _Line) -> bool:
    heading = _HEADING.fullmatch(line.text) if line.fenced is None else None
    return heading is not None and len(heading[1]) > 1


def _is_result(line: _Line) -> bool:
    heading = _HEADING.fullmatch(line.text)
    return heading is not None and (heading[2] or "").casefold() == RESULT


def _items(section: Sequence[_Line]) -> Iterator[str]:
    for line in section:
        item = _ITEM.fullmatch(line.text) if line.fenced is None else None
        if item is not None:
            yield item[1] or ""


_NO_FILE = "the plan names no file; write `File: PATH` below its title"
_NO_PLAN = "this is not a plan; `learnings plan FILE` writes one"


def _file(head: Sequence[_Line]) -> tuple[str, int]:
    """Return the file of a plan and the line that names it; empty for none."""
    for line in head:
        match = _FILE_LINE.fullmatch(line.text) if line.fenced is None else None
        if match is not None:
            return match[2], line.number
    return "", 1


def _proposed(head: Sequence[_Line]) -> str:
    matches = (_PROPOSED_LINE.fullmatch(line.text) for line in head if line.fenced is None)
    return next((match[1] for match in matches if match), "")


def _step(section: Sequence[_Line], problems: list[PlanProblem]) -> PlanStep | None:
    head, *body = section
    action, subject = _action(head, problems)
    if action is None:
        return None
    members, lines = _members(body, problems)
    text, is_draft = _text(body, problems)
    if not members and action not in (KEEP, ESCALATE):
        message = "the step names no entry; list some below its heading, or remove it"
        problems.append(PlanProblem(head.number, message))
    if text and action in (DROP, KEEP, ESCALATE):
        line = next(line.number for line in body if line.fenced is not None)
        message = f"a step `{action}` takes no text; remove it, or make the step a merge or a move"
        problems.append(PlanProblem(line, message))
    notes = tuple(_notes(body))
    return PlanStep(action, subject, members, notes, text, is_draft, head.number, lines)


def _action(head: _Line, problems: list[PlanProblem]) -> tuple[str | None, str]:
    heading = _HEADING.fullmatch(head.text)
    text = (heading[2] or "") if heading else ""
    match = _ACTION.fullmatch(text)
    if match is None or (heading is not None and len(heading[1]) != 2):
        problems.append(PlanProblem(head.number, _unknown(text, is_known=match is not None)))
        return None, ""
    action, subject = " ".join(match[1].casefold().split()), match[2].strip()
    if not subject and action not in (KEEP, ESCALATE):
        message = f"what follows `{action}` is missing; write {_FORMS[action]}"
        problems.append(PlanProblem(head.number, message))
    return action, subject


def _unknown(text: str, *, is_known: bool) -> str:
    if is_known:
        return "a step has a heading of level 2; begin it with `## `"
    word, _, rest = text.partition(" ")
    word = word.rstrip(":")
    if word.casefold() in ("move", "moved") and rest:
        target = re.sub(r"\Ato\b[ :]*", "", rest.strip(), flags=re.IGNORECASE)
        return f"{quoted(text)} is not a step; write `## move to {target}`"
    near = suggestion(word, ("merge", "move", "drop", "keep", "escalate"))
    hint = f"{near} " if near else ""
    return f"{quoted(text)} is not a step; {hint}write {_ACTIONS} (a text goes between ``` lines)"


def _members(
    body: Sequence[_Line], problems: list[PlanProblem]
) -> tuple[tuple[PlanMember, ...], tuple[int, ...]]:
    members: list[PlanMember] = []
    lines: list[int] = []
    for line in body:
        item = _ITEM.fullmatch(line.text) if line.fenced is None else None
        if item is None:
            if not _may_stand(line):
                problems.append(PlanProblem(line.number, _stray(line.text)))
            continue
        match = _MEMBER.fullmatch((item[1] or "").strip())
        members.append(PlanMember(match[1], match[2]) if match else PlanMember("", item[1] or ""))
        lines.append(line.number)
    return tuple(members), tuple(lines)


def _stray(text: str) -> str:
    """Return the sentence on a line that is neither an entry nor an explanation."""
    entry = _MEMBER.search(text)
    if entry is not None:
        return f"the line of an entry begins with a dash and a blank; write - {entry[0].rstrip()}"
    return (
        "this line is not part of a plan; begin it with > if it explains, or put it between two "
        "lines ``` if it is to be inserted (longer ones, if it has such lines itself)"
    )


def _may_stand(line: _Line) -> bool:
    """Return True for a line of a section that is no member and does no harm."""
    if line.fenced is not None or not line.text.strip():
        return True
    return bool(_NOTE.fullmatch(line.text) or _COMMENT.fullmatch(line.text))


def _notes(body: Sequence[_Line]) -> Iterator[str]:
    for line in body:
        note = _NOTE.fullmatch(line.text) if line.fenced is None else None
        if note is not None:
            yield note[1].rstrip()


def _text(body: Sequence[_Line], problems: list[PlanProblem]) -> tuple[str, bool]:
    """Return the text of a step, and whether the line that marks a draft is still there."""
    texts = [line for line in body if line.fenced is not None]
    for extra in texts[1:]:
        message = "the step has two texts; put what is to be inserted between one pair of ``` lines"
        problems.append(PlanProblem(extra.number, message))
    lines = "\n".join(texts[0].fenced or ()).strip("\n").split("\n") if texts else [""]
    is_marked = _DRAFT.fullmatch(lines[0]) is not None
    is_draft = is_marked or any(
        line.fenced is None and _DRAFT.fullmatch(line.text) for line in body
    )
    return "\n".join(lines[is_marked:]).strip("\n"), is_draft
