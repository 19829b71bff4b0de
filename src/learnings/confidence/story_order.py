"""The order of stories in time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from learnings.confidence.values import Story
from learnings.core.patterns import lazy_pattern

_NUMBER = lazy_pattern(r"(\d+)")
_NOT_COMMITTED = datetime.max.replace(tzinfo=UTC)


def in_order(stories: Iterable[Story]) -> list[Story]:
    """Return stories, oldest first: by completion, else by the last commit, else by name.

    A date that is not one is as good as none. A story with neither was not committed yet: it
    follows all others. A date without a time is its midnight, a time without a zone is UTC. ST-9
    stands before ST-10.
    """
    return sorted(stories, key=lambda story: (_moment(story), _natural(story.id), story.source))


def _moment(story: Story) -> datetime:
    moments = (_instant(text) for text in (story.completed, story.committed))
    return next((moment for moment in moments if moment), _NOT_COMMITTED)


def _instant(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat((text or "").strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _natural(name: str) -> list[tuple[int, str]]:
    """Return the parts of a name so that numbers in it compare as numbers."""
    parts = _NUMBER.split(name.casefold())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts if part]
