"""The state of a folder of learning tiers, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.tiers.compacting import TierState
from learnings.core.settings.tiers import TierSettings
from learnings.core.text import counted, printable
from learnings.tiers.index_file import LINES, NAME
from learnings.tiers.store_files import TierFiles
from learnings.tiers.trigger import MORE, Trigger


def render(state: TierState | None, settings: TierSettings) -> str:
    """Return a block of lines, nothing where there is no folder."""
    return "".join(f"{line}\n" for line in _lines(state, settings)) if state else ""


def summary(trigger: Trigger) -> str:
    """Return whether a compaction is due and why, in a few words."""
    new = counted(trigger.new, "new raw file")
    if trigger.is_due:
        return f"compaction is due: {new}"
    return (
        f"not due: {new}, {MORE - trigger.new} to go" if trigger.valid else "not due: no raw file"
    )


def skipped_lines(files: TierFiles) -> Iterator[str]:
    """Give a line for each file that is skipped, with the reason."""
    for file in files.skipped:
        yield f"{printable(f'{files.folder}/{file.name}')} is skipped: it {printable(file.reason)}"


def _lines(state: TierState, settings: TierSettings) -> Iterator[str]:
    files, trigger, index = state.files, state.trigger, state.files.index_file
    yield f"{printable(files.folder)}: {summary(trigger)}"
    covered = trigger.valid - trigger.new
    skipped = f", {len(files.skipped)} skipped" if files.skipped else ""
    yield f"  raw files  {trigger.valid} valid, {covered} of them compacted{skipped}"
    drafts = sum(theme.is_draft for theme in files.themes)
    about_drafts = f", {counted(drafts, 'draft')} to rewrite" if drafts else ""
    yield f"  themes     {len(files.themes)}{about_drafts}"
    if index.data is not None:
        text, _ = index.values.get("lastCompaction", ("unknown", 0))
        yield f"  {NAME}   {len(index.content)} of {LINES} lines, written {printable(text)}"
    if trigger.is_due and not settings.auto_compact:
        yield "  next       `learnings tiers compact`, since auto-compact is off"
