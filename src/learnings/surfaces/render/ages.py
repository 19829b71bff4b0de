"""The age report in each format: Markdown, text, one line, JSON (document `learnings.ages/2`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.due.ages import COMMIT, LATEST, UNCOMMITTED, AgeReport, EntryAge, Origin
from learnings.core.text import counted, printable, shortened
from learnings.forms.verdict_words import age as age_words
from learnings.forms.verdict_words import basis, use_words
from learnings.surfaces.render.json_document import entry_reference, use_document
from learnings.surfaces.render.lines import joined_lines, line, span

if TYPE_CHECKING:
    from learnings.app.consolidate.entry_references import Evidence
    from learnings.core.entries.document import Entry
    from learnings.surfaces.schemas.entries import AgesDocument, GapFields


@joined_lines
def as_markdown(
    report: AgeReport, evidence: Evidence | None = None, *, is_named: bool = False
) -> Iterator[str]:
    """Return the report, oldest entry first; is_named is True if it is one of several.

    With evidence, each entry says when the things it names were changed.
    """
    bound = "≥ " if report.history.shallow else ""
    last = "unknown (no prior consolidation detected)"
    if report.staleness is not None:
        last = f"{bound}{counted(report.staleness, 'active day')} ago"
    yield "# Learning Ages Report"
    yield ""
    if is_named:
        yield f"**File:** {span(report.file)}"
    yield f"**File lines:** {report.lines}"
    yield f"**Last consolidation:** {last}"
    yield f"**Total entries:** {len(report.entries)}"
    yield f"**Entries ≥{report.freshness} active days:** {bound}{len(report.fresh)}"
    consolidation = report.history.consolidation
    if consolidation is not None:
        uncommitted = "" if consolidation.commit else " (not committed yet)"
        removed = f"{consolidation.removed}{uncommitted}"
        yield f"**Entries removed then:** {removed if consolidation.removed else '0 (all kept)'}"
    for note in report.history.notes:
        yield f"**Note:** {line(note)}"
    for entry_age in report.oldest_first:
        entry, origin = entry_age.entry, entry_age.origin
        yield ""
        yield f"## {line(entry.heading)}"
        why = f" ({line(origin.reason or '')})" if entry_age.active_days is None else ""
        yield f"- Age: {age_words(entry_age)}{why}"
        is_uncommitted = origin.basis == UNCOMMITTED
        yield f"- Added: {'not committed yet' if is_uncommitted else origin.date or 'unknown'}"
        if origin.basis not in (COMMIT, UNCOMMITTED):
            yield f"- Rests on: {basis(origin, line)}"
        if evidence is not None:
            yield f"- What it names changed: {_use_words(entry, evidence)}"
        if entry.superseded:
            yield "- Superseded"


_LEAST_TITLE = 12
"""Characters of a title shown on the narrowest terminal."""


@joined_lines
def as_text(
    report: AgeReport,
    evidence: Evidence | None = None,
    *,
    is_named: bool = False,  # noqa: ARG001  (each report names its file)
    width: int | None = None,
) -> Iterator[str]:
    """Return a row for each entry, oldest first; titles are cut to the width if given."""
    yield f"{printable(report.file)}: {as_summary(report)}".rstrip("\n")
    for note in report.history.notes:
        yield f"  note: {printable(note)}"
    ages = [
        "?" if one.active_days is None else f"{'≥' if one.lower_bound else ''}{one.active_days}"
        for one in report.oldest_first
    ]
    if not ages:
        return
    number = max(len("age"), *map(len, ages))
    yield f"  {'age':>{number}}  {'added':<11}  title"
    indent = f"  {'':{number}}  {'':11}  "
    most = None if width is None else max(width - len(indent), _LEAST_TITLE)
    for age, entry_age in zip(ages, report.oldest_first, strict=True):
        origin = entry_age.origin
        added = "uncommitted" if origin.basis == UNCOMMITTED else origin.date or "unknown"
        title = printable(" ".join(entry_age.entry.heading.split())) or "(no title)"
        yield f"  {age:>{number}}  {added:<11}  {_cut(title, most)}"
        remarks = "; ".join(_remarks(entry_age, evidence))
        if remarks:
            yield f"{indent}{_cut(f'- {remarks}', most)}"


def _cut(text: str, most: int | None) -> str:
    return text if most is None else shortened(text, most)


def _remarks(entry_age: EntryAge, evidence: Evidence | None) -> Iterator[str]:
    entry, origin = entry_age.entry, entry_age.origin
    if entry_age.active_days is None and origin.reason:
        yield f"age unknown: {printable(origin.reason)}"
    if origin.basis not in (COMMIT, UNCOMMITTED):
        yield basis(origin, printable)
    if evidence is not None:
        yield f"what it names changed: {_use_words(entry, evidence)}"
    if entry.superseded:
        yield "superseded"


def _use_words(entry: Entry, evidence: Evidence) -> str:
    use = evidence.uses.get(entry.identity)
    return use_words(use) if use else "not known"


def as_summary(report: AgeReport, *_: object, is_named: bool = False) -> str:
    """Return one line; it names the file if it is one of several."""
    bound = "≥" if report.history.shallow else ""
    last = "no prior consolidation"
    if report.staleness is not None:
        last = f"consolidation {bound}{report.staleness}d ago"
    fresh = f"{bound}{len(report.fresh)} ≥{report.freshness} days"
    name = f"{printable(report.file)}: " if is_named else ""
    return f"{name}{counted(len(report.entries), 'entry', 'entries')} ({fresh}, {last})\n"


def _gap(origin: Origin) -> GapFields | None:
    if origin.gap is None:
        return None
    left, back = (day if day not in ("", LATEST) else None for day in origin.gap)
    return {"left": left, "back": back}


def document(report: AgeReport, evidence: Evidence | None = None) -> AgesDocument:
    history = report.history
    last = history.consolidation
    uses = evidence.uses if evidence is not None else {}
    return {
        "schema": "learnings.ages/2",
        "file": report.file,
        "lines": report.lines,
        "dialect": report.document.dialect.name,
        "as_of": history.activity.as_of,
        "history": {
            "head": history.head or None,
            "shallow": history.shallow,
            "active_days": len(history.activity.days),
            "skewed_commits": history.activity.skewed_commits,
            "notes": list(history.notes),
        },
        "last_consolidation": last
        and {
            "commit": last.commit,
            "date": last.date,
            "active_days": report.staleness or 0,
            "removed": last.removed,
        },
        "fresh": {"at_least": report.freshness, "count": len(report.fresh)},
        "entries": [
            {
                **entry_reference(entry),
                "added": origin.date,
                "commit": origin.commit,
                "active_days": active_days,
                "lower_bound": lower_bound,
                "basis": origin.basis,
                "moved_from": origin.moved_from,
                "gap": _gap(origin),
                "reason": origin.reason,
                "superseded": entry.superseded,
                "used": use_document(uses.get(entry.identity)),
            }
            for entry, origin, active_days, lower_bound in report.entries
        ],
    }
