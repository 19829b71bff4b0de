"""Results of commands that have more than one part. Hooks need them, so this module loads fast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from learnings.forms.verdict_words import evidence_words

if TYPE_CHECKING:
    from learnings.app.consolidate.archives_on_disk import FoundEntry
    from learnings.app.consolidate.entry_references import Evidence
    from learnings.consolidation.groups.groups import Grouping
    from learnings.core.due.ages import AgeReport, EntryAge, EntryUse
    from learnings.core.due.verdicts import Verdict
    from learnings.core.entries.document import Entry
    from learnings.core.settings.setting_values import TierSettings
    from learnings.forms.confidence.curating import CurateResult
    from learnings.forms.memory_form import FormStatus
    from learnings.forms.tiers import CompactionPlan
    from learnings.index.headings import Heading
    from learnings.references.dead import EntryReferences
    from learnings.tiers.clusters import Promotion
    from learnings.tiers.compaction import Account
    from learnings.tiers.tier_files import TierFiles

T = TypeVar("T")


class EntryRow(NamedTuple):
    """An entry with its age, the references in it, and the use of what it names, if known."""

    age: EntryAge
    references: EntryReferences | None = None
    use: EntryUse | None = None

    @property
    def entry(self) -> Entry:
        return self.age.entry

    @property
    def marks(self) -> list[str]:
        """The reasons to look at the entry, as clauses."""
        superseded = ["superseded"] if self.age.entry.superseded else []
        return [*superseded, *evidence_words(self.references, self.use)]


def rows_of(ages: Iterable[EntryAge], evidence: Evidence | None) -> list[EntryRow]:
    if evidence is None:
        return [EntryRow(age) for age in ages]
    return [EntryRow(age, *evidence.of(age.entry.identity)) for age in ages]


class JudgedFile(NamedTuple):
    """The verdict on a file, with evidence for the entries of its batch if that was looked up."""

    verdict: Verdict
    evidence: Evidence | None = None

    @property
    def batch(self) -> list[EntryRow]:
        return rows_of(self.verdict.batch, self.evidence)


class DueResult(NamedTuple):
    """The verdicts on files, memory of other forms, and the evidence by file."""

    verdicts: Sequence[Verdict]
    forms: Sequence[FormStatus] = ()
    evidence: Mapping[str, Evidence] = {}

    @property
    def files(self) -> list[JudgedFile]:
        return [JudgedFile(one, self.evidence.get(one.report.file)) for one in self.verdicts]

    @property
    def details(self) -> Mapping[str, object]:
        """The numbers of other forms, by the key of the form."""
        return {one.form.details_key: dict(one.details) for one in self.forms}


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


class FileGroups(NamedTuple):
    file: str
    grouping: Grouping


class FileProposals(NamedTuple, Generic[T]):
    """Proposals for the entries of a file; scope says in words which entries."""

    file: str
    scope: str
    proposals: Sequence[T]


class FileHeadings(NamedTuple):
    file: str
    headings: Sequence[Heading]


class CurationReport(NamedTuple):
    curated: CurateResult
    is_written: bool


class TierStatus(NamedTuple):
    """The learning tiers, if there are any, their settings, and where their findings are."""

    files: TierFiles | None
    settings: TierSettings
    account: Account


class TierCompaction(NamedTuple):
    """A compaction, None if none was due, the settings of the tiers, and whether it is written."""

    plan: CompactionPlan | None
    settings: TierSettings
    is_written: bool


class PromotedRules(NamedTuple):
    """The file of rules, None without a folder of raw files, and the proposed rules."""

    file: str | None
    rules: Sequence[Promotion]


class ArchivedEntry(NamedTuple):
    """An entry in an archive, whether it is in its file again, and the command that restores it."""

    found: FoundEntry
    is_back: bool
    restore: str


class ArchivedFile(NamedTuple):
    """The entries that left a file, the newest first."""

    file: str
    entries: Sequence[ArchivedEntry]
