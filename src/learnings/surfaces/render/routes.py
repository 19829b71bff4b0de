"""Target files for entries in each format: text, JSON (document `learnings.routes/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.consolidation.routes.routes import Route
from learnings.core.text import counted, printable
from learnings.surfaces.render.json_document import entry_reference
from learnings.surfaces.render.lines import text_of_blocks

if TYPE_CHECKING:
    from learnings.surfaces.schemas.consolidation import RoutesDocument


def routes_as_text(file: str, scope: str, routes: Sequence[Route]) -> str:
    return text_of_blocks(([f"{printable(file)}: {scope}"], *map(_route_lines, routes)))


def _route_lines(route: Route) -> Iterator[str]:
    mark = ", superseded" if route.entry.superseded else ""
    yield f"{printable(route.entry.heading)} ({printable(route.entry.place)}{mark})"
    if not route.candidates:
        yield "  no target file shares a word with it"
    for rank, candidate in enumerate(route.candidates, start=1):
        section = candidate.section
        title = f"“{printable(section.title)}”" if section.title else "above its first heading"
        place = f"{printable(section.path)}:{section.line}"
        yield f"  {rank}. {place} {title}, {counted(candidate.lines, 'line')}"
        yield from (f"     {printable(reason)}" for reason in candidate.why)


def routes_document(file: str, scope: str, routes: Sequence[Route]) -> RoutesDocument:
    del scope
    return {
        "schema": "learnings.routes/1",
        "file": file,
        "entries": [
            {
                **entry_reference(route.entry),
                "superseded": route.entry.superseded,
                "targets": [
                    {
                        "path": candidate.section.path,
                        "section": candidate.section.title,
                        "line": candidate.section.line,
                        "score": candidate.score,
                        "lines": candidate.lines,
                        "full": candidate.full,
                        "why": list(candidate.why),
                    }
                    for candidate in route.candidates
                ],
            }
            for route in routes
        ],
    }
