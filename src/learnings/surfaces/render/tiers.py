"""The output of `learnings tiers` in each format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.settings.feature_tables import TierSettings
from learnings.core.text import counted, printable
from learnings.forms.tiers import CompactionPlan, compaction_lines
from learnings.surfaces.render.lines import joined_lines, joined_printable_lines
from learnings.surfaces.render.outcomes import commit_lines
from learnings.tiers.compaction import waiting_in
from learnings.tiers.raw_files import RawObservation, SkippedFile, item_of
from learnings.tiers.tier_files import INDEX_LINES, INDEX_NAME, TierFiles, is_rest, words_of

if TYPE_CHECKING:
    from learnings.surfaces.schemas import form_documents as schemas
    from learnings.tiers.clusters import Promotion


@joined_lines
def tiers_status_as_text(files: TierFiles | None, settings: TierSettings) -> Iterator[str]:
    if files is None:
        return
    trigger, index = files.trigger, files.index_file
    due = "compaction is due" if trigger.is_due else "not due"
    yield f"{printable(files.folder)}: {due}: {trigger.reason}"
    covered = trigger.valid - trigger.new
    skipped = f", {len(files.skipped)} skipped" if files.skipped else ""
    yield f"  raw files  {trigger.valid} valid, {covered} of them compacted{skipped}"
    drafts = [one.name for one in files.themes if one.is_draft and not is_rest(one.name)]
    about_drafts = f", {counted(len(drafts), 'draft')} to rewrite" if drafts else ""
    yield f"  themes     {len(files.themes)}{about_drafts}"
    yield from (f"             {name}" for name in drafts)
    waiting = waiting_in(files)
    if waiting:
        yield f"  waiting    {counted(len(waiting), 'finding')} in no theme"
        yield from (
            f"             {printable(f'{one.file}#{one.number} {item_of(one).short}')}"
            for one in waiting
        )
    if index.data is not None:
        text, _ = index.values.get("lastCompaction", ("unknown", 0))
        count = f"{len(index.content)} of {INDEX_LINES} lines"
        yield f"  {INDEX_NAME}   {count}, written {printable(text)}"
    if trigger.is_due and not settings.auto_compact:
        yield "  next       `learnings tiers compact`, since auto-compact is off"


def skipped_lines(files: TierFiles) -> Iterator[str]:
    for file in files.skipped:
        yield f"{printable(f'{files.folder}/{file.name}')} is skipped: it {printable(file.reason)}"


def tiers_status_document(
    files: TierFiles | None, settings: TierSettings
) -> schemas.TiersStatusDocument:
    trigger = files.trigger if files else None
    index = files.index_file if files else None
    return {
        "schema": "learnings.tiers-status/1",
        "folder": settings.path,
        "exists": files is not None,
        "valid": trigger.valid if trigger else 0,
        "processed": trigger.processed if trigger else 0,
        "new": trigger.new if trigger else 0,
        "due": trigger is not None and trigger.is_due,
        "strict_trigger": settings.strict_trigger,
        "auto_compact": settings.auto_compact,
        "last_compaction": index.values.get("lastCompaction", (None, 0))[0] if index else None,
        "themes": [
            {"name": theme.name, "words": theme.words, "draft": theme.is_draft}
            for theme in (files.themes if files else ())
        ],
        "waiting": _finding_values(waiting_in(files) if files else ()),
        "index_lines": len(index.content) if index else 0,
        "index_limit": INDEX_LINES,
        "skipped": _skipped_values(files.skipped if files else ()),
    }


def _skipped_values(skipped: Sequence[SkippedFile]) -> list[schemas.TiersSkippedFile]:
    return [{"file": file.name, "reason": file.reason} for file in skipped]


@joined_lines
def tiers_compact_as_text(
    plan: CompactionPlan | None, _settings: TierSettings, *, written: bool
) -> Iterator[str]:
    if plan is not None:
        yield from compaction_lines(plan, written=written)
        paths = [printable(path) for path in plan.paths] if written else []
        yield from commit_lines(paths)


def tiers_compact_document(
    plan: CompactionPlan | None, settings: TierSettings, *, written: bool
) -> schemas.TiersCompactDocument:
    """Return the document; without a plan no compaction was due."""
    return {
        "schema": "learnings.tiers-compact/1",
        "folder": settings.path,
        "due": plan is not None,
        "written": written,
        "new": plan.files.trigger.new if plan else 0,
        "processed": plan.compaction.processed if plan else None,
        "themes": [
            {
                "name": theme.name,
                "title": theme.title,
                "state": "new" if theme.before is None else "grown",
                "words": words_of(theme.text),
                "added": _finding_values(theme.added),
                "text": theme.text,
            }
            for theme in (plan.compaction.themes if plan else ())
        ],
        "left": _finding_values(plan.compaction.left) if plan else [],
        "index": plan.compaction.index_text if plan else None,
        "files": [*plan.paths] if plan else [],
        "skipped": _skipped_values(plan.files.skipped if plan else ()),
    }


def _finding_values(observations: Sequence[RawObservation]) -> list[schemas.TiersFinding]:
    return [
        {
            "work_unit": observation.unit,
            "file": observation.file,
            "number": observation.number,
            "rule": observation.rule,
            "description": observation.description,
            "disposition": observation.disposition,
        }
        for observation in observations
    ]


@joined_printable_lines
def tiers_promote_as_text(proposal: tuple[str, Sequence[Promotion]] | None) -> Iterator[str]:
    path, promotions = proposal or ("", ())
    if not promotions:
        return
    yield f"{counted(len(promotions), 'rule')} of two or more work units, for {path}:"
    for promotion in promotions:
        yield from ("", f"## {promotion.title}", "", promotion.rule, "")
        for observation in promotion.observations:
            said = observation.description or observation.rule
            disposition = f" [{observation.disposition}]" if observation.disposition else ""
            yield f"- {observation.unit}: {said}{disposition}"
    yield from ("", "For the memory that the agent always loads:", "")
    for promotion in promotions:
        yield f"{promotion.line}{' (promoted before)' if promotion.promoted else ''}"


def tiers_promote_document(
    proposal: tuple[str, Sequence[Promotion]] | None,
) -> schemas.TiersPromoteDocument:
    path, promotions = proposal or (None, ())
    return {
        "schema": "learnings.tiers-promote/1",
        "file": path,
        "rules": [
            {
                "title": promotion.title,
                "rule": promotion.rule,
                "line": promotion.line,
                "promoted": promotion.promoted,
                "work_units": [*promotion.units],
                "findings": _finding_values(promotion.observations),
            }
            for promotion in promotions
        ],
    }
