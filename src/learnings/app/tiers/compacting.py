"""A compaction of the folder on disk: planned, and as the changes of files that carry it out."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from learnings.app.tiers.folder import read_folder
from learnings.app.workspace.tier_folder import has_folder, settings_of
from learnings.app.workspace.workspace import Workspace
from learnings.core.text import encode
from learnings.store.files import Change, ChangedMeanwhile, write_in_steps
from learnings.tiers.compaction import Compaction, compaction_of
from learnings.tiers.index_file import NAME
from learnings.tiers.store_files import TierFiles
from learnings.tiers.trigger import Trigger

_ATTEMPTS = 5  # of a run that is overtaken by others; each of those has compacted in the meantime


class TierState(NamedTuple):
    """The folder of a repository as it is, and the numbers by which a compaction is due."""

    files: TierFiles
    trigger: Trigger


class CompactionPlan(NamedTuple):
    """What a compaction would write: as values, and as changes of files; INDEX comes last."""

    state: TierState
    compaction: Compaction
    themes: tuple[Change, ...]
    index_change: Change

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that change, POSIX from the root."""
        return (*(change.path for change in self.themes), self.index_change.path)


def state_of(workspace: Workspace) -> TierState | None:
    """Return the state of the folder, None where there is none. Raises as read_folder() does."""
    if not has_folder(workspace):
        return None
    files = read_folder(workspace)
    return TierState(files, files.trigger(strict=settings_of(workspace).strict_trigger))


def plan_compaction(workspace: Workspace, now: datetime) -> CompactionPlan | None:
    """Return what a compaction at an instant writes, None where none is due."""
    state = state_of(workspace)
    if state is None or not state.trigger.is_due:
        return None
    files = state.files
    compaction = compaction_of(files, now)
    themes = tuple(
        Change(
            files.theme_path(theme.name),
            theme.before.data if theme.before else None,
            encode(theme.text),
        )
        for theme in compaction.themes
    )
    path = f"{files.folder}/{NAME}"
    index_change = Change(path, files.index_file.data, encode(compaction.index_text))
    return CompactionPlan(state, compaction, themes, index_change)


def compact(workspace: Workspace, now: datetime) -> CompactionPlan | None:
    """Compact if that is due; returns what was written, None for nothing.

    Themes are on the disk before INDEX, which says how many raw files they cover: after a run that
    was killed a compaction is still due. A run that is overtaken plans anew. Raises WriteError.
    """
    for attempt in range(_ATTEMPTS):
        plan = plan_compaction(workspace, now)
        if plan is None:
            return None
        try:
            write_in_steps(workspace.root, plan.themes, [plan.index_change])
        except ChangedMeanwhile:
            if attempt == _ATTEMPTS - 1:
                raise
        else:
            return plan
    return None
