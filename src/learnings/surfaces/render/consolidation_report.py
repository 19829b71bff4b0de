"""The report on a consolidation as Markdown, each section in the same place, empty or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from learnings.consolidation.plan.merged import title_of
from learnings.consolidation.plan.outcome import PlanDecision, PlanReport
from learnings.consolidation.plan.plan import DROP, MERGE
from learnings.surfaces.render.escape import span


def as_markdown(report: PlanReport) -> str:
    """Return the report; a section without content says `None.` and nothing else."""
    summary = (
        f"- Processed: {report.processed}",
        f"- Consolidated: {report.consolidated}",
        f"- Dropped: {report.dropped}",
        f"- Escalated: {report.escalated}",
        f"- Skipped: {report.left}",
    )
    sections: dict[str, Iterable[str]] = {
        "Summary": summary,
        "Supersession Decisions": _findings(report, "supersession"),
        "Redundancy Decisions": _findings(report, "redundancy"),
        "Contradictions (ESCALATION)": _findings(report, "contradiction"),
        "File Limits (ESCALATION)": (f"- {span(line)}" for line in report.skipped),
        "Discovery Updates": (f"- Index: {span(path)}" for path in report.indexes),
        "Consolidation Details": (
            *map(_detail, report.decisions),
            *(f"- File: {span(path)}" for path in report.files),
        ),
    }
    contents = {title: "\n".join(lines) or "None." for title, lines in sections.items()}
    parts = (f"\n## {title}\n\n{content}\n" for title, content in contents.items())
    return "# Consolidation Report\n" + "".join(parts)


def _findings(report: PlanReport, check: str) -> Iterator[str]:
    """Give the findings of a check with their evidence; of contradictions, the escalated ones."""
    for finding in report.findings:
        is_contradiction = check == "contradiction"
        if finding.check == check and (not is_contradiction or finding.decision == "Escalated"):
            before = "" if is_contradiction else f"{finding.decision}: "
            yield f"- {before}{span(finding.subject)}"
            yield from (f"  - {span(line)}" for line in finding.evidence)


def _detail(decision: PlanDecision) -> str:
    step = decision.step
    names = ", ".join(span(member.name) for member in step.members)
    subject = span(step.subject) if step.subject else ""
    if not step.leaves or not decision.applied:
        return f"- {'Escalated' if decision.escalated else 'Kept'} {names}" + (
            f": {subject}" if subject and not step.leaves else ""
        )
    if step.action == DROP:
        return f"- Dropped {names}: {subject}"
    if step.action == MERGE:
        return f"- {names} → {span(title_of(step.subject))}"
    of_all = f" ({decision.applied} of {len(step.members)})"
    return f"- {names} → {subject}{of_all if decision.applied < len(step.members) else ''}"
