"""Findings as the JSON document that other programs read."""

from __future__ import annotations

from learnings.core.findings.finding import Finding, Report
from learnings.core.findings.fixes import Fix
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.rule_links import rule_link

SCHEMA = "learnings.findings/1"


def render(report: Report) -> str:
    """Return the document with a newline at its end."""
    return json_document(document(report))


def document(report: Report) -> dict[str, object]:
    """Return the document; findings are in the order of paths and lines."""
    findings = [_finding(*pair) for pair in report.with_fingerprints()]
    summary = {
        "errors": report.errors,
        "notices": report.notices,
        "known": len(report.known),
        "files": report.files,
    }
    return {"schema": SCHEMA, "findings": findings, "summary": summary}


def _finding(finding: Finding, fingerprint: str) -> dict[str, object]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "fix": _fix(finding.fix),
        "fingerprint": fingerprint,
        "url": rule_link(finding.rule),
    }


def _fix(fix: Fix | None) -> dict[str, object] | None:
    if fix is None:
        return None
    return {"does": fix.does, "edits": [edit._asdict() for edit in fix.edits]}
