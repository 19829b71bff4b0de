"""Findings of the pre-checks in each format: text, JSON (document `learnings.precheck/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from learnings.consolidation.checks.precheck import Precheck
from learnings.core.text import counted, printable

if TYPE_CHECKING:
    from learnings.surfaces.schemas.consolidation import PrecheckDocument, PrecheckFinding


def as_text(file: str, scope: str, findings: Sequence[Precheck]) -> str:
    """Return a heading and a block for each finding: the proposal and the evidence."""
    blocks = [f"{printable(file)}: {scope}, {counted(len(findings), 'finding')}\n"]
    blocks += ["".join(f"{line}\n" for line in _finding_lines(finding)) for finding in findings]
    return "\n".join(blocks)


def _finding_lines(finding: Precheck) -> Iterator[str]:
    entry = f"{printable(finding.entry.heading)} (line {finding.entry.first})"
    yield f"{finding.check}, {finding.action}: {entry}"
    against = finding.against
    if against.entry is not None:
        yield f"  newer: {printable(against.entry.heading)} (line {against.line})"
    elif against.target is not None:
        title = f" “{printable(against.section)}”" if against.section else ""
        yield f"  against: {printable(against.target)}:{against.line}{title}"
    yield from (f"  {printable(words)}" for words in finding.evidence)


SCHEMA: Final = "learnings.precheck/1"


def document(file: str, scope: str, findings: Sequence[Precheck]) -> PrecheckDocument:
    """Return the document; findings are in the order of the checks, then of the file."""
    del scope
    return {
        "schema": SCHEMA,
        "file": file,
        "findings": [_finding_document(finding) for finding in findings],
    }


def _finding_document(finding: Precheck) -> PrecheckFinding:
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
