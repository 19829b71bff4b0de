"""The references of memory entries: which are dead, and when the others were changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnings.check.reference_facts import References
from learnings.core.due.ages import AgeReport, EntryUse, use_of
from learnings.core.due.verdicts import NOT_DUE, Verdict
from learnings.core.entries.document import Document, read
from learnings.core.errors import UntrustedHistory
from learnings.core.progress import step
from learnings.history.change_dates import change_days
from learnings.history.git.repository import open_repository
from learnings.references.dead import EntryReferences, references_by_entry
from learnings.workspace.disk import content_of
from learnings.workspace.memory_file import MemoryFile


class Evidence(NamedTuple):
    """The history of the things that entries name, by identity; missing entries name nothing."""

    references: Mapping[str, EntryReferences] = {}
    uses: Mapping[str, EntryUse] = {}

    def of(self, identity: str) -> tuple[EntryReferences, EntryUse | None]:
        """Return the evidence for one entry."""
        return self.references.get(identity, EntryReferences()), self.uses.get(identity)


def evidence_of(file: MemoryFile, report: AgeReport | None) -> Evidence:
    """Return the evidence for the entries of a report; empty without a trusted history."""
    if report is None:
        return Evidence()
    references = entry_references(file, report.document)
    places = {place for found in references.values() for place in found.places}
    try:
        root = file.workspace.root
        days = change_days(open_repository(root), places) if places else {}
    except UntrustedHistory:
        return Evidence(references)
    uses = {}
    for age in report.entries:
        if found := references.get(age.entry.identity):
            on = {day for place in found.places for day in days.get(place, ())}
            if use := use_of(age, on, report.activity):
                uses[age.entry.identity] = use
    return Evidence(references, uses)


def entry_references(file: MemoryFile, document: Document) -> Mapping[str, EntryReferences]:
    """Return a memory's references by identity, if any; empty without a trusted history."""
    step(f"looking up what {file.name} refers to")
    root, references = file.workspace.root, References(file.workspace.tree)
    try:
        if not (document.entries and document.entries[0].path):
            judged = references.in_file(file.place, document, is_learnings=True)
            return references_by_entry(document, judged)
        found = {}
        for entry in document.entries:
            file_document = read(content_of(root / entry.path))
            judged = references.in_file(entry.path, file_document, is_learnings=False)
            paths = tuple(path for _, path in judged.named)
            found[entry.identity] = EntryReferences(paths, judged.dead)
    except (UntrustedHistory, ValueError):
        return {}
    return {identity: one for identity, one in found.items() if one.paths}


def batch_evidence(
    files: Sequence[MemoryFile], verdicts: Sequence[Verdict]
) -> Mapping[str, Evidence]:
    """Return the references of entries by file, for each file with a batch to consolidate."""
    shown = {v.report.file: v.report.document for v in verdicts if v.verdict != NOT_DUE and v.batch}
    return {
        file.name: Evidence(entry_references(file, shown[file.name]))
        for file in files
        if file.name in shown
    }
