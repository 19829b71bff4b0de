"""The texts that a plan inserts: which are missing, unedited, or would not stay one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.consolidation.plan.members import ResolvedStep
from learnings.consolidation.plan.model import MERGE, MOVE, Problem
from learnings.core.markdown.blocks import outline_of


def text_problems(
    steps: Sequence[ResolvedStep], level: int, *, accept_drafts: bool
) -> Iterator[Problem]:
    """Give the problems of the texts of steps that have entries to take out.

    level is that of the headings of entries, 0 for list items.
    """
    for resolved in steps:
        step = resolved.step
        if not resolved.entries or step.action not in (MERGE, MOVE):
            continue
        message = _fault(step.text, level if step.action == MERGE else 0)
        if step.is_draft and step.text and not accept_drafts:
            message = (
                "the text is a draft that nobody has edited; edit it, then remove the line "
                "`<!-- draft … -->`"
            )
        if step.action == MERGE and not step.text.strip():
            message = (
                "the merged entry has no text; write it between two lines ``` below the entries"
            )
        if message:
            yield Problem(step.line, message)


def _fault(text: str, level: int) -> str:
    """Return what is wrong with a text, empty for nothing."""
    outline = outline_of([f"{line}\n" for line in text.split("\n")])
    if not all(block.closed for block in outline.hiding_blocks):
        return "the text holds a code block or comment without an end; close it"
    highest = min((heading.level for heading in outline.headings), default=level + 1)
    if level and highest <= level:
        return (
            f"the text has a heading of level {highest}, which would begin another entry; write "
            f"it with {level + 1} # or more"
        )
    return ""
