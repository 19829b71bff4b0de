"""Categories that tags stand for, and the agent roles that an entry concerns."""

from __future__ import annotations

from collections.abc import Iterable

from learnings.confidence.overlap import as_name
from learnings.confidence.settings import ConfidenceSettings

CATEGORIES = (
    "correctness",
    "reliability",
    "performance",
    "security",
    "maintainability",
    "testability",
    "observability",
    "scalability",
    "compatibility",
    "accessibility",
    "usability",
    "cost",
    "compliance",
    "consistency",
)
"""A tag of one of these names stands for that category."""

DEFAULT_ROLE = "developer"

# The table of the source procedure: names of tags or categories, and the roles they concern.
_ROLES: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (frozenset({"correctness", "reliability", "performance"}), ("developer", "sw-engineer")),
    (frozenset({"security"}), ("developer", "sw-engineer", "sw-quality")),
    (frozenset({"maintainability", "testability"}), ("developer", "sw-quality")),
    (frozenset({"consistency", "patterns"}), ("developer", "sw-engineer", "architect")),
    (frozenset({"observability", "scalability"}), ("developer", "architect")),
    (frozenset({"workflow", "process", "planning"}), ("sdm",)),
    (
        frozenset({"incident", "detection-gap", "post-mortem"}),
        ("developer", "sw-engineer", "sw-quality", "cr-analyzer"),
    ),
)


def categories_of(tags: Iterable[str], settings: ConfidenceSettings) -> tuple[str, ...]:
    """Return the categories that tags stand for, in the order of the tags, each once."""
    categories: list[str] = []
    for tag in map(as_name, tags):
        if tag in CATEGORIES:
            categories.append(tag)
        for name, more in settings.tag_categories.items():
            categories += more if as_name(name) == tag else ()
    return tuple(dict.fromkeys(categories))


def roles_of(tags: Iterable[str], categories: Iterable[str]) -> tuple[str, ...]:
    """Return the roles that tags and categories concern, in the order of the table, each once."""
    present = {as_name(name) for name in (*tags, *categories)}
    roles = [role for names, roles in _ROLES if names & present for role in roles]
    return tuple(dict.fromkeys(roles)) or (DEFAULT_ROLE,)
