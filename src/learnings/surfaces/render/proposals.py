"""The batch as Markdown, and the proposals for it as text.

Markdown keeps that of the entries, because agents parse it again; only invisible characters are
escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from learnings.consolidation.checks.precheck import DROP, SUPERSESSION, Precheck
from learnings.consolidation.groups.groups import Group
from learnings.consolidation.routes import Route
from learnings.core.entries.document import Entry
from learnings.core.entries.origin import is_consolidated
from learnings.core.text import counted, printable, printable_lines
from learnings.forms import verdict_words
from learnings.surfaces.render.writing import one_line, span, text_of_blocks

if TYPE_CHECKING:
    from learnings.consolidation.groups.groups import Grouping
    from learnings.surfaces.render.due import JudgedFile


T = TypeVar("T")


class FileGroups(NamedTuple):
    file: str
    grouping: Grouping


class FileProposals(NamedTuple, Generic[T]):
    """Proposals for the entries of a file; scope says in words which entries."""

    file: str
    scope: str
    proposals: Sequence[T]


def batch_as_markdown(file: JudgedFile) -> str:
    verdict = file.verdict
    lines = [
        f"# Batch of {counted(len(verdict.batch), 'entry', 'entries')}\n",
        f"**File:** {span(verdict.report.file)}",
        f"**Verdict:** {verdict.verdict} ({verdict_words.reason(verdict)})",
        *(f"**Note:** {one_line(note)}" for note in verdict.report.notes),
        "",
    ]
    for row in file.batch:
        age = ", ".join((verdict_words.age(row.age), f"added {row.age.origin.date}", *row.marks))
        lines.append(f"<!-- {printable(row.entry.place)}: {age} -->")
        lines.append(f"{printable_lines(row.entry.text).rstrip()}\n")
    return "\n".join(lines)


MAX_UNGROUPED = 10  # listed; the groups above them are the answer


def groups_as_text(result: FileGroups) -> str:
    file, grouping = result
    grouped = counted(sum(len(group.members) for group in grouping.groups), "entry", "entries")
    groups, ungrouped = counted(len(grouping.groups), "group"), grouping.ungrouped
    blocks = [[f"{file}: {groups} of {grouped}, {len(ungrouped)} ungrouped"]]
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
    yield f"{group.topic} ({size}, score {group.score:.2f})"
    yield from (f"  {_entry_line(entry)}" for entry in group.members)
    yield "  because of"
    for word, lines in group.shared.items():
        yield f"    “{word}” in lines {', '.join(map(str, lines))}"


def _entry_line(entry: Entry) -> str:
    marks = ["superseded"] if entry.superseded else []
    if is_consolidated(entry) and "consolidated" not in entry.title:
        marks.append("consolidated")
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"{entry.place}: {entry.heading}{marked}"


def precheck_as_text(result: FileProposals[Precheck]) -> str:
    """Return a block for each finding; entries restored by one merge share a block."""
    file, scope, findings = result

    def kind(finding: Precheck) -> tuple[object, ...]:
        own = None if finding.against.commit else finding.entry.identity
        return finding.check, finding.action, finding.evidence, own

    head = f"{file}: {scope}, {counted(len(findings), 'finding')}"
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
    yield from (f"  {words}" for words in first.evidence)
    label = "only there" if first.action == DROP else "left"
    yield from (f"  {label}: {line}" for line in first.text.split("\n") if line)


def _heading(entry: Entry, mark: str = "") -> str:
    return f"{entry.heading} ({entry.place}{mark})"


def _against(finding: Precheck) -> str:
    against = finding.against
    if against.entry is not None:
        return f"{against.entry.heading} (line {against.line})"
    if against.target is None:
        return ""
    title = f" “{against.section}”" if against.section else ""
    return f"{against.target}:{against.line}{title}"


def routes_as_text(result: FileProposals[Route]) -> str:
    head = f"{result.file}: {result.scope}"
    return text_of_blocks(([head], *map(_route_lines, result.proposals)))


def _route_lines(route: Route) -> Iterator[str]:
    yield _heading(route.entry, ", superseded" if route.entry.superseded else "")
    if not route.candidates:
        yield "  no target file shares a word with it"
    for rank, candidate in enumerate(route.candidates, start=1):
        section = candidate.section
        title = f"“{section.title}”" if section.title else "above its first heading"
        place = f"{section.path}:{section.line}"
        yield f"  {rank}. {place} {title}, {counted(candidate.lines, 'line')}"
        yield from (f"     {reason}" for reason in candidate.why)
