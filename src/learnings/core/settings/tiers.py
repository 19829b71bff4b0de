"""What can be configured about learning tiers; imported only where it is needed."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.settings.keys import Key
from learnings.core.settings.types import PATH, SWITCH


class TierSettings(NamedTuple):
    """The settings of learning tiers, with their defaults; path is POSIX, from the root."""

    path: str = ".specwright/learnings"
    strict_trigger: bool = False
    auto_compact: bool = True


_ROWS = {
    "path": (PATH, "the folder of the raw files"),
    "strict-trigger": (SWITCH, "whether five raw files are enough for ever, if one is new"),
    "auto-compact": (SWITCH, "whether sessions and CI compact by themselves when that is due"),
}
TIER_KEYS = {
    name: Key(
        name,
        name.replace("-", "_"),
        kind,
        TierSettings._field_defaults[name.replace("-", "_")],
        doc,
    )
    for name, (kind, doc) in _ROWS.items()
}
