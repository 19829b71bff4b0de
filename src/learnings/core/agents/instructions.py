"""A file of an agent, read once for all rules: its passages, and its calls of `learnings`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.agents.commands import Call, calls
from learnings.core.agents.text import Passage, passages
from learnings.core.markdown.blocks import front_matter_end


class Instructions(NamedTuple):
    """The lines of a file, the line that ends its front matter (0: none), passages and calls."""

    lines: Sequence[str]
    front_matter: int
    passages: tuple[Passage, ...]
    calls: tuple[Call, ...]


def read_instructions(lines: Sequence[str]) -> Instructions:
    """Return what a file tells an agent; never raises."""
    last = front_matter_end(lines, certain=True)
    in_text = tuple(passages(lines, last))
    return Instructions(lines, last, in_text, tuple(calls(lines[:last], in_text)))
