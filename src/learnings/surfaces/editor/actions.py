"""The changes that an editor offers for lines of a buffer; nothing is applied here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.app.buffers import (
    CheckedBuffer,
    entry_at,
    with_fix,
    with_fixes,
    with_ignore,
)
from learnings.core.findings.finding import Finding
from learnings.core.text import decode, printable, shortened

REASONS = ("out of date", "covered elsewhere")
"""Reasons for archiving an entry; an editor has no field to type another."""
# Findings with their own actions at a time; trying each one takes 20 ms for a large file.
_MOST_FINDINGS = 5
_LONGEST_TITLE = 50


class Change(NamedTuple):
    """A new text for the buffer. finding is None if it is about the whole file."""

    title: str
    text: str
    finding: Finding | None = None


class ArchiveOffer(NamedTuple):
    """An entry, by the identity that `learnings archive` takes, and a reason to archive it."""

    title: str
    identity: str
    reason: str


def fixes(checked: CheckedBuffer, findings: Sequence[Finding]) -> Iterator[Change]:
    """Yield the fix of each finding, then the fixes of the whole file.

    Missing index rows are offered on all lines of the index, because the findings are in the listed
    files.
    """
    for finding in findings[:_MOST_FINDINGS]:
        data = with_fix(checked, finding) if finding.is_fixable else None
        if data is not None and finding.fix is not None:
            yield Change(f"Fix: {finding.fix.does}", decode(data), finding)
    whole = next((f.fix for f in findings if f.is_fixable and f.fix and not f.fix.edits), None)
    data = None if whole is None else with_fixes(checked)
    if data is not None and whole is not None:
        yield Change(f"Fix: {whole.does}, and everything else that needs no decision", decode(data))
    if any(f.fix is not None and f.fix.on_request for f in checked.findings):
        data = with_fixes(checked, add_missing=True)
        if data is not None:
            yield Change("Fix: add all missing rows", decode(data))


def fix_all(checked: CheckedBuffer) -> Change | None:
    """Return the buffer after `learnings fix`, or None if there is nothing to fix."""
    if not any(finding.is_fixable for finding in checked.findings):
        return None
    data = with_fixes(checked)
    return None if data is None else Change("Fix everything that needs no decision", decode(data))


def ignores(checked: CheckedBuffer, findings: Sequence[Finding]) -> Iterator[Change]:
    """Yield for each finding a comment that ignores it; the user adds the reason."""
    for finding in findings[:_MOST_FINDINGS]:
        data = with_ignore(checked, finding)
        if data is not None:
            title = f"Ignore {finding.rule} here (then write the reason)"
            yield Change(title, decode(data), finding)


def archive_offers(checked: CheckedBuffer, line: int) -> Iterator[ArchiveOffer]:
    """Yield the offers to archive the entry on a line."""
    entry = entry_at(checked, line)
    if entry is not None:
        name = printable(shortened(entry.title or entry.heading, _LONGEST_TITLE))
        for reason in REASONS:
            yield ArchiveOffer(f"Archive “{name}”: {reason}", entry.identity, reason)
