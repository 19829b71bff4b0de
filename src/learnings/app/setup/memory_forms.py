"""Which hooks a repository gets: those for every one, and those of a form of memory that it has."""

from __future__ import annotations

from learnings.app.setup.hook_table import CHOSEN, SHIPPED
from learnings.app.workspace.disk import is_folder
from learnings.app.workspace.workspace import Workspace
from learnings.core.settings.reader import confidence_options, tier_settings


def hooks_for(workspace: Workspace) -> tuple[str, ...]:
    """Return the ids of the hooks, in their order."""
    folders = {
        "learning-tiers": tier_settings(workspace.settings).path,
        "confidence-memory": confidence_options(workspace.settings).path,
    }
    present = {hook for hook, path in folders.items() if is_folder(workspace.root / path)}
    return tuple(hook for hook in SHIPPED if hook in CHOSEN or hook in present)
