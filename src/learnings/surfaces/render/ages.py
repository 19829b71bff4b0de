"""The age report as Markdown, as text, and in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.due.ages import COMMIT, UNCOMMITTED
from learnings.core.text import counted, printable, shortened
from learnings.forms.verdict_words import age as age_words
from learnings.forms.verdict_words import basis, use_words
from learnings.surfaces.render.due import EntryRow, rows_of
from learnings.surfaces.render.writing import joined_lines, one_line, span, text_lines

if TYPE_CHECKING:
    from learnings.app.consolidate.entry_references import Evidence
    from learnings.core.due.ages import AgeReport


class AgesResult(NamedTuple):
    """The ages of a file; evidence is there with --used. `is_named`: it is one of several."""

    report: AgeReport
    evidence: Evidence | None = None
    is_named: bool = False

    @property
    def rows(self) -> list[EntryRow]:
        """The entries in file order."""
        return rows_of(self.report.entries, self.evidence)

    @property
    def oldest_first(self) -> list[EntryRow]:
        return rows_of(self.report.oldest_first, self.evidence)


@joined_lines
def as_markdown(result: AgesResult) -> Iterator[str]:
    """Return the report, oldest entry first."""
    report = result.report
    bound = "≥ " if report.shallow else ""
    last = "unknown (no prior consolidation detected)"
    if report.staleness is not None:
        last = f"{bound}{counted(report.staleness, 'active day')} ago"
    yield "# Learning Ages Report"
    yield ""
    if result.is_named:
        yield f"**File:** {span(report.file)}"
    label = "Files" if report.is_folder else "File lines"
    yield f"**{label}:** {report.document.size.number}"
    yield f"**Last consolidation:** {last}"
    yield f"**Total entries:** {len(report.entries)}"
    yield f"**Entries ≥{report.settings.freshness} active days:** {bound}{len(report.fresh)}"
    consolidation = report.consolidation
    if consolidation is not None:
        uncommitted = "" if consolidation.commit else " (not committed yet)"
        removed = f"{consolidation.removed}{uncommitted}"
        yield f"**Entries removed then:** {removed if consolidation.removed else '0 (all kept)'}"
    for note in report.notes:
        yield f"**Note:** {one_line(note)}"
    for row in result.oldest_first:
        entry, origin = row.entry, row.age.origin
        yield ""
        yield f"## {one_line(entry.heading)}"
        why = f" ({one_line(origin.reason or '')})" if row.age.active_days is None else ""
        yield f"- Age: {age_words(row.age)}{why}"
        is_uncommitted = origin.basis == UNCOMMITTED
        yield f"- Added: {'not committed yet' if is_uncommitted else origin.date or 'unknown'}"
        if origin.basis not in (COMMIT, UNCOMMITTED):
            yield f"- Rests on: {basis(origin, one_line)}"
        if result.evidence is not None:
            yield f"- Its files and commands changed: {_use_words(row)}"
        if entry.superseded:
            yield "- Superseded"


_LEAST_TITLE = 12
"""Characters of a title shown on the narrowest terminal."""


@text_lines
def as_text(result: AgesResult, *, width: int = sys.maxsize) -> Iterator[str]:
    """Return a row for each entry, oldest first, with titles cut to the width."""
    report = result.report
    yield as_summary(result._replace(is_named=True)).rstrip("\n")
    for note in report.notes:
        yield f"  note: {note}"
    ages = [
        "?" if one.active_days is None else f"{'≥' if one.lower_bound else ''}{one.active_days}"
        for one in report.oldest_first
    ]
    if not ages:
        return
    number = max(len("age"), *map(len, ages))
    yield f"  {'age':>{number}}  {'added':<11}  title"
    indent = f"  {'':{number}}  {'':11}  "
    most = max(width - len(indent), _LEAST_TITLE)
    for age, row in zip(ages, result.oldest_first, strict=True):
        origin = row.age.origin
        added = "uncommitted" if origin.basis == UNCOMMITTED else origin.date or "unknown"
        title = printable(" ".join(row.entry.heading.split())) or "(no title)"
        yield f"  {age:>{number}}  {added:<11}  {shortened(title, most)}"
        remarks = "; ".join(_remarks(row, has_evidence=result.evidence is not None))
        if remarks:
            yield f"{indent}{shortened(printable(f'- {remarks}'), most)}"


def _remarks(row: EntryRow, *, has_evidence: bool) -> Iterator[str]:
    origin = row.age.origin
    if row.age.active_days is None and origin.reason:
        yield f"age unknown: {origin.reason}"
    if origin.basis not in (COMMIT, UNCOMMITTED):
        yield basis(origin, str)
    if has_evidence:
        yield f"its files and commands changed: {_use_words(row)}"
    if row.entry.superseded:
        yield "superseded"


def _use_words(row: EntryRow) -> str:
    return use_words(row.use) if row.use else "not known"


def as_summary(result: AgesResult) -> str:
    """Return one line; it names the file if it is one of several."""
    report = result.report
    bound = "≥" if report.shallow else ""
    last = "no prior consolidation"
    if report.staleness is not None:
        last = f"consolidation {bound}{report.staleness}d ago"
    fresh = f"{bound}{len(report.fresh)} ≥{report.settings.freshness} days"
    name = f"{printable(report.file)}: " if result.is_named else ""
    return f"{name}{counted(len(report.entries), 'entry', 'entries')} ({fresh}, {last})\n"
