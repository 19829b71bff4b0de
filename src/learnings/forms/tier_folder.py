"""The folder of learning tiers of a repository; most repositories have none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.settings.feature_tables import TierSettings


DEFAULT_TIER_FOLDER = ".specwright/learnings"
"""Default folder of raw files; TierSettings has the same."""


def tier_settings_of(workspace: Workspace) -> TierSettings:
    """Return the configuration of learning tiers."""
    from learnings.core.settings.reader import tier_settings  # noqa: PLC0415  (hooks start all day long)

    return tier_settings(workspace.settings)


def has_tier_folder(workspace: Workspace) -> bool:
    """Return True if there is a folder of learning tiers, using only one system call."""
    path = workspace.settings.tiers.get("path", DEFAULT_TIER_FOLDER)
    return os.path.isdir(workspace.root / str(path))  # noqa: PTH112
