"""Findings as a Code Quality report, which GitLab shows in merge requests.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import printable
from learnings.surfaces.render.json_document import json_document

# GitLab's levels are info, minor, major, critical and blocker; the last two would demand immediate
# action.
_SEVERITIES = {Severity.ERROR: "major", Severity.NOTICE: "info"}


def as_gitlab(report: CheckReport) -> str:
    return json_document([_issue(*pair) for pair in report.with_fingerprints()])


def _issue(finding: Finding, fingerprint: str) -> dict[str, object]:
    return {
        "description": finding.message,
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        # GitLab rejects a report that is not UTF-8.
        "location": {"path": printable(finding.path), "lines": {"begin": finding.line}},
    }
