"""What is to be promoted of the folder of learning tiers, beside the rules that there are."""

from __future__ import annotations

from learnings.app.tiers.folder import read_folder
from learnings.app.workspace.disk import is_file, read_file, real_path
from learnings.app.workspace.tier_folder import has_folder
from learnings.app.workspace.workspace import Workspace
from learnings.core.text import decode
from learnings.tiers.promotion import Promotion, promotions_of

PATTERNS = "patterns.md"
"""The file beside the folder in which promoted rules stand."""


def promotions(workspace: Workspace) -> tuple[str, list[Promotion]] | None:
    """Return the path of the file of rules and what is proposed for it, None without a folder.

    Raises as read_folder() does, and MissingFile or UnusableFile for rules that cannot be read.
    """
    if not has_folder(workspace):
        return None
    files = read_folder(workspace)
    above, _, _ = files.folder.rpartition("/")
    path = f"{above}/{PATTERNS}" if above else PATTERNS
    known = workspace.root / path
    is_inside = real_path(known).is_relative_to(real_path(workspace.root))
    text = decode(read_file(known, shown=path)) if is_inside and is_file(known) else ""
    return path, promotions_of(files.raw, text, coverage=workspace.settings.coverage)
