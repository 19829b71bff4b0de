"""Routes as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.consolidation.routes.routes import Route, RouteCandidate
from learnings.core.text import counted, printable


def render(file: str, scope: str, routes: Sequence[Route]) -> str:
    """Return a heading and a block for each entry: its targets, best first, with the reasons."""
    blocks = [f"{printable(file)}: {scope}\n"]
    blocks += ["".join(f"{line}\n" for line in _block(route)) for route in routes]
    return "\n".join(blocks)


def _block(route: Route) -> Iterator[str]:
    mark = ", superseded" if route.entry.superseded else ""
    yield f"{printable(route.entry.heading)} (line {route.entry.first}{mark})"
    if not route.candidates:
        yield "  no target file shares a word with it"
    for rank, candidate in enumerate(route.candidates, start=1):
        yield f"  {rank}. {_target(candidate)}"
        yield from (f"     {printable(reason)}" for reason in candidate.why)


def _target(candidate: RouteCandidate) -> str:
    section = candidate.section
    title = f"“{printable(section.title)}”" if section.title else "above its first heading"
    lines = counted(candidate.lines, "line", "lines")
    return f"{printable(section.path)}:{section.line} {title}, {lines}"
