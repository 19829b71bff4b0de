"""Findings as workflow commands, which GitHub shows as annotations of a run and in the diff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.findings.causes import joined
from learnings.core.findings.finding import Finding, Report, Severity
from learnings.core.text import counted
from learnings.surfaces.render.rule_links import rule_link
from learnings.surfaces.render.workflow_commands import command

MOST = 10
"""Annotations of one level that GitHub shows for a step; it drops all others in silence."""


def render(report: Report) -> str:
    """Return one command for each finding, errors first, and a line for those beyond the limit.

    Behind the message stands the address of the rule, which GitHub shows as a link.
    """
    findings = joined(report.findings)
    return "".join(line for severity in Severity for line in _commands(findings, severity))


def _commands(findings: Sequence[Finding], severity: Severity) -> Iterator[str]:
    own = [finding for finding in findings if finding.severity is severity]
    for finding in own[:MOST]:
        yield command(
            severity.value,
            f"{finding.message} ({rule_link(finding.rule)})",
            file=finding.path,
            line=finding.line,
            col=finding.column,
            title=finding.rule,
        )
    rest = len(own) - MOST
    if rest > 0:
        yield f"and {counted(rest, f'more {severity.value}')}, beyond what GitHub shows\n"
