"""Which of two sides has changed something, and a heading of which each has changed a part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from learnings.consolidation.merge.parts import Part
from learnings.core.text import chomp

Side = Literal["ours", "theirs"]


def changed_side(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Side | None:
    """Return the side that changed something, ours where both did the same; else None."""
    if theirs in (base, ours):
        return "ours"
    return "theirs" if ours == base else None


def joined_heading(base: Part, ours: Part, theirs: Part) -> str | None:
    """Return the heading line with the stamp of one side and the title of the other.

    None where both have changed one of the two, or there are none. Where both have changed the
    stamp, and one is the beginning of the other, that is the longer one.
    """
    entries = [part.entry for part in (base, ours, theirs) if part.entry and part.entry.level]
    if len(entries) < 3:
        return None
    titles = [entry.title for entry in entries]
    stamp_side = _stamp_side([entry.stamp or "" for entry in entries])
    title_side = changed_side(*titles)
    if stamp_side is None or title_side is None:
        return None
    line = (ours if stamp_side == "ours" else theirs).lines[0]
    old, new = (titles[1 if side == "ours" else 2] for side in (stamp_side, title_side))
    heading = chomp(line)
    if not heading.endswith(old):
        return None
    return heading.removesuffix(old) + new + line[len(heading) :]


def _stamp_side(stamps: Sequence[str]) -> Side | None:
    """Return the side whose stamp stays, of those in base, ours and theirs."""
    base, ours, theirs = stamps
    side = changed_side(base, ours, theirs)
    if side is None and ours.startswith(theirs):
        return "ours"
    return "theirs" if side is None and theirs.startswith(ours) else side
