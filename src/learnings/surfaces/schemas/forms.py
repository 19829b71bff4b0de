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
    triggers=js.each(js.TEXT)("For an anti-pattern: its triggers that occur in the story"),
    guidance=js.each(js.TEXT)(
        of=lambda one: one.entry.guidance if isinstance(one.entry, Principle) else ()
    ),
    severity=js.TEXT.or_null("For an anti-pattern", of=_of_failure("severity")),
    failure_mode=js.TEXT.or_null(of=_of_failure("failure_mode")),
    recommended_approach=js.TEXT.or_null(of=_of_failure("recommended_approach")),
    roles=js.each(js.TEXT)(of="entry.roles"),
    tags=js.each(js.TEXT)(of="entry.tags"),
)
BRIEFING = js.Head("briefing/1", "memory brief --story FILE").document(
    entries=js.each(_BRIEFED)("Most important first"),
    left_out=js.COUNT("Confident entries beyond the limit of the briefing"),
)

_STEP = js.Record(
    action=js.TEXT,
    entry=js.TEXT("Empty if the change concerns no entry"),
    before=js.NUMBER.or_null("Confidence before the change, null for a new entry"),
    after=js.NUMBER.or_null("Confidence after the change"),
    source=js.TEXT("Path of the observations file; empty if a limit caused the change"),
    observation=js.TEXT,
    line=js.LINE.if_any,
    reason=js.TEXT,
)
_PROBLEM = js.Record(path=js.TEXT, line=js.LINE, message=js.TEXT)
CURATION = js.Head("curation/1", "memory curate").document(
    written=js.BOOL("False with --dry-run: no file has changed", of="is_written"),
    completes=js.BOOL("True if the run only completes a killed run", of="curated.completes"),
    changes=js.each(_STEP)("In the order in which they were made", of="curated.changes"),
    files=js.each(js.TEXT)(
        "Paths of the written files",
        of=lambda one: [file.path for file in one.curated.written],
    ),
    captured=js.each(js.TEXT)(
        "Paths of the newly captured observations files", of="curated.captured"
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
    certain=js.COUNT("Active entries with a confidence of 1"),
    strongest=js.each(_SCORED, maxItems=5),
    near_archive=js.each(_SCORED)("Active entries with a confidence below 0.35, lowest first"),
    growth=js.each(_MONTH),
)


_TIER_FINDING = js.Record(
    work_unit=js.TEXT(of="unit"),
    file=js.TEXT("Path of the raw file, relative to the folder"),
    number=js.LINE("Its number in the raw file"),
    rule=js.TEXT("Empty without a rule"),
    description=js.TEXT,
    disposition=js.TEXT("As written; empty without a disposition"),
)
_SKIPPED = js.Record(file=js.TEXT(of="name"), reason=js.TEXT)
_FOUND = js.each(_TIER_FINDING.closed)
_SKIPPED_FILES = js.each(_SKIPPED.closed).but(description="Files that are not valid raw files")
_FOLDER = js.TEXT.but(description="As configured, relative to the root of the repository")
_COMPACTED = js.Record(
    name=js.TEXT,
    title=js.TEXT,
    state=js.one_of("new", "grown")(of=lambda theme: "new" if theme.before is None else "grown"),
    words=js.COUNT(of=lambda theme: words_of(theme.text)),
    added=_FOUND,
    text=js.TEXT("The whole theme file"),
)
TIERS_COMPACT = js.Head("tiers-compact/1", "tiers compact", closed=True).document(
    folder=_FOLDER(of="settings.path"),
    due=js.BOOL("A compaction was due; otherwise nothing is written", of="plan"),
    written=js.BOOL("False with --plan", of="is_written"),
    new=js.COUNT(of="plan.files.trigger.new"),
    processed=js.COUNT.or_null(
        "The number of raw files that INDEX covers afterwards", of="plan.files.trigger.valid"
    ),
    themes=js.each(_COMPACTED.closed)(
        "In the order in which they are written", of="plan.compaction.themes"
    ),
    left=_FOUND("Findings that wait for a theme", of="plan.compaction.left"),
    index=js.TEXT.or_null("The whole INDEX.md", of="plan.compaction.index_text"),
    files=js.each(js.TEXT)("Relative to the root, INDEX last", of="plan.paths"),
    skipped=_SKIPPED_FILES(of="plan.files.skipped"),
)

_PROMOTED = js.Record(
    title=js.TEXT,
    rule=js.TEXT,
    line=js.TEXT("Line for the memory that an agent always loads"),
    promoted=js.BOOL("All its findings, except dismissed ones, were promoted before"),
    work_units=js.each(js.TEXT)(of="units"),
    findings=_FOUND(of="observations"),
)
TIERS_PROMOTE = js.Head("tiers-promote/1", "tiers promote", closed=True).document(
    file=js.TEXT.or_null("Path of patterns.md; null without a folder of raw files"),
    rules=js.each(_PROMOTED.closed),
)

_THEME = js.Record(
    name=js.TEXT,
    words=js.COUNT,
    draft=js.BOOL("An unedited draft", of="is_draft"),
    added_lines=js.BOOL(
        "It has added lines that are not worked into its text",
        of=lambda theme: theme.added_units is not None,
    ),
)
TIERS_STATUS = js.Head("tiers-status/1", "tiers status", closed=True).document(
    folder=_FOLDER(of="settings.path"),
    exists=js.BOOL(of="files"),
    valid=js.COUNT("Valid raw files", of="files.trigger.valid"),
    processed=js.COUNT(
        "rawFilesProcessed in INDEX; 0 if it cannot be read", of="files.trigger.processed"
    ),
    new=js.COUNT("valid minus processed, at least 0", of="files.trigger.new"),
    due=js.BOOL(of="files.trigger.is_due"),
    strict_trigger=js.BOOL(of="settings.strict_trigger"),
    auto_compact=js.BOOL(of="settings.auto_compact"),
    last_compaction=js.TEXT.or_null(
        "As written in INDEX",
        of=lambda one: one.files and one.files.index_file.values.get("lastCompaction", [None])[0],
    ),
    themes=js.each(_THEME.closed)(of="files.themes"),
    findings=js.COUNT("The sum of in_themes, dismissed and waiting", of="account.total"),
    in_themes=js.COUNT(of="account.themed"),
    dismissed=js.COUNT("Findings that somebody dismissed", of="account.dismissed"),
    waiting=_FOUND("Findings without a theme", of="account.waiting"),
    index_lines=js.COUNT(
        "Lines below the front matter that are not blank", of="files.index_file.content"
    ),
    index_limit=js.COUNT(of=lambda _: INDEX_LINES),
    skipped=_SKIPPED_FILES(of="files.skipped"),
)
