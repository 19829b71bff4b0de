"""What was done with which observation, so that none has an effect twice."""

from __future__ import annotations

from collections.abc import Iterable

from learnings.confidence.values import (
    COUNTED,
    CREATED,
    EVIDENCE,
    REINFORCED,
    Applied,
    Observation,
    Story,
)

_SUPPORT = {CREATED, REINFORCED, COUNTED}


class AppliedRows:
    """Rows of applied observations, old ones first; the last row of an observation counts."""

    def __init__(self, rows: Iterable[Applied]) -> None:
        """Take the rows of earlier runs."""
        self._rows: list[Applied] = []
        self._actions: dict[tuple[str, str], str] = {}
        self._support: set[tuple[str, str]] = set()
        self._reinforcement: set[tuple[str, str]] = set()
        for row in rows:
            self.add(row)

    @property
    def rows(self) -> tuple[Applied, ...]:
        """All rows."""
        return tuple(self._rows)

    @property
    def entry_ids(self) -> set[str]:
        """The ids of all entries that were ever concerned."""
        return {row.entry for row in self._rows}

    def add(self, row: Applied) -> None:
        """Append a row."""
        self._rows.append(row)
        self._actions[row.source, row.observation] = row.action
        if row.action in _SUPPORT:
            self._support.add((row.source, row.entry))
        if row.action == REINFORCED:
            self._reinforcement.add((row.source, row.entry))

    def has(self, story: Story, observation: Observation) -> bool:
        """Return True if an observation was applied."""
        return (story.source, observation.id) in self._actions

    def is_open(self, story: Story, observation: Observation) -> bool:
        """Return True if an observation may still count as evidence: no entry was made of it."""
        return self._actions.get((story.source, observation.id), EVIDENCE) == EVIDENCE

    def supports(self, story: Story, entry_id: str) -> bool:
        """Return True if a story is among the sources of an entry already."""
        return (story.source, entry_id) in self._support

    def reinforces(self, story: Story, entry_id: str) -> bool:
        """Return True if a story reinforced an entry already."""
        return (story.source, entry_id) in self._reinforcement
