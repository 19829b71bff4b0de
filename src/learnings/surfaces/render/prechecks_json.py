"""Findings of the pre-checks as JSON, document `learnings.precheck/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.consolidation.checks.prechecks import Precheck
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.precheck/1"


def render(file: str, scope: str, found: Sequence[Precheck]) -> str:
    """Return the document; findings are in the order of the checks, then of the file."""
    del scope
    findings = [_finding(each) for each in found]
    document = {"schema": SCHEMA, "file": file, "findings": findings}
    return json_document(document)


def _finding(each: Precheck) -> dict[str, object]:
    against = each.against
    return {
        "check": each.check,
        "action": each.action,
        "entry": each.entry.title,
        "timestamp": each.entry.stamp,
        "line": each.entry.first,
        "identity": each.entry.identity,
        "against": {
            "entry": against.entry.title if against.entry else None,
            "timestamp": against.entry.stamp if against.entry else None,
            "target": against.target,
            "section": against.section,
            "line": against.line,
            "commit": against.commit,
        },
        "score": each.score,
        "evidence": list(each.evidence),
    }
