"""Findings of the pre-checks as JSON, document `learnings.precheck/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.consolidation.checks.precheck import Precheck
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.precheck/1"


def render(file: str, scope: str, findings: Sequence[Precheck]) -> str:
    """Return the document as text."""
    return json_document(document(file, scope, findings))


def document(file: str, scope: str, findings: Sequence[Precheck]) -> dict[str, object]:
    """Return the document; findings are in the order of the checks, then of the file."""
    del scope
    return {"schema": SCHEMA, "file": file, "findings": [_finding(finding) for finding in findings]}


def _finding(finding: Precheck) -> dict[str, object]:
    against = finding.against
    return {
        "check": finding.check,
        "action": finding.action,
        "entry": finding.entry.title,
        "timestamp": finding.entry.stamp,
        "line": finding.entry.first,
        "identity": finding.entry.identity,
        "against": {
            "entry": against.entry.title if against.entry else None,
            "timestamp": against.entry.stamp if against.entry else None,
            "target": against.target,
            "section": against.section,
            "line": against.line,
            "commit": against.commit,
        },
        "score": finding.score,
        "evidence": list(finding.evidence),
    }
