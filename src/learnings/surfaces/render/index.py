"""The computed index of a file, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from learnings.surfaces.render.writing import span

if TYPE_CHECKING:
    from learnings.index.headings import Heading


class FileHeadings(NamedTuple):
    file: str
    headings: Sequence[Heading]


def as_markdown(file: FileHeadings) -> str:
    """Return a list item for each heading with its line, indented by its depth."""
    text = ""
    above: list[int] = []  # levels, so that skipped ones do not count
    for heading in file.headings:
        while above and above[-1] >= heading.level:
            above.pop()
        text += f"{'  ' * len(above)}- {span(heading.title)} (line {heading.line})\n"
        above.append(heading.level)
    return text
