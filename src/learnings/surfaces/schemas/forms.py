"""Documents about other memory forms: a confidence memory, and learning tiers."""

from __future__ import annotations

from learnings.confidence.values import AntiPattern, Principle
from learnings.forms.confidence.form import ENTRY_NOUNS
from learnings.surfaces.render.memory import active_entries, headline
from learnings.surfaces.schemas import fields as js
from learnings.tiers.tier_files import INDEX_LINES, words_of


def _of_failure(name: str) -> js.Find:
    """Return what finds an attribute of an anti-pattern; other entries have none."""
    return lambda one: getattr(one.entry, name) if isinstance(one.entry, AntiPattern) else None


_BRIEFED = js.Record(
    id=js.TEXT(of="entry.id"),
    text=js.TEXT(of=lambda one: headline(one.entry)),
    confidence=js.NUMBER(of="entry.confidence"),
    relevance=js.NUMBER.but(minimum=0, maximum=1),
    triggers=js.each(js.TEXT)("of an anti-pattern: those that the story has"),
    guidance=js.each(js.TEXT)(
        of=lambda one: one.entry.guidance if isinstance(one.entry, Principle) else ()
    ),
    severity=js.TEXT.or_null("of an anti-pattern", of=_of_failure("severity")),
    failure_mode=js.TEXT.or_null(of=_of_failure("failure_mode")),
    recommended_approach=js.TEXT.or_null(of=_of_failure("recommended_approach")),
    roles=js.each(js.TEXT)(of="entry.roles"),
    tags=js.each(js.TEXT)(of="entry.tags"),
)
BRIEFING = js.Head("briefing/1", "memory brief --story FILE").document(
    entries=js.each(_BRIEFED)("most important first"),
    left_out=js.COUNT("entries that are confident enough and less important"),
)

_STEP = js.Record(
    action=js.TEXT,
    entry=js.TEXT("empty where no entry is concerned"),
    before=js.NUMBER.or_null("confidence before, null for a new entry"),
    after=js.NUMBER.or_null("confidence after"),
    source=js.TEXT("path of the observations file; empty where a limit did it"),
    observation=js.TEXT,
    line=js.LINE.if_any,
    reason=js.TEXT,
)
_PROBLEM = js.Record(path=js.TEXT, line=js.LINE, message=js.TEXT)
CURATION = js.Head("curation/1", "memory curate").document(
    written=js.BOOL("false with --dry-run: the files are as they were", of="is_written"),
    completes=js.BOOL(
        "true for a run that only completes one that was killed", of="curated.completes"
    ),
    changes=js.each(_STEP)("in the order in which they were made", of="curated.changes"),
    files=js.each(js.TEXT)(
        "paths of the entries and marks that are written",
        of=lambda one: [file.path for file in one.curated.written],
    ),
    captured=js.each(js.TEXT)(
        "paths of the observations files that are captured now", of="curated.captured"
    ),
    active=js.counts(*ENTRY_NOUNS)(of=lambda one: active_entries(one.curated.memory)),
    problems=js.each(_PROBLEM)(of="curated.problems"),
)

_KIND_COUNT = js.Record(
    key=js.one_of(*ENTRY_NOUNS),
    active=js.COUNT,
    archived=js.COUNT,
    superseded=js.COUNT,
    limit=js.COUNT,
)
_SCORED = js.Record(id=js.TEXT, confidence=js.NUMBER, line=js.COUNT, text=js.TEXT(of=headline))
_MONTH = js.Record(month=js.TEXT.but(pattern=r"^\d{4}-\d{2}$"), created=js.COUNT, total=js.COUNT)
STATISTICS = js.Head("statistics/1", "memory stats").document(
    files=js.each(_KIND_COUNT)(of="kinds"),
    active=js.COUNT,
    certain=js.COUNT("active entries with a confidence of 1"),
    strongest=js.each(_SCORED, maxItems=5),
    near_archive=js.each(_SCORED)("active entries below 0.35, the lowest first"),
    growth=js.each(_MONTH),
)


