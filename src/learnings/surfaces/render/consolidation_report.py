"""The report on a consolidation as Markdown, each section in the same place, empty or not.

A retry adds to the report of the first run: its decision about an entry replaces the earlier one,
and everything else stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from learnings.consolidation.plan.memory_edits import title_of
from learnings.consolidation.plan.outcome import PlanDecision, PlanReport
from learnings.consolidation.plan.plan import DROP, ESCALATE, MERGE
from learnings.core.patterns import lazy_pattern
from learnings.surfaces.render.lines import span

_SUMMARY, _LIMITS, _UPDATES = "Summary", "File Limits (ESCALATION)", "Discovery Updates"
_DETAILS = "Consolidation Details"
_REDUNDANT = "Redundancy Decisions"
_FINDINGS = {
    "covered": _REDUNDANT,
    "supersession": "Supersession Decisions",
    "redundancy": _REDUNDANT,
    "contradiction": "Contradictions (ESCALATION)",
}
_SECTIONS = ("Supersession Decisions", _REDUNDANT, _FINDINGS["contradiction"])
_KINDS = {"Dropped": "Dropped", "Escalated": "Escalated", "Kept": "Skipped"}
# A line of the details: the outcome, the names of entries as code, and the rest.
_DETAIL = lazy_pattern(r"- (?:(Dropped|Escalated|Kept) )?(`.*?`)( → .*|: .*|)")
_SPAN = lazy_pattern(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
# An entry in the row of a target without room.
_ENTRY = lazy_pattern(r'"(.+?)"')
# How many of its entries a step removed from the file.
_PART = lazy_pattern(r" \((\d+) of (\d+)\)$")


def as_markdown(report: PlanReport, *, about: str, earlier: str = "") -> str:
    """Return the report with every section, empty or not.

    about names the file and the commit. An earlier report with the same name is continued.
    """
    sections: dict[str, list[str]] = {
        _SUMMARY: [],
        **{title: list(_findings(report, title)) for title in _SECTIONS},
        _LIMITS: [f"- {span(line)}" for line in report.skipped],
        _UPDATES: [f"- Index: {span(path)}" for path in report.indexes],
        _DETAILS: [
            *map(_detail, report.decisions),
            *(f"- File: {span(path)}" for path in report.files),
        ],
    }
    counts = report.counts
    marker = f"<!-- {about} -->"
    if earlier.rstrip().endswith(marker):
        names = {span(member.name) for d in report.decisions for member in d.step.members}
        _add_earlier(_sections_in(earlier.replace(marker, "")), names, sections, counts)
    sections[_SUMMARY] = [
        f"- Processed: {counts.total()}",
        *(f"- {word}: {counts[word]}" for word in ("Consolidated", *_KINDS.values())),
    ]
    parts = (
        f"\n## {title}\n\n" + ("\n".join(lines) or "None.") + "\n"
        for title, lines in sections.items()
    )
    return "# Consolidation Report\n" + "".join(parts) + f"\n{marker}\n"


def _sections_in(text: str) -> dict[str, list[str]]:
    parts = re.split(r"(?m)^## (.+)\n", text)
    lines = (part.strip("\n").split("\n") for part in parts[2::2])
    return {
        title: [] if part == ["None."] else part
        for title, part in zip(parts[1::2], lines, strict=False)
    }


def _add_earlier(
    old: dict[str, list[str]],
    names: set[str],
    sections: dict[str, list[str]],
    counts: Counter[str],
) -> None:
    """Put the rows of an older report first, without entries that have new rows."""
    for row in old.get(_SUMMARY, ()):
        word, _, number = row.removeprefix("- ").partition(": ")
        if word != "Processed" and number.isdecimal():
            counts[word] += int(number)
    bare = {name.strip("` ") for name in names}
    for title in _SECTIONS:
        kept = [b for b in _blocks(old.get(title, ())) if not any(f"`{n} / " in b[0] for n in bare)]
        sections[title] = [line for block in kept for line in block] + sections[title]
    limits = [row for row in old.get(_LIMITS, ()) if not bare.issuperset(_ENTRY.findall(row))]
    sections[_LIMITS] = [*limits, *sections[_LIMITS]]
    details = (_without(line, names, counts) for line in old.get(_DETAILS, ()))
    rows = [*old.get(_UPDATES, ()), *sections[_UPDATES]]
    sections[_UPDATES] = list(dict.fromkeys(rows))
    rows = [*filter(None, details), *sections[_DETAILS]]
    sections[_DETAILS] = sorted(dict.fromkeys(rows), key=lambda row: row.startswith("- File: "))


def _blocks(lines: Iterable[str]) -> list[list[str]]:
    blocks: list[list[str]] = []
    for line in lines:
        if line.startswith(" ") and blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _without(row: str, names: set[str], counts: Counter[str]) -> str:
    """Return a row of the details without the given names, or ""."""
    match = _DETAIL.fullmatch(row)
    if match is None or row.startswith("- File: "):
        return row
    listed = [found[0] for found in _SPAN.finditer(match[2])]
    gone = [name for name in listed if name in names]
    left = ", ".join(name for name in listed if name not in names)
    part = _PART.search(match[3])
    skipped = min(len(gone), int(part[2]) - int(part[1])) if part else 0
    counts["Skipped"] -= skipped
    counts[_KINDS.get(match[1] or "", "Consolidated")] -= len(gone) - skipped
    if part and gone:
        return f"- {left}{_PART.sub('', match[3])}" if left else ""
    return f"- {match[1] + ' ' if match[1] else ''}{left}{match[3]}" if left else ""


def _findings(report: PlanReport, section: str) -> Iterator[str]:
    """Yield the findings of a section with their evidence and decisions."""
    for finding in report.findings:
        is_escalated = finding.decision == "Escalated"
        if _FINDINGS[finding.check] == section and (finding.action != "look" or is_escalated):
            is_open = finding.check == "contradiction" and is_escalated
            before = "" if is_open else f"{finding.decision}: "
            yield f"- {before}{span(finding.subject)}"
            yield from (f"  - {span(line)}" for line in finding.evidence)


def _detail(decision: PlanDecision) -> str:
    step = decision.step
    names = ", ".join(span(member.name) for member in step.members)
    subject = span(step.subject) if step.subject else ""
    if not step.leaves or not decision.applied:
        return f"- {'Escalated' if step.action == ESCALATE else 'Kept'} {names}" + (
            f": {subject}" if subject and not step.leaves else ""
        )
    if step.action == DROP:
        return f"- Dropped {names}: {subject}"
    if step.action == MERGE:
        return f"- {names} → {span(title_of(step.subject))}"
    of_all = f" ({decision.applied} of {len(step.members)})"
    return f"- {names} → {subject}{of_all if decision.applied < len(step.members) else ''}"
