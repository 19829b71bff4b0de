"""What a consolidation issue is made of, as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from learnings.app.consolidate.suggestions import Destination, TaskSection
from learnings.app.tiers.news import TierNews
from learnings.core.due.triggers import Verdict


class TargetRoom(NamedTuple):
    """A file that entries can move to: its lines, and how many it may have."""

    path: str
    lines: int
    limit: int


class Task(NamedTuple):
    """What an issue is about; titles_only keeps the text of the entries out of it.

    destinations holds by the identity of an entry where it may go, the best first. mention is a
    line of Markdown that takes effect. tiers are learning tiers that somebody has to compact.
    """

    verdict: Verdict
    targets: tuple[TargetRoom, ...] = ()
    sections: tuple[TaskSection, ...] = ()
    destinations: Mapping[str, tuple[Destination, ...]] = {}
    mention: str | None = None
    titles_only: bool = False
    tiers: TierNews | None = None


class Stamp(NamedTuple):
    """Where and when an issue was written; it does not count as a change of the task.

    moment is for people: `2026-03-11 14:05 UTC`.
    """

    commit: str
    moment: str
    run_url: str | None = None
