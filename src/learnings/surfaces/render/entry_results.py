"""Results about the entries of files: verdicts, batches. Hooks need them, so they load fast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from learnings.forms.verdict_words import evidence_words

if TYPE_CHECKING:
    from learnings.app.consolidate.entry_references import Evidence
    from learnings.core.due.ages import EntryAge, EntryUse
    from learnings.core.due.verdicts import Verdict
    from learnings.forms.memory_form import FormStatus
    from learnings.references.dead import EntryReferences


class EntryRow:
    """An entry with its age, the references in it, and the use of what it names, if known."""

    def __init__(
        self, age: EntryAge, references: EntryReferences | None = None, use: EntryUse | None = None
    ) -> None:
        self.age, self.entry, self.references, self.use = age, age.entry, references, use

    @property
    def marks(self) -> list[str]:
        """The reasons to look at the entry, as clauses."""
        superseded = ["superseded"] if self.entry.superseded else []
        return [*superseded, *evidence_words(self.references, self.use)]


def rows_of(ages: Iterable[EntryAge], evidence: Evidence | None) -> list[EntryRow]:
    if evidence is None:
        return [EntryRow(age) for age in ages]
    return [EntryRow(age, *evidence.of(age.entry.identity)) for age in ages]


class JudgedFile:
    """The verdict on a file and its batch, with evidence for the entries if that was looked up."""

    def __init__(self, verdict: Verdict, evidence: Evidence | None = None) -> None:
        self.verdict, self.batch = verdict, rows_of(verdict.batch, evidence)


class DueResult:
    """The verdicts on files, memory of other forms, and the evidence by file."""

    def __init__(
        self,
        verdicts: Sequence[Verdict],
        forms: Sequence[FormStatus] = (),
        evidence: Mapping[str, Evidence] = {},
    ) -> None:
        self.verdicts, self.forms = verdicts, forms
        self.files = [JudgedFile(one, evidence.get(one.report.file)) for one in verdicts]

    @property
    def details(self) -> Mapping[str, object]:
        """The numbers of other forms, by the key of the form."""
        return {one.form.details_key: dict(one.details) for one in self.forms}
