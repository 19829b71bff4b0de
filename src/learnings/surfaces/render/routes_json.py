"""Routes as JSON, document `learnings.routes/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.consolidation.routes.routes import Route, RouteCandidate
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.routes/1"


def render(file: str, scope: str, routes: Sequence[Route]) -> str:
    """Return the document as text."""
    return json_document(document(file, scope, routes))


def document(file: str, scope: str, routes: Sequence[Route]) -> dict[str, object]:
    """Return the document; targets are best first, five at most."""
    del scope
    return {
        "schema": SCHEMA,
        "file": file,
        "entries": [
            {
                "title": route.entry.title,
                "timestamp": route.entry.stamp,
                "line": route.entry.first,
                "identity": route.entry.identity,
                "superseded": route.entry.superseded,
                "targets": [_target(candidate) for candidate in route.candidates],
            }
            for route in routes
        ],
    }


def _target(candidate: RouteCandidate) -> dict[str, object]:
    return {
        "path": candidate.section.path,
        "section": candidate.section.title,
        "line": candidate.section.line,
        "score": candidate.score,
        "lines": candidate.lines,
        "full": candidate.full,
        "why": list(candidate.why),
    }
