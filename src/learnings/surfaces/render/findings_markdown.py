"""Findings as a Markdown table, for a comment or the summary of a job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Report, counted
from learnings.core.text import printable

_ACTIVE = re.compile(r"[\\`*_\[\]|~]")
# A backslash would keep neither a tag nor a mention from taking effect everywhere.
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}


def render(report: Report, *, colour: bool = False) -> str:
    """Return the counts and the table, or one sentence where there is nothing to tell."""
    del colour
    if not report.findings:
        known = f" beside {len(report.known)} known" if report.known else ""
        return f"No {known and 'new '}findings{known} in {counted(report.files, 'file')}.\n"
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield f"**{report.counts}**"
    yield ""
    yield "| Place | Severity | Rule | Message |"
    yield "|---|---|---|---|"
    yield from map(_row, report.findings)


def _row(finding: Finding) -> str:
    place = f"{_as_text(finding.path)}:{finding.line}:{finding.column}"
    return f"| {place} | {finding.severity.value} | {finding.rule} | {_as_text(finding.message)} |"


def _as_text(text: str) -> str:
    shown = _ACTIVE.sub(r"\\\g<0>", printable(text))
    return "".join(_ENTITIES.get(sign, sign) for sign in shown)
