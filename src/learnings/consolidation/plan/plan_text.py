"""A plan as a Markdown file that explains itself, which read_plan() reads again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.consolidation.plan.model import Plan, Step
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, encode, newline_of, split_lines

RESULT = "result"
"""The heading of the section that says what was done."""

DRAFT_MARKER = "<!-- draft: edit the lines below, then remove this line -->"
"""The line above a text that a program has put together and nobody has edited."""

_HEAD = """\
# Consolidation plan

File: {file}

Each section is one step; `learnings apply` takes all of them or none. Its heading says what becomes
of the entries listed below it:

- `## merge NAME`: they become one entry, NAME, with the text between the ``` lines.
- `## move to FILE#HEADING`: they go to that section of a target file, or with FILE alone to its
  end: word for word, or as the text between the ``` lines if there is one.
- `## drop REASON`: they leave the file.
- `## keep`: they stay.

What leaves the file goes to its archive, word for word. Edit headings and texts, and move the lines
of entries from one section to another as they are: the code before a title is the digest of the
entry. Lines that begin with > explain, and change nothing. A finding `look` asks you to read both
sides: if they contradict each other, keep the entry and write `escalate` instead of `look`, so that
the report names it.
"""
# A run of backticks.
_RUN = lazy_pattern("`+")


def plan_text(plan: Plan) -> bytes:
    """Return the file of a plan; read_plan() gives the plan back.

    A subject, name or note is written on one line.
    """
    parts = [_HEAD.format(file=plan.file), *map(_section, plan.steps)]
    if plan.result:
        parts.append(_result(plan.result))
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
    section = _result(result) if result else ""
    return encode(above + newline + f"\n{section}".replace("\n", newline) * bool(section))


def _result(lines: Sequence[str]) -> str:
    return _lines([f"## {RESULT}", "", *(f"- {line}" for line in lines)])


def _section(step: Step) -> str:
    return _lines(_section_lines(step))


def _section_lines(step: Step) -> Iterator[str]:
    yield f"## {step.heading}"
    yield ""
    yield from (f"- `{member.digest}` {member.name}".rstrip() for member in step.members)
    if step.notes:
        yield ""
        yield from (f"> {note}".rstrip() for note in step.notes)
    if step.text or step.is_draft:
        fence = "`" * max(3, 1 + max(map(len, _RUN.findall(step.text)), default=0))
        yield from ("", f"{fence}markdown")
        if step.is_draft:
            yield DRAFT_MARKER
        yield from (step.text.split("\n") if step.text else ())
        yield fence


def _lines(lines: list[str] | Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
