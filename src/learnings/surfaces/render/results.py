"""Results of commands that have more than one part, as every renderer takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from learnings.surfaces.render.entry_results import EntryRow, rows_of

if TYPE_CHECKING:
    from learnings.app.consolidate.archives_on_disk import FoundEntry
    from learnings.app.consolidate.entry_references import Evidence
    from learnings.consolidation.groups.groups import Grouping
    from learnings.core.due.ages import AgeReport
    from learnings.core.settings.feature_tables import TierSettings
    from learnings.forms.confidence.curating import CurateResult
    from learnings.forms.tiers import CompactionPlan
    from learnings.index.headings import Heading
    from learnings.tiers.clusters import Promotion
    from learnings.tiers.compaction import Account
    from learnings.tiers.tier_files import TierFiles

T = TypeVar("T")


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
