"""The report on a memory: one HTML page, or its numbers as JSON (document `learnings.report/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from learnings.app.memory_report import FileReport, MemoryReport
from learnings.app.overview import Overview
from learnings.consolidation.groups.groups import Group
from learnings.core.cost import Cost
from learnings.core.due.ages import EntryAge
from learnings.core.due.verdicts import DUE, STARVED
from learnings.core.entries.document import Entry
from learnings.core.text import counted
from learnings.forms import verdict_words
from learnings.surfaces.render import charts
from learnings.surfaces.render.ages import document as ages_document
from learnings.surfaces.render.due import file_document as due_document
from learnings.surfaces.render.due import form_document
from learnings.surfaces.render.findings import document as findings_document
from learnings.surfaces.render.groups import groups_document
from learnings.surfaces.render.html_page import html_page
from learnings.surfaces.render.json_document import fields_of
from learnings.surfaces.render.overview import next_sentence
from learnings.surfaces.render.replay import file_document as replay_document

if TYPE_CHECKING:
    from learnings.surfaces.schemas import overviews as schemas

MOST_FINDINGS = 200
"""Findings with a row: more do not help on a page, and `learnings check` prints all."""
_SERIES_COLOURS = 6  # of consecutive groups; style.css has as many


class Answer(NamedTuple):
    """The top of a page: its level (good, warning, bad), a headline, and the reasons."""

    level: str
    headline: str
    reasons: tuple[str, ...]


class FileView(NamedTuple):
    """A learnings file with its charts."""

    report: FileReport
    ages: tuple[EntryAge, ...]
    bars: Sequence[charts.Bar]
    age_axis: charts.Series | None
    size: charts.Series | None
    cost: charts.Series | None
    due: Sequence[charts.ChartSpan]
    starved: Sequence[charts.ChartSpan]
    consolidations: Sequence[charts.Tick]
    groups: Sequence[GroupView]


class GroupView(NamedTuple):
    """A proposed group: its colour number, its arcs, and the positions of its members."""

    group: Group
    colour: int
    arcs: tuple[str, ...]
    members: tuple[Entry, ...]


def as_html(report: MemoryReport) -> str:
    findings = report.overview.report
    step = next_sentence(report.overview)
    return html_page(
        "report.html",
        report=report,
        answer=answer(report.overview),
        next=f"`{step}`" if step.startswith("learnings ") else step,  # commands are in backticks
        files=[file_view(file) for file in report.files],
        findings=findings.findings[:MOST_FINDINGS] if findings else (),
        more_findings=max(len(findings.findings) - MOST_FINDINGS, 0) if findings else 0,
        known=findings.known if findings else (),
        most_findings=MOST_FINDINGS,
        words=verdict_words,
    )


def answer(state: Overview) -> Answer:
    """Return a headline that says whether a memory is healthy, and the reasons."""
    verdicts = [file.verdict for file in state.learnings if file.verdict]
    problems = [status.problem for status in state.forms if status.problem]
    due = [verdict for verdict in verdicts if verdict.verdict == DUE]
    errors = state.report.errors if state.report else 0
    judged = [status for status in state.forms if not status.problem]
    reasons = tuple(status.sentence for status in judged)
    problems += [state.problem] if state.problem else []
    if problems:
        return Answer("bad", "The memory cannot be judged", (*dict.fromkeys(problems), *reasons))
    if not state.forms:
        return Answer("warning", "No learnings file yet", ())
    files = "" if len(verdicts) == 1 else f" in {counted(len(due), 'file')}"
    is_starved = any(verdict.verdict == STARVED for verdict in verdicts)
    warnings = (
        (due, f"Consolidation is due{files}"),
        (is_starved, "Too few entries are old enough to consolidate"),
        (any(status.needs_action for status in judged), "Other memory needs action"),
        (errors, f"{counted(errors, 'error')} to correct"),
    )
    headline = next((words for is_so, words in warnings if is_so), "")
    level = "warning" if headline else "good"
    return Answer(level, headline or "The memory is healthy", reasons)


def file_view(report: FileReport) -> FileView:
    """Return a file with its charts, or without charts if there is no history."""
    verdict, replay = report.overview.verdict, report.replay
    if verdict is None or replay is None:
        return FileView(report, (), (), None, None, None, (), (), (), ())
    days = [daily.day for daily in replay.daily_verdicts]
    ages = verdict.report.oldest_first
    bars, axis = charts.age_bars(ages, verdict.report.freshness)
    lines = [daily.lines for daily in replay.daily_verdicts]
    words = [daily.tokens for daily in replay.daily_verdicts]
    trigger = next(c.threshold for c in verdict.conditions if c.name == "size")
    return FileView(
        report=report,
        ages=ages,
        bars=bars,
        age_axis=axis,
        size=charts.series(days, lines, threshold=trigger) if days else None,
        cost=charts.series(days, words, threshold=None) if days else None,
        due=tuple(charts.due_spans(replay, DUE)),
        starved=tuple(charts.due_spans(replay, STARVED)),
        consolidations=tuple(charts.consolidations(replay)),
        groups=tuple(_groups(report)),
    )


def _groups(report: FileReport) -> Iterator[GroupView]:
    """Yield the groups with the arcs between their members, in file order."""
    verdict, grouping = report.overview.verdict, report.grouping
    if verdict is None or grouping is None:
        return
    entries = verdict.report.document.entries
    place = {entry.identity: 100 * (n + 0.5) / len(entries) for n, entry in enumerate(entries)}
    for number, group in enumerate(grouping.groups):
        members = tuple(member.entry for member in group.members)
        places = [place[entry.identity] for entry in members]
        arcs = tuple(charts.arc(a, b) for a, b in pairwise(places))
        yield GroupView(group, number % _SERIES_COLOURS, arcs, members)


def document(report: MemoryReport) -> schemas.ReportDocument:
    findings, cost = report.overview.report, report.cost
    references = report.overview.references
    return {
        "schema": "learnings.report/1",
        "name": report.name,
        "as_of": report.as_of,
        "problem": report.overview.problem,
        "files": [_file_document(file) for file in report.files],
        "cost": {
            **_cost_document(cost.total),
            "batches": _cost_document(cost.batches),
            "files": [{"path": file.path, **_cost_document(file.cost)} for file in cost.files],
            "agents": [{"agent": one.agent, **_cost_document(one.cost)} for one in cost.agents],
        },
        "targets": [fields_of(target) for target in report.targets],
        "indexes": [
            {
                "path": index.path,
                "rows": index.rows,
                "findings": [{"rule": rule, "count": count} for rule, count in index.findings],
            }
            for index in report.indexes
        ],
        "forms": [
            {
                **form_document(form.status),
                "files": [*form.files],
                "errors": form.findings.errors if form.findings else None,
                "notices": form.findings.notices if form.findings else None,
            }
            for form in report.forms
        ],
        "findings": findings_document(findings) if findings else None,
        "references": fields_of(references) if references else None,
    }


def _file_document(file: FileReport) -> schemas.ReportFile:
    path, verdict = file.overview.path, file.overview.verdict
    return {
        "file": path,
        "problem": file.overview.problem,
        "due": due_document(verdict, file.references) if verdict else None,
        "ages": ages_document(verdict.report) if verdict else None,
        "replay": replay_document(file.replay) if file.replay else None,
        "groups": groups_document(path, file.grouping) if file.grouping else None,
    }


def _cost_document(cost: Cost) -> schemas.ReportCost:
    return {"words": cost.words, "tokens": cost.tokens}
