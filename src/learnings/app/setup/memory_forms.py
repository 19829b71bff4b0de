"""Which hooks a repository gets: those for every one, and those of a form of memory that it has."""

from __future__ import annotations

from learnings.app.confidence.checking import memory_report
from learnings.app.confidence.folder import folder_of
from learnings.app.setup.hook_table import CHOSEN, SHIPPED
from learnings.app.tiers.checking import report_on_tiers
from learnings.app.workspace.disk import is_folder
from learnings.app.workspace.workspace import Workspace
from learnings.core.settings.reader import confidence_options, tier_settings
from learnings.core.text import counted

_COMMANDS = {
    "learning-tiers": "learnings tiers check",
    "confidence-memory": "learnings memory check",
}
"""What each hook runs."""


def hooks_for(workspace: Workspace) -> tuple[tuple[str, ...], list[str]]:
    """Return the ids of the hooks, in their order, and notes about those that are left out.

    The findings of these hooks are in no baseline: one that has errors to report is left out, so
    that the first commit passes.
    """
    folders = {
        "learning-tiers": tier_settings(workspace.settings).path,
        "confidence-memory": confidence_options(workspace.settings).path,
    }
    wanted, notes = {*CHOSEN}, []
    for hook, path in folders.items():
        if not is_folder(workspace.root / path):
            continue
        errors = _errors(hook, workspace)
        if errors:
            counts = counted(errors, "error")
            notes.append(
                f"{hook} is left out, because `{_COMMANDS[hook]}` finds {counts}; correct them, "
                "then add its id"
            )
        else:
            wanted.add(hook)
    return tuple(hook for hook in SHIPPED if hook in wanted), notes


def _errors(hook: str, workspace: Workspace) -> int:
    if hook == "learning-tiers":
        return report_on_tiers(workspace).errors
    return memory_report(folder_of(workspace)).errors
