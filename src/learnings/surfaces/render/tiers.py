"""The output of `learnings tiers` in each format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.text import counted, printable
from learnings.forms.tiers import compaction_lines, finding_line
from learnings.surfaces.render.outcomes import commit_lines
from learnings.surfaces.render.writing import text_lines
from learnings.tiers.tier_files import INDEX_LINES, INDEX_NAME, THEME_WORDS, TierFiles, is_rest

if TYPE_CHECKING:
    from learnings.core.settings.setting_values import TierSettings
    from learnings.forms.tiers import CompactionPlan
    from learnings.tiers.clusters import Promotion
    from learnings.tiers.compaction import Account


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


@text_lines
def status_as_text(status: TierStatus) -> Iterator[str]:
    files = status.files
    if files is None:
        return
    trigger, index = files.trigger, files.index_file
    due = "compaction is due" if trigger.is_due else "not due"
    yield f"{files.folder}: {due}: {trigger.reason}"
    covered = trigger.valid - trigger.new
    skipped = f", {len(files.skipped)} skipped" if files.skipped else ""
    yield f"  raw files  {trigger.valid} valid, {covered} of them compacted{skipped}"
    yield f"  themes     {len(files.themes)}"
    for one in files.themes:
        why = ["draft"] if one.is_draft and not is_rest(one.name) else []
        why += ["added lines"] if one.added_units is not None else []
        over = one.words - THEME_WORDS
        why += [f"{counted(over, 'word')} over the limit"] if over > 0 else []
        yield from [f"             {one.name}: {', '.join(why)}"] if why else []
    account = status.account
    parts = f"{account.themed} in themes, {len(account.waiting)} waiting"
    yield f"  findings   {account.total}: {parts}, {account.dismissed} dismissed"
    if index.processed:  # before the first compaction, all of them wait
        yield from (finding_line(one).replace("    - ", " " * 13) for one in account.waiting)
    if index.data is not None:
        text, _ = index.values.get("lastCompaction", ("unknown", 0))
        count = f"{len(index.content)} of {INDEX_LINES} lines"
        yield f"  {INDEX_NAME}   {count}, written {text}"
    if trigger.is_due and not status.settings.auto_compact:
        yield "  next       `learnings tiers compact`, since auto-compact is off"


def skipped_lines(files: TierFiles) -> Iterator[str]:
    for file in files.skipped:
        yield f"{printable(f'{files.folder}/{file.name}')} is skipped: it {printable(file.reason)}"


@text_lines
def compact_as_text(compaction: TierCompaction) -> Iterator[str]:
    plan, is_written = compaction.plan, compaction.is_written
    if plan is not None:
        yield from compaction_lines(plan, written=is_written)
        paths = [path for path in plan.paths if path not in plan.never_committed]
        yield from commit_lines(paths if is_written else [])


@text_lines
def promote_as_text(proposed: PromotedRules) -> Iterator[str]:
    path, promotions = proposed
    new = [promotion for promotion in promotions if not promotion.promoted]
    if new:
        yield f"{counted(len(new), 'rule')} of two or more work units, for {path}:"
    for promotion in new:
        yield from ("", f"## {promotion.title}", "", promotion.rule, "")
        for observation in promotion.observations:
            said = observation.description or observation.rule
            disposition = f" [{observation.disposition}]" if observation.disposition else ""
            yield f"- {observation.unit}: {said}{disposition}"
    if new:
        yield from ("", "For the memory that the agent always loads:", "")
        yield from (promotion.line for promotion in new)
    old = [promotion.title for promotion in promotions if promotion.promoted]
    if old:
        yield from [""] if new else []
        yield f"Promoted before, so not listed: {', '.join(old)}."
