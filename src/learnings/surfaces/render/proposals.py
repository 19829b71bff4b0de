"""The batch and the proposals for it in each format: Markdown or text, and JSON.

The documents are `learnings.batch/1`, `groups/1`, `precheck/1` and `routes/1`. Markdown keeps that
of the entries, because agents parse it again; only invisible characters are escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from learnings.app.consolidate.entry_references import NO_EVIDENCE, Evidence
from learnings.consolidation.checks.precheck import DROP, SUPERSESSION, Precheck
from learnings.consolidation.groups.groups import Group, Grouping
from learnings.consolidation.routes import Route
from learnings.core.due.verdicts import Verdict
from learnings.core.entries.document import Entry
from learnings.core.entries.origin import is_consolidated
from learnings.core.text import counted, printable, printable_lines
from learnings.forms import verdict_words
from learnings.forms.verdict_words import evidence_words
from learnings.surfaces.render.json_document import (
    entry_reference,
    references_document,
    use_document,
)
from learnings.surfaces.render.lines import line, span, text_of_blocks

if TYPE_CHECKING:
    from learnings.surfaces.schemas.consolidation import (
        GroupsDocument,
        GroupsEntry,
        PrecheckDocument,
        PrecheckFinding,
        RoutesDocument,
    )
    from learnings.surfaces.schemas.entries import BatchDocument


def batch_as_markdown(verdict: Verdict, evidence: Evidence = NO_EVIDENCE) -> str:
    lines = [
        f"# Batch of {counted(len(verdict.batch), 'entry', 'entries')}\n",
        f"**File:** {span(verdict.report.file)}",
        f"**Verdict:** {verdict.verdict} ({verdict_words.reason(verdict)})",
        *(f"**Note:** {line(note)}" for note in verdict.report.history.notes),
        "",
    ]
    for entry_age in verdict.batch:
        entry, added = entry_age.entry, entry_age.origin.date
        use, references = evidence.of(entry.identity)
        marks = ["superseded"] if entry.superseded else []
        marks += evidence_words(references, use)
        age = ", ".join((verdict_words.age(entry_age), f"added {added}", *marks))
        lines.append(f"<!-- {printable(entry.place)}: {age} -->")
        lines.append(f"{printable_lines(entry.text).rstrip()}\n")
    return "\n".join(lines)


def batch_document(verdict: Verdict, evidence: Evidence = NO_EVIDENCE) -> BatchDocument:
    return {
        "schema": "learnings.batch/1",
        "file": verdict.report.file,
        "verdict": verdict.verdict,
        "lower_bound": verdict.lower_bound,
        "notes": list(verdict.report.history.notes),
        "entries": [
            {
                **entry_reference(entry_age.entry),
                "added": entry_age.origin.date,
                "active_days": entry_age.active_days or 0,
                "lower_bound": entry_age.lower_bound,
                "superseded": entry_age.entry.superseded,
                "references": references_document(evidence.of(entry_age.entry.identity)[1]),
                "used": use_document(evidence.of(entry_age.entry.identity)[0]),
                "text": entry_age.entry.text,
            }
            for entry_age in verdict.batch
        ],
    }


MAX_UNGROUPED = 10  # listed; the groups above them are the answer


def groups_as_text(file: str, grouping: Grouping) -> str:
    grouped = counted(sum(len(group.members) for group in grouping.groups), "entry", "entries")
    groups, ungrouped = counted(len(grouping.groups), "group"), grouping.ungrouped
    blocks = [[f"{printable(file)}: {groups} of {grouped}, {len(ungrouped)} ungrouped"]]
    blocks += [list(_group_lines(group)) for group in grouping.groups]
    if ungrouped:
        listed = (f"  {_entry_line(entry)}" for entry in ungrouped[:MAX_UNGROUPED])
        blocks.append(["Ungrouped", *listed])
    if len(ungrouped) > MAX_UNGROUPED:
        rest = len(ungrouped) - MAX_UNGROUPED
        blocks[-1].append(f"  and {rest} more: `learnings ages` lists all entries")
    return text_of_blocks(blocks)


def _group_lines(group: Group) -> Iterator[str]:
    size = counted(len(group.members), "entry", "entries")
    yield f"{printable(group.topic)} ({size}, score {group.score:.2f})"
    yield from (f"  {_entry_line(entry)}" for entry in group.members)
    yield "  because of"
    for word, lines in group.shared.items():
        yield f"    “{printable(word)}” in lines {', '.join(map(str, lines))}"


def _entry_line(entry: Entry) -> str:
    marks = ["superseded"] if entry.superseded else []
    if is_consolidated(entry) and "consolidated" not in entry.title:
        marks.append("consolidated")
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"{printable(entry.place)}: {printable(entry.heading)}{marked}"


_DECIMALS = 4  # as in the scores of routes and pre-checks; chosen


def groups_document(file: str, grouping: Grouping) -> GroupsDocument:
    return {
        "schema": "learnings.groups/1",
        "file": file,
        "groups": [
            {
                "topic": group.topic,
                "keywords": list(group.shared),
                "score": round(group.score, _DECIMALS),
                "members": [
                    {**_entry_document(entry), "shared": list(words)}
                    for entry, words in zip(group.members, group.own_words, strict=True)
                ],
                "why": [{"word": w, "lines": list(lines)} for w, lines in group.shared.items()],
            }
            for group in grouping.groups
        ],
        "ungrouped": [
            {**_entry_document(entry), "consolidated": is_consolidated(entry)}
            for entry in grouping.ungrouped
        ],
        "neighbours": [
            {
                **_entry_document(entry),
                "nearest": [
                    {**_entry_document(other), "score": round(score, _DECIMALS)}
                    for other, score in nearest
                ],
            }
            for entry, nearest in grouping.neighbours
        ],
    }


def _entry_document(entry: Entry) -> GroupsEntry:
    return {**entry_reference(entry), "superseded": entry.superseded}


def precheck_as_text(file: str, scope: str, findings: Sequence[Precheck]) -> str:
    """Return a block for each finding; entries restored by one merge share a block."""

    def kind(finding: Precheck) -> tuple[object, ...]:
        own = None if finding.against.commit else finding.entry.identity
        return finding.check, finding.action, finding.evidence, own

    head = f"{printable(file)}: {scope}, {counted(len(findings), 'finding')}"
    blocks = (_block(list(same)) for _, same in groupby(findings, key=kind))
    return text_of_blocks(([head], *blocks))


def _block(findings: Sequence[Precheck]) -> Iterator[str]:
    first, *more = findings
    head = f"{first.check}, {first.action}:"
    if more:
        yield f"{head} {len(findings)} entries"
        for finding in findings:
            yield f"  {_heading(finding.entry)}: {_against(finding)}".removesuffix(": ")
    else:
        yield f"{head} {_heading(first.entry)}"
        against = _against(first)
        if against:
            yield f"  {'newer' if first.check == SUPERSESSION else 'against'}: {against}"
    yield from (f"  {printable(words)}" for words in first.evidence)
    label = "only there" if first.action == DROP else "left"
    yield from (f"  {label}: {printable(line)}" for line in first.text.split("\n") if line)


def _heading(entry: Entry, mark: str = "") -> str:
    return f"{printable(entry.heading)} ({printable(entry.place)}{mark})"


def _against(finding: Precheck) -> str:
    against = finding.against
    if against.entry is not None:
        return f"{printable(against.entry.heading)} (line {against.line})"
    if against.target is None:
        return ""
    title = f" “{printable(against.section)}”" if against.section else ""
    return f"{printable(against.target)}:{against.line}{title}"


def precheck_document(file: str, _scope: str, findings: Sequence[Precheck]) -> PrecheckDocument:
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


def route_as_text(file: str, scope: str, routes: Sequence[Route]) -> str:
    return text_of_blocks(([f"{printable(file)}: {scope}"], *map(_route_lines, routes)))


def _route_lines(route: Route) -> Iterator[str]:
    yield _heading(route.entry, ", superseded" if route.entry.superseded else "")
    if not route.candidates:
        yield "  no target file shares a word with it"
    for rank, candidate in enumerate(route.candidates, start=1):
        section = candidate.section
        title = f"“{printable(section.title)}”" if section.title else "above its first heading"
        place = f"{printable(section.path)}:{section.line}"
        yield f"  {rank}. {place} {title}, {counted(candidate.lines, 'line')}"
        yield from (f"     {printable(reason)}" for reason in candidate.why)


def route_document(file: str, _scope: str, routes: Sequence[Route]) -> RoutesDocument:
    return {
        "schema": "learnings.routes/1",
        "file": file,
        "entries": [
            {
                **_entry_document(route.entry),
                "targets": [
                    {
                        "path": candidate.section.path,
                        "section": candidate.section.title,
                        "line": candidate.section.line,
                        "score": candidate.score,
                        "lines": candidate.lines,
                        "full": candidate.full,
                        "why": list(candidate.why),
                    }
                    for candidate in route.candidates
                ],
            }
            for route in routes
        ],
    }
