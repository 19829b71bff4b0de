"""Findings of the pre-checks as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.consolidation.checks.prechecks import Precheck
from learnings.core.text import printable


def render(file: str, scope: str, found: Sequence[Precheck]) -> str:
    """Return a heading and a block for each finding: what it proposes, and the evidence."""
    count = f"{len(found)} finding{'' if len(found) == 1 else 's'}"
    blocks = [f"{printable(file)}: {scope}, {count}\n"]
    blocks += ["".join(f"{line}\n" for line in _block(each)) for each in found]
    return "\n".join(blocks)


def _block(each: Precheck) -> Iterator[str]:
    entry = f"{printable(each.entry.heading)} (line {each.entry.first})"
    yield f"{each.check}, {each.action}: {entry}"
    against = _against(each)
    if against:
        yield f"  {against}"
    yield from (f"  {printable(words)}" for words in each.evidence)


def _against(each: Precheck) -> str:
    against = each.against
    if against.entry is not None:
        return f"newer: {printable(against.entry.heading)} (line {against.line})"
    if against.target is not None:
        title = f" “{printable(against.section)}”" if against.section else ""
        return f"against: {printable(against.target)}:{against.line}{title}"
    return ""
