"""Documents about other memory forms: a confidence memory, and learning tiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnings.confidence.values import AntiPattern, Principle
from learnings.forms.confidence.form import ENTRY_NOUNS
from learnings.surfaces.render.memory import active_entries, headline
from learnings.surfaces.schemas.fields import (
    BOOL,
    CLOSED,
    COUNT,
    LINE,
    NUMBER,
    TEXT,
    Document,
    Kind,
    Record,
    counts,
    each,
    one_of,
)
from learnings.tiers.tier_files import INDEX_LINES, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnings.confidence.summaries import BriefedEntry, Briefing, Statistics
    from learnings.confidence.values import CurationChange, ScoredEntry
    from learnings.forms.tiers import CompactionPlan
    from learnings.surfaces.render.results import (
        CurationReport,
        PromotedRules,
        TierCompaction,
        TierStatus,
    )
    from learnings.tiers.clusters import Promotion
    from learnings.tiers.compaction import ThemeChange
    from learnings.tiers.raw_files import RawObservation, SkippedFile
    from learnings.tiers.tier_files import ThemeFile, TierFiles


def _of_failure(name: str) -> Callable[[BriefedEntry], object]:
    """Return what finds an attribute of an anti-pattern; other entries have none."""
    return lambda one: getattr(one.entry, name) if isinstance(one.entry, AntiPattern) else None


_BRIEFED: Record[BriefedEntry] = Record(
    id=TEXT(of=lambda one: one.entry.id),
    text=TEXT(of=lambda one: headline(one.entry)),
    confidence=NUMBER(of=lambda one: one.entry.confidence),
    relevance=NUMBER.but(minimum=0, maximum=1),
    triggers=each(TEXT)("of an anti-pattern: those that the story has"),
    guidance=each(TEXT)(
        of=lambda one: one.entry.guidance if isinstance(one.entry, Principle) else ()
    ),
    severity=TEXT.or_null("of an anti-pattern", of=_of_failure("severity")),
    failure_mode=TEXT.or_null(of=_of_failure("failure_mode")),
    recommended_approach=TEXT.or_null(of=_of_failure("recommended_approach")),
    roles=each(TEXT)(of=lambda one: one.entry.roles),
    tags=each(TEXT)(of=lambda one: one.entry.tags),
)
BRIEFING: Document[Briefing] = Document(
    "briefing/1",
    "memory brief --story FILE",
    entries=each(_BRIEFED)("most important first"),
    left_out=COUNT("entries that are confident enough and less important"),
)

_STEP: Record[CurationChange] = Record(
    action=TEXT,
    entry=TEXT("empty where no entry is concerned"),
    before=NUMBER.or_null("confidence before, null for a new entry"),
    after=NUMBER.or_null("confidence after"),
    source=TEXT("path of the observations file; empty where a limit did it"),
    observation=TEXT,
    line=LINE.if_any,
    reason=TEXT,
)
_PROBLEM: Record[Any] = Record(path=TEXT, line=LINE, message=TEXT)
CURATION: Document[CurationReport] = Document(
    "curation/1",
    "memory curate",
    written=BOOL("false with --dry-run: the files are as they were", of=lambda one: one.is_written),
    completes=BOOL(
        "true for a run that only completes one that was killed",
        of=lambda one: one.curated.completes,
    ),
    changes=each(_STEP)("in the order in which they were made", of=lambda one: one.curated.changes),
    files=each(TEXT)(
        "paths of the entries and marks that are written",
        of=lambda one: [file.path for file in one.curated.written],
    ),
    captured=each(TEXT)(
        "paths of the observations files that are captured now", of=lambda one: one.curated.captured
    ),
    active=counts(*ENTRY_NOUNS)(of=lambda one: active_entries(one.curated.memory)),
    problems=each(_PROBLEM)(of=lambda one: one.curated.problems),
)

_KIND_COUNT: Record[Any] = Record(
    key=one_of(*ENTRY_NOUNS), active=COUNT, archived=COUNT, superseded=COUNT, limit=COUNT
)
_SCORED: Record[ScoredEntry] = Record(
    id=TEXT, confidence=NUMBER, line=COUNT, text=TEXT(of=headline)
)
_MONTH: Record[Any] = Record(month=TEXT.but(pattern=r"^\d{4}-\d{2}$"), created=COUNT, total=COUNT)
STATISTICS: Document[Statistics] = Document(
    "statistics/1",
    "memory stats",
    files=each(_KIND_COUNT)(of=lambda statistics: statistics.kinds),
    active=COUNT,
    certain=COUNT("active entries with a confidence of 1"),
    strongest=each(_SCORED, maxItems=5),
    near_archive=each(_SCORED)("active entries below 0.35, the lowest first"),
    growth=each(_MONTH),
)


def _closed(record: Record[Any]) -> Kind:
    return record.but(**CLOSED)


def _found(of: Callable[[TierFiles], object], otherwise: object) -> Callable[[TierStatus], object]:
    return lambda status: of(status.files) if status.files else otherwise


def _planned(
    of: Callable[[CompactionPlan], object], otherwise: object
) -> Callable[[TierCompaction], object]:
    return lambda one: of(one.plan) if one.plan else otherwise


_TIER_FINDING: Record[RawObservation] = Record(
    work_unit=TEXT(of=lambda one: one.unit),
    file=TEXT("the raw file, from the folder"),
    number=LINE("its place in the raw file"),
    rule=TEXT("empty for none"),
    description=TEXT,
    disposition=TEXT("as written; empty for none"),
)
_SKIPPED: Record[SkippedFile] = Record(file=TEXT(of=lambda one: one.name), reason=TEXT)
_FOUND = each(_closed(_TIER_FINDING))
_SKIPPED_FILES = each(_closed(_SKIPPED)).but(description="files that are no valid raw file")
_FOLDER = TEXT.but(description="as configured, from the root of the repository")
_COMPACTED: Record[ThemeChange] = Record(
    name=TEXT,
    title=TEXT,
    state=one_of("new", "grown")(of=lambda theme: "new" if theme.before is None else "grown"),
    words=COUNT(of=lambda theme: words_of(theme.text)),
    added=_FOUND,
    text=TEXT("the whole theme file"),
)
TIERS_COMPACT: Document[TierCompaction] = Document(
    "tiers-compact/1",
    "tiers compact",
    closed=True,
    folder=_FOLDER(of=lambda one: one.settings.path),
    due=BOOL("a compaction was due; else nothing is written", of=lambda one: one.plan is not None),
    written=BOOL("false with --plan", of=lambda one: one.is_written),
    new=COUNT(of=_planned(lambda plan: plan.files.trigger.new, 0)),
    processed=COUNT.or_null(
        "the number of raw files that INDEX covers then",
        of=_planned(lambda plan: plan.files.trigger.valid, None),
    ),
    themes=each(_closed(_COMPACTED))(
        "in the order in which they are written",
        of=_planned(lambda plan: plan.compaction.themes, ()),
    ),
    left=_FOUND(
        "findings that wait for a theme", of=_planned(lambda plan: plan.compaction.left, ())
    ),
    index=TEXT.or_null(
        "the whole INDEX.md", of=_planned(lambda plan: plan.compaction.index_text, None)
    ),
    files=each(TEXT)("from the root, INDEX last", of=_planned(lambda plan: plan.paths, ())),
    skipped=_SKIPPED_FILES(of=_planned(lambda plan: plan.files.skipped, ())),
)

_PROMOTED: Record[Promotion] = Record(
    title=TEXT,
    rule=TEXT,
    line=TEXT("for the memory that an agent always loads"),
    promoted=BOOL("each finding that was not dismissed has become a rule before"),
    work_units=each(TEXT)(of=lambda promotion: promotion.units),
    findings=_FOUND(of=lambda promotion: promotion.observations),
)
TIERS_PROMOTE: Document[PromotedRules] = Document(
    "tiers-promote/1",
    "tiers promote",
    closed=True,
    file=TEXT.or_null("patterns.md beside the folder; null without a folder"),
    rules=each(_closed(_PROMOTED)),
)

_THEME: Record[ThemeFile] = Record(
    name=TEXT,
    words=COUNT,
    draft=BOOL("nobody has rewritten it", of=lambda theme: theme.is_draft),
    added_lines=BOOL(
        "it has lines that nobody has worked into its text",
        of=lambda theme: theme.added_units is not None,
    ),
)
TIERS_STATUS: Document[TierStatus] = Document(
    "tiers-status/1",
    "tiers status",
    closed=True,
    folder=_FOLDER(of=lambda one: one.settings.path),
    exists=BOOL(of=lambda one: one.files is not None),
    valid=COUNT("valid raw files", of=_found(lambda files: files.trigger.valid, 0)),
    processed=COUNT(
        "rawFilesProcessed in INDEX; 0 where it cannot be read",
        of=_found(lambda files: files.trigger.processed, 0),
    ),
    new=COUNT("valid less processed, never below 0", of=_found(lambda files: files.trigger.new, 0)),
    due=BOOL(of=_found(lambda files: files.trigger.is_due, otherwise=False)),
    strict_trigger=BOOL(of=lambda one: one.settings.strict_trigger),
    auto_compact=BOOL(of=lambda one: one.settings.auto_compact),
    last_compaction=TEXT.or_null(
        "as INDEX has it",
        of=_found(lambda files: files.index_file.values.get("lastCompaction", (None, 0))[0], None),
    ),
    themes=each(_closed(_THEME))(of=_found(lambda files: files.themes, ())),
    findings=COUNT("in_themes, dismissed and waiting together", of=lambda one: one.account.total),
    in_themes=COUNT(of=lambda one: one.account.themed),
    dismissed=COUNT(
        "findings that somebody decided not to keep", of=lambda one: one.account.dismissed
    ),
    waiting=_FOUND("findings in no theme", of=lambda one: one.account.waiting),
    index_lines=COUNT(
        "lines below the front matter that are not blank",
        of=_found(lambda files: len(files.index_file.content), 0),
    ),
    index_limit=COUNT(of=lambda _: INDEX_LINES),
    skipped=_SKIPPED_FILES(of=_found(lambda files: files.skipped, ())),
)
