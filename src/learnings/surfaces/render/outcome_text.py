"""What applying a plan did, as text: one sentence, what was skipped, what belongs to the commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.consolidation.plan.outcome import Outcome, sentence
from learnings.core.text import printable
from learnings.surfaces.render.commit_text import commit_lines


def render(outcome: Outcome, *, undo: Sequence[str] = (), staged: bool = False) -> str:
    """Return the outcome; undo are the commands that take it back."""
    return "".join(f"{printable(line)}\n" for line in _lines(outcome, undo, staged=staged))


def _lines(outcome: Outcome, undo: Sequence[str], *, staged: bool) -> Iterator[str]:
    if outcome.leaves:
        yield f"{sentence(outcome)}. Originals archived."
    elif not outcome.skips:
        yield "There is nothing left to do."
    yield from (f"Skipped: {skip}" for skip in outcome.skips)
    yield from commit_lines(outcome.files, undo, staged=staged)
