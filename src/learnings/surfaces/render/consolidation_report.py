"""The report on a consolidation as Markdown, each section in the same place, empty or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from learnings.consolidation.plan.merged import title_of
from learnings.consolidation.plan.outcome import PlanDecision, PlanFinding, PlanReport
from learnings.consolidation.plan.plan import DROP, KEEP, MERGE
from learnings.surfaces.render.escape import span


def as_markdown(report: PlanReport) -> str:
    """Return the report; a section without content says `None.` and nothing else."""
    sections = {
        "Summary": _summary(report),
        "Supersession Decisions": _findings(report, "supersession"),
        "Redundancy Decisions": _findings(report, "redundancy"),
        "Contradictions (ESCALATION)": _contradictions(report),
        "File Limits (ESCALATION)": (f"- {span(line)}" for line in report.skipped),
        "Discovery Updates": (f"- Index: {span(path)}" for path in report.indexes),
        "Consolidation Details": _details(report),
    }
    parts = (_section(title, lines) for title, lines in sections.items())
    return "# Consolidation Report\n" + "".join(parts)


def _section(title: str, lines: Iterable[str]) -> str:
    content = "\n".join(lines) or "None."
    return f"\n## {title}\n\n{content}\n"


def _summary(report: PlanReport) -> Iterator[str]:
    yield f"- Processed: {report.processed}"
    yield f"- Consolidated: {report.consolidated}"
    yield f"- Dropped: {report.dropped}"
    yield f"- Escalated: {report.escalated}"
    yield f"- Skipped: {report.left}"


def _findings(report: PlanReport, check: str) -> Iterator[str]:
    for finding in report.findings:
        if finding.check == check:
            yield from _finding(finding, f"{finding.decision}: ")


def _contradictions(report: PlanReport) -> Iterator[str]:
    """Give those that nobody has settled."""
    for finding in report.findings:
        if finding.check == "contradiction" and finding.decision == "Escalated":
            yield from _finding(finding, "")


def _finding(finding: PlanFinding, before: str) -> Iterator[str]:
    yield f"- {before}{span(finding.subject)}"
    yield from (f"  - {span(line)}" for line in finding.evidence)


def _details(report: PlanReport) -> Iterator[str]:
    yield from map(_detail, report.decisions)
    yield from (f"- File: {span(path)}" for path in report.files)


def _detail(decision: PlanDecision) -> str:
    step = decision.step
    names = ", ".join(span(member.name) for member in step.members)
    subject = span(step.subject) if step.subject else ""
    if step.action == KEEP or not decision.applied:
        return f"- {'Escalated' if decision.escalated else 'Kept'} {names}" + (
            f": {subject}" if subject and step.action == KEEP else ""
        )
    if step.action == DROP:
        return f"- Dropped {names}: {subject}"
    if step.action == MERGE:
        return f"- {names} → {span(title_of(step.subject))}"
    of_all = f" ({decision.applied} of {len(step.members)})"
    return f"- {names} → {subject}{of_all if decision.applied < len(step.members) else ''}"
