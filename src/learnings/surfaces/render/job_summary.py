"""The summary of a CI job: verdicts, the effects of a change, file growth, findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.app.inspection import Inspection
from learnings.consolidation.proof.results import Kind, Proof
from learnings.core.due.forecast import SizeSeries
from learnings.core.due.verdicts import DUE, STARVED, TRIGGERS, Verdict
from learnings.core.findings.finding import CheckReport, joined_by_cause
from learnings.core.text import counted
from learnings.forms import verdict_words
from learnings.forms.verdict_words import next_step
from learnings.surfaces.render import overview
from learnings.surfaces.render.due import form_sentence
from learnings.surfaces.render.proof import (
    Found,
    archive_commands,
    loss_message,
    notice_message,
    summary_sentence,
)
from learnings.surfaces.render.writing import cell, span, table

LARGEST_SUMMARY = 1_048_576  # bytes that GitHub accepts for the summary of a step
_RESERVE = 4_096  # bytes for the lines on the issue at the end; chosen, about 40 lines
_HEAD = (
    "Each number is shown with its threshold: the size, the active days since the last "
    "consolidation,\nand the entries old enough for the next one.\n\n"
)
_COLUMNS = ("file", "consolidation", *(f":{name}" for name in (*TRIGGERS, "batch")))
_SIGNS = {DUE: "**due**", STARVED: "starved"}


def as_markdown(inspection: Inspection, *, room: int = LARGEST_SUMMARY - _RESERVE) -> str:
    """Return the summary in at most `room` bytes, shortened by whole rows from the end."""
    text = ""
    for part in _parts(inspection):
        text = with_part(text, part, room)
    return text


class SummaryPart(NamedTuple):
    """A part of the summary; rows that do not fit are only counted."""

    head: str
    rows: tuple[str, ...] = ()


def with_part(text: str, part: SummaryPart, room: int) -> str:
    """Return the text with the part below it, which fills at most `room` bytes."""
    head = f"{text}{part.head}\n"
    left = room - len(head.encode("utf-8", "surrogateescape")) - 100
    if left < 0:
        return text
    shown = []
    for row in part.rows:
        left -= len(row.encode("utf-8", "surrogateescape")) + 1
        if left < 0:
            break
        shown.append(f"{row}\n")
    missing = len(part.rows) - len(shown)
    more = f"\n{counted(missing, 'more row')} left out for lack of space\n" if missing else ""
    return f"{head}{''.join(shown)}{more}\n"


def _parts(inspection: Inspection) -> Iterator[SummaryPart]:
    yield SummaryPart("## Learnings")
    for sentence in inspection.problems:
        yield SummaryPart(f"> **Not known:** {span(sentence)}\n")
    if inspection.verdicts:
        yield _table(_HEAD, _COLUMNS, map(_verdict_row, inspection.verdicts))
    if inspection.cost.total.words:
        yield SummaryPart(f"The memory costs {overview.cost_sentence(inspection.cost)}.")
    for status in inspection.forms:
        yield SummaryPart(form_sentence(status))
    steps = (*map(next_step, inspection.verdicts), *(status.next for status in inspection.forms))
    commands = [command for command in steps if command]
    if commands:
        yield SummaryPart("Next:\n", tuple(f"- {span(command)}" for command in commands))
    rows = tuple(_change_rows(inspection))
    if rows:
        yield SummaryPart("### What this change does\n", rows)
    proof = inspection.verification.proof if inspection.verification else Proof()
    rows = tuple(_loss_rows(proof))
    if rows:
        yield SummaryPart("### What this change loses\n", rows)
    yield _findings_part(inspection.report)
    for file, growth in inspection.charts:
        yield SummaryPart(f"### Lines of {span(file)}\n\n{growth_chart(growth)}")


def _change_rows(inspection: Inspection) -> Iterator[str]:
    before = inspection.cost_before or inspection.cost
    old, new = before.total.tokens, inspection.cost.total.tokens
    if old != new:
        yield f"- {new - old:+,} tokens in each session: about {old:,} → {new:,}"
    for delta in inspection.deltas:
        size = "new" if delta.before is None else str(delta.before.number)
        limit = counted(delta.limit, delta.after.unit)
        yield f"- {span(delta.file)}: {size} → {delta.after.number} of {limit}"
        for entry, similar in delta.near:
            yield f"  - {span(similar.heading)} is a near-duplicate of {span(entry.heading)}"
    if inspection.changes:
        yield f"- {summary_sentence(inspection.changes)}"
        yield from (f"  - {Found.of(change).item}" for change in inspection.changes)


def _table(head: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> SummaryPart:
    title, rule, *lines = table(columns, rows)
    return SummaryPart(f"{head}{title}\n{rule}", tuple(lines))


def _verdict_row(verdict: Verdict) -> Sequence[str]:
    word = _SIGNS.get(verdict.verdict, verdict.verdict)
    reason = verdict_words.outlook(verdict) or verdict_words.reason(verdict)
    shares = (
        f"{'never' if one.value is None else one.value}/{one.threshold}"
        for one in (*verdict.conditions.triggers, verdict.conditions.batch)
    )
    return (cell(verdict.report.file), f"{word}: {reason}", *shares)


def _loss_rows(proof: Proof) -> Iterator[str]:
    rows = [("**lost**", loss.after, loss_message(loss)) for loss in proof.losses]
    # The list of changes already shows rewordings.
    notices = (notice for notice in proof.notices if notice.kind != Kind.REWORDED)
    rows += [("look", notice.after, notice_message(notice)) for notice in notices]
    for word, (path, line), message in rows:
        yield f"- {word} at {span(f'{path}:{line}')}: {span(message)}"
    for command in archive_commands(proof.losses):
        yield f"- put the entries back, or archive them: {span(command)}"


def _findings_part(report: CheckReport) -> SummaryPart:
    head = f"### Findings\n\n{report.counts}\n"
    if not report.findings:
        return SummaryPart(head)
    rows = (
        (one.severity.value, cell(f"{one.path}:{one.line}"), one.rule, cell(one.message))
        for one in joined_by_cause(report.findings)
    )
    return _table(f"{head}\n", ("", "location", "rule", "finding"), rows)


# Set the colours, because the first default is nearly white.
_CHART_LOOK = (
    '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#2f81f7, #e5534b"}}}}%%'
)


def growth_chart(growth: SizeSeries) -> str:
    """Return a fenced Mermaid block with the lines and the threshold."""
    last = growth.first + len(growth.lines) - 1
    top = max(*growth.lines, growth.threshold)
    ceiling = top + max(10, top // 10)
    return "\n".join(
        (
            "```mermaid",
            _CHART_LOOK,
            "xychart-beta",
            f'    x-axis "active days until {growth.as_of}" {growth.first} --> {last}',
            f'    y-axis "lines" 0 --> {ceiling}',
            f"    line {list(growth.lines)}",
            f"    line {[growth.threshold] * len(growth.lines)}",
            "```",
        )
    )
