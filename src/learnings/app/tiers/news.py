"""What other commands say of learning tiers, beside the learnings files."""

from __future__ import annotations

from typing import NamedTuple

from learnings.app.tiers.compacting import state_of
from learnings.app.workspace.tier_folder import has_folder, settings_of
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import LearningsError
from learnings.tiers.trigger import Trigger


class TierNews(NamedTuple):
    """The numbers of a folder of learning tiers; problem says why there are none."""

    folder: str
    trigger: Trigger
    themes: int
    auto_compact: bool
    problem: str | None = None

    @property
    def asks(self) -> bool:
        """True if somebody has to compact: it is due, and nothing does it by itself."""
        return self.trigger.is_due and not self.auto_compact


def news_of(workspace: Workspace) -> TierNews | None:
    """Return the news of the folder, None where there is none."""
    if not has_folder(workspace):
        return None
    settings = settings_of(workspace)
    try:
        state = state_of(workspace)
    except LearningsError as error:
        return TierNews(settings.path, Trigger(0, 0), 0, settings.auto_compact, str(error))
    if state is None:
        return None
    themes = len(state.files.themes)
    return TierNews(settings.path, state.trigger, themes, settings.auto_compact)
