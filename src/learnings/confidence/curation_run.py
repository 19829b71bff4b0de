"""The state of one curation: the entries, the applied observations, and the changes so far."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from learnings.confidence import values
from learnings.confidence.creation import NewEntryFacts
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.kinds import KINDS
from learnings.confidence.scoring import ConfidenceSettings, new_confidence, reinforced
from learnings.confidence.values import (
    AntiPattern,
    AnyEntry,
    Applied,
    CurationChange,
    Memory,
    Observation,
    Principle,
    Procedure,
    Story,
    reinforced_by,
)


class AppliedRows:
    """Rows of applied observations, oldest first; the last row of an observation counts."""

    def __init__(self, rows: Iterable[Applied]) -> None:
        """Start with the rows of earlier runs."""
        self._rows: list[Applied] = []
        self._actions: dict[tuple[str, str], str] = {}
        self._done: set[tuple[str, str, str]] = set()
        for row in rows:
            self.add(row)

    @property
    def rows(self) -> tuple[Applied, ...]:
        """All rows."""
        return tuple(self._rows)

    def add(self, row: Applied) -> None:
        """Append a row."""
        self._rows.append(row)
        self._actions[row.source, row.observation] = row.action
        self._done.add((row.source, row.entry, row.action))

    def has(self, story: Story, observation: Observation) -> bool:
        """Return True if an observation was applied."""
        return (story.source, observation.id) in self._actions

    def is_open(self, story: Story, observation: Observation) -> bool:
        """Return True if an observation may still count as evidence, since no entry uses it."""
        action = self._actions.get((story.source, observation.id), values.EVIDENCE)
        return action == values.EVIDENCE

    def has_done(self, story: Story, entry_id: str, *actions: str) -> bool:
        """Return True if a story did one of these things to an entry."""
        return any((story.source, entry_id, action) in self._done for action in actions)


_SUPPORT = (values.CREATED, values.REINFORCED, values.COUNTED)


class CurationRun:
    """Entries that change with each observation; `today` is the ISO date for changes."""

    def __init__(
        self, memory: Memory, applied: Iterable[Applied], settings: ConfidenceSettings, today: str
    ) -> None:
        """Start with the memory and the applied rows of earlier runs."""
        self.settings = settings
        self.today = today
        self.applied = AppliedRows(applied)
        self.changes: list[CurationChange] = []
        self.reviews: frozenset[str] = frozenset()
        ids = {row.entry for row in self.applied.rows}
        self.tables: tuple[EntryTable[Any], ...] = tuple(
            EntryTable(kind, entries, ids) for kind, entries in zip(KINDS, memory, strict=True)
        )
        self.principles: EntryTable[Principle] = self.tables[0]
        self.anti_patterns: EntryTable[AntiPattern] = self.tables[1]
        self.procedures: EntryTable[Procedure] = self.tables[2]

    @property
    def memory(self) -> Memory:
        """The current memory."""
        return Memory(*(table.entries for table in self.tables))

    def record(
        self,
        action: str,
        story: Story,
        observation: Observation,
        entry: str = "",
        *,
        scores: tuple[Decimal | None, Decimal | None] = (None, None),
        reason: str = "",
        is_done: bool = True,
    ) -> None:
        """Add a row to the report, with confidences before and after, and to the rows if done."""
        if is_done:
            self.applied.add(Applied(story.source, observation.id, self.today, entry, action))
        before, after = scores
        change = CurationChange(action, entry, before, after, story.source, observation.id)
        self.changes.append(change._replace(line=observation.line, reason=reason))

    def postpone(self, story: Story, observation: Observation, entry: str) -> None:
        """Leave an observation for a later run, since its entry has an invalid value."""
        reason = "its entry has an invalid value; correct it and curate again"
        self.record(values.SKIPPED, story, observation, entry, reason=reason, is_done=False)

    def origin(self, table: EntryTable[AnyEntry], story: Story) -> NewEntryFacts:
        """Return the facts of a new entry of a story besides its contents."""
        confidence = new_confidence(self.settings, incident=is_incident(story))
        return NewEntryFacts(table.new_id(), confidence, story.id, self.today)

    def create(
        self,
        table: EntryTable[AnyEntry],
        entry: AnyEntry,
        story: Story,
        observation: Observation,
        reason: str = "",
    ) -> None:
        """Append an entry that an observation caused."""
        table.add(entry)
        scores = (None, entry.confidence)
        self.record(values.CREATED, story, observation, entry.id, scores=scores, reason=reason)

    def reinforce(
        self,
        table: EntryTable[AnyEntry],
        entry: AnyEntry,
        story: Story,
        observation: Observation,
        reason: str = "",
    ) -> None:
        """Raise the confidence of an entry that an observation supports."""
        if entry.status == values.UNUSABLE:
            self.postpone(story, observation, entry.id)
            return
        is_again = self.applied.has_done(story, entry.id, values.REINFORCED)
        if is_again and self.settings.one_reinforcement_per_story:
            already = "this story has already reinforced it"
            self.record(values.UNCHANGED, story, observation, entry.id, reason=already)
            return
        before = entry.confidence
        after = reinforced(before, self.settings, incident=is_incident(story))
        is_new_source = not self.applied.has_done(story, entry.id, *_SUPPORT)
        table.replace(reinforced_by(entry, after, self.today, new_source=is_new_source))
        scores = (before, after)
        self.record(values.REINFORCED, story, observation, entry.id, scores=scores, reason=reason)


def is_incident(story: Story) -> bool:
    """Return True if the observations of a story count more."""
    return story.workflow_type.strip().casefold() == values.INCIDENT
