"""The computed index of a file as a nested Markdown list."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.index.files import IndexedHeading
from learnings.surfaces.render.escape import span


def render(file: str, headings: Sequence[IndexedHeading]) -> str:
    """Return one item per heading with its line, indented by two spaces for each level above it."""
    del file
    return "".join(
        f"{'  ' * depth}- {span(heading.title)} (line {heading.line})\n"
        for depth, heading in zip(_depths(headings), headings, strict=True)
    )


def _depths(headings: Sequence[IndexedHeading]) -> list[int]:
    """Return how deep each item is nested: a level that is skipped does not count."""
    depths: list[int] = []
    above: list[int] = []
    for heading in headings:
        while above and above[-1] >= heading.level:
            above.pop()
        depths.append(len(above))
        above.append(heading.level)
    return depths
