"""The batch of a verdict in each format: Markdown, JSON (document `learnings.batch/1`).

Markdown output keeps the Markdown of entries, because agents parse it again; only invisible
characters are escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnings.app.consolidate.entry_references import NO_EVIDENCE, Evidence
from learnings.core.due.verdicts import Verdict
from learnings.core.text import counted, printable, printable_lines
from learnings.forms import verdict_words
from learnings.forms.verdict_words import evidence_words
from learnings.surfaces.render.escape import line, span
from learnings.surfaces.render.json_document import (
    entry_reference,
    references_document,
    use_document,
)

if TYPE_CHECKING:
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
