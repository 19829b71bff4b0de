"""Findings of the pre-checks in each format: text, JSON (document `learnings.precheck/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from learnings.consolidation.checks.precheck import SUPERSESSION, Precheck
from learnings.core.text import counted, printable
from learnings.surfaces.render.lines import text_of_blocks

if TYPE_CHECKING:
    from learnings.surfaces.schemas.consolidation import PrecheckDocument, PrecheckFinding


def prechecks_as_text(file: str, scope: str, findings: Sequence[Precheck]) -> str:
    """Return a block for each finding; entries restored by one merge share a block."""
    head = f"{printable(file)}: {scope}, {counted(len(findings), 'finding')}"
    blocks = (_block(list(same)) for _, same in groupby(findings, key=_kind))
    return text_of_blocks(([head], *blocks))


def _kind(finding: Precheck) -> tuple[object, ...]:
    own = None if finding.against.commit else finding.entry.identity
    return finding.check, finding.action, finding.evidence, own


def _block(findings: Sequence[Precheck]) -> Iterator[str]:
    first, *more = findings
    head = f"{first.check}, {first.action}:"
    if more:
        yield f"{head} {len(findings)} entries"
        yield from (f"  {_entry(f)}: {_against(f)}".removesuffix(": ") for f in findings)
    else:
        yield f"{head} {_entry(first)}"
        against = _against(first)
        if against:
            yield f"  {'newer' if first.check == SUPERSESSION else 'against'}: {against}"
    yield from (f"  {printable(words)}" for words in first.evidence)
    yield from (f"  left: {printable(line)}" for line in first.text.split("\n") if line)


def _entry(finding: Precheck) -> str:
    return f"{printable(finding.entry.heading)} ({printable(finding.entry.place)})"


def _against(finding: Precheck) -> str:
    against = finding.against
    if against.entry is not None:
        return f"{printable(against.entry.heading)} (line {against.line})"
    if against.target is None:
        return ""
    title = f" “{printable(against.section)}”" if against.section else ""
    return f"{printable(against.target)}:{against.line}{title}"


def prechecks_document(file: str, scope: str, findings: Sequence[Precheck]) -> PrecheckDocument:
    del scope
    return {
        "schema": "learnings.precheck/1",
        "file": file,
        "findings": [_finding_document(finding) for finding in findings],
    }


def _finding_document(finding: Precheck) -> PrecheckFinding:
    against = finding.against
    document: PrecheckFinding = {
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
        "text": finding.text,
    }
    if finding.entry.path:
        document["path"] = finding.entry.path
    return document
