"""The computed index of a file as JSON, document `learnings.index/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.index.files import IndexedHeading
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.index/1"


def render(file: str, headings: Sequence[IndexedHeading]) -> str:
    """Return the document with a newline at its end; headings are in the order of the lines."""
    document = {
        "schema": SCHEMA,
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
    return json_document(document)