_TIER_FINDING = js.Record(
    work_unit=js.TEXT(of="unit"),
    file=js.TEXT("the raw file, from the folder"),
    number=js.LINE("its place in the raw file"),
    rule=js.TEXT("empty for none"),
    description=js.TEXT,
    disposition=js.TEXT("as written; empty for none"),
)
_SKIPPED = js.Record(file=js.TEXT(of="name"), reason=js.TEXT)
_FOUND = js.each(_TIER_FINDING.closed)
_SKIPPED_FILES = js.each(_SKIPPED.closed).but(description="files that are no valid raw file")
_FOLDER = js.TEXT.but(description="as configured, from the root of the repository")
_COMPACTED = js.Record(
    name=js.TEXT,
    title=js.TEXT,
    state=js.one_of("new", "grown")(of=lambda theme: "new" if theme.before is None else "grown"),
    words=js.COUNT(of=lambda theme: words_of(theme.text)),
    added=_FOUND,
    text=js.TEXT("the whole theme file"),
)
TIERS_COMPACT = js.Head("tiers-compact/1", "tiers compact", closed=True).document(
    folder=_FOLDER(of="settings.path"),
    due=js.BOOL("a compaction was due; else nothing is written", of="plan"),
    written=js.BOOL("false with --plan", of="is_written"),
    new=js.COUNT(of="plan.files.trigger.new"),
    processed=js.COUNT.or_null(
        "the number of raw files that INDEX covers then", of="plan.files.trigger.valid"
    ),
    themes=js.each(_COMPACTED.closed)(
        "in the order in which they are written", of="plan.compaction.themes"
    ),
    left=_FOUND("findings that wait for a theme", of="plan.compaction.left"),
    index=js.TEXT.or_null("the whole INDEX.md", of="plan.compaction.index_text"),
    files=js.each(js.TEXT)("from the root, INDEX last", of="plan.paths"),
    skipped=_SKIPPED_FILES(of="plan.files.skipped"),
)

_PROMOTED = js.Record(
    title=js.TEXT,
    rule=js.TEXT,
    line=js.TEXT("for the memory that an agent always loads"),
    promoted=js.BOOL("each finding that was not dismissed has become a rule before"),
    work_units=js.each(js.TEXT)(of="units"),
    findings=_FOUND(of="observations"),
)
TIERS_PROMOTE = js.Head("tiers-promote/1", "tiers promote", closed=True).document(
    file=js.TEXT.or_null("patterns.md beside the folder; null without a folder"),
    rules=js.each(_PROMOTED.closed),
)

_THEME = js.Record(
    name=js.TEXT,
    words=js.COUNT,
    draft=js.BOOL("nobody has rewritten it", of="is_draft"),
    added_lines=js.BOOL(
        "it has lines that nobody has worked into its text",
        of=lambda theme: theme.added_units is not None,
    ),
)
TIERS_STATUS = js.Head("tiers-status/1", "tiers status", closed=True).document(
    folder=_FOLDER(of="settings.path"),
    exists=js.BOOL(of="files"),
    valid=js.COUNT("valid raw files", of="files.trigger.valid"),
    processed=js.COUNT(
        "rawFilesProcessed in INDEX; 0 where it cannot be read", of="files.trigger.processed"
    ),
    new=js.COUNT("valid less processed, never below 0", of="files.trigger.new"),
    due=js.BOOL(of="files.trigger.is_due"),
    strict_trigger=js.BOOL(of="settings.strict_trigger"),
    auto_compact=js.BOOL(of="settings.auto_compact"),
    last_compaction=js.TEXT.or_null(
        "as INDEX has it",
        of=lambda one: one.files and one.files.index_file.values.get("lastCompaction", [None])[0],
    ),
    themes=js.each(_THEME.closed)(of="files.themes"),
    findings=js.COUNT("in_themes, dismissed and waiting together", of="account.total"),
    in_themes=js.COUNT(of="account.themed"),
    dismissed=js.COUNT("findings that somebody decided not to keep", of="account.dismissed"),
    waiting=_FOUND("findings in no theme", of="account.waiting"),
    index_lines=js.COUNT(
        "lines below the front matter that are not blank", of="files.index_file.content"
    ),
    index_limit=js.COUNT(of=lambda _: INDEX_LINES),
    skipped=_SKIPPED_FILES(of="files.skipped"),
)
