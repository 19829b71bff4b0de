"""The computed index of a file in each format: Markdown, JSON (document `learnings.index/1`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from learnings.index.headings import Heading
from learnings.surfaces.render.lines import span

if TYPE_CHECKING:
    from learnings.surfaces.schemas.check_documents import IndexDocument


def as_markdown(file: str, headings: Sequence[Heading]) -> str:
    """Return a list item for each heading with its line, indented by its depth."""
    del file
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


def document(file: str, headings: Sequence[Heading]) -> IndexDocument:
    return {
        "schema": "learnings.index/1",
        "file": file,
        "headings": [
            {
                "title": heading.title,
                "level": heading.level,
                "line": heading.line,
                "last_line": heading.last,
                "structural": heading.title.startswith("."),
            }
            for heading in headings
        ],
    }
