"""Findings as a Markdown table, for a comment or the summary of a job."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.causes import joined
from learnings.core.findings.finding import Finding, Report
from learnings.core.text import counted
from learnings.surfaces.render.escape import cell
from learnings.surfaces.render.rule_links import rule_link


def render(report: Report) -> str:
    """Return the counts and the table, or one sentence where there is nothing to report."""
    if not report.findings:
        known = f" beside {len(report.known)} known" if report.known else ""
        return f"No {known and 'new '}findings{known} in {counted(report.files, 'file')}.\n"
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield f"**{report.counts}**"
    yield ""
    yield "| Location | Severity | Rule | Message |"
    yield "|---|---|---|---|"
    yield from map(_row, joined(report.findings))


def _row(finding: Finding) -> str:
    location = cell(f"{finding.path}:{finding.line}:{finding.column}")
    message = cell(finding.message)
    rule = f"[{finding.rule}]({rule_link(finding.rule)})"
    return f"| {location} | {finding.severity.value} | {rule} | {message} |"
