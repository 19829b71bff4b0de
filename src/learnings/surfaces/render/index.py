"""The computed index of a file, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from learnings.index.headings import Heading
from learnings.surfaces.render.lines import span

if TYPE_CHECKING:
    from learnings.surfaces.render.results import FileHeadings


def as_markdown(file: FileHeadings) -> str:
    """Return a list item for each heading with its line, indented by its depth."""
    headings = file.headings
    return "".join(
        f"{'  ' * depth}- {span(heading.title)} (line {heading.line})\n"
        for depth, heading in zip(_depths(headings), headings, strict=True)
    )


def _depths(headings: Sequence[Heading]) -> list[int]:
    """Return the depth of each item; skipped levels do not count."""
    depths: list[int] = []
    above: list[int] = []
    for heading in headings:
        while above and above[-1] >= heading.level:
            above.pop()
        depths.append(len(above))
        above.append(heading.level)
    return depths
