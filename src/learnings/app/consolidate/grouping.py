"""Which entries overlap, for the command, the plan and the issue alike."""

from __future__ import annotations

from learnings.consolidation.groups.groups import Grouping, propose
from learnings.consolidation.groups.partition import levels_of
from learnings.core.entries.document import Document
from learnings.core.settings.values import Settings


def groups_of(
    document: Document,
    settings: Settings,
    *,
    include_consolidated: bool = False,
    with_neighbours: bool = False,
) -> Grouping:
    """Return the groups of a learnings file, as eagerly as the settings say.

    include_consolidated: products of earlier consolidations may be grouped too. with_neighbours:
    the nearest entries of each one are computed as well.
    """
    return propose(
        document.entries,
        include_consolidated=include_consolidated,
        with_neighbours=with_neighbours,
        levels=levels_of(settings.eagerness),
    )
