"""Findings of the pre-checks as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.consolidation.checks.precheck import Precheck
from learnings.core.text import counted, printable


def render(file: str, scope: str, findings: Sequence[Precheck]) -> str:
    """Return a heading and a block for each finding: what it proposes, and the evidence."""
    blocks = [f"{printable(file)}: {scope}, {counted(len(findings), 'finding')}\n"]
    blocks += ["".join(f"{line}\n" for line in _block(finding)) for finding in findings]
    return "\n".join(blocks)


def _block(finding: Precheck) -> Iterator[str]:
    entry = f"{printable(finding.entry.heading)} (line {finding.entry.first})"
    yield f"{finding.check}, {finding.action}: {entry}"
    against = _against(finding)
    if against:
        yield f"  {against}"
    yield from (f"  {printable(words)}" for words in finding.evidence)


def _against(finding: Precheck) -> str:
    against = finding.against
    if against.entry is not None:
        return f"newer: {printable(against.entry.heading)} (line {against.line})"
    if against.target is not None:
        title = f" “{printable(against.section)}”" if against.section else ""
        return f"against: {printable(against.target)}:{against.line}{title}"
    return ""
