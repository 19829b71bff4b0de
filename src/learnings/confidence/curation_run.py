"""The state of one curation: the entries, the applied observations, and the changes so far."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from learnings.confidence.creation import NewEntryFacts
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.kinds import ANTI_PATTERN_KIND, PRINCIPLE_KIND, PROCEDURE_KIND
from learnings.confidence.scoring import ConfidenceSettings, new_confidence, reinforced
from learnings.confidence.values import (
    COUNTED,
    CREATED,
    EVIDENCE,
    INCIDENT,
    REINFORCED,
    SKIPPED,
    UNCHANGED,
    UNUSABLE,
    AntiPattern,
    AnyEntry,
    Applied,
    CurationChange,
    Memory,
    Observation,
    Principle,
    Procedure,
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


class CurationRun:
    """Entries that change with each observation; `today` is the ISO date that changes get."""

    def __init__(
        self, memory: Memory, applied: Iterable[Applied], settings: ConfidenceSettings, today: str
    ) -> None:
        """Begin with the memory and the applied rows of the runs before."""
        self.settings = settings
        self.today = today
        self.applied = AppliedRows(applied)
        self.changes: list[CurationChange] = []
        self.reviews: frozenset[str] = frozenset()
        ids = self.applied.entry_ids
        self.principles: EntryTable[Principle] = EntryTable(PRINCIPLE_KIND, memory.principles, ids)
        self.anti_patterns: EntryTable[AntiPattern] = EntryTable(
            ANTI_PATTERN_KIND, memory.anti_patterns, ids
        )
        self.procedures: EntryTable[Procedure] = EntryTable(PROCEDURE_KIND, memory.procedures, ids)

    @property
    def memory(self) -> Memory:
        """The memory as it is now."""
        return Memory(self.principles.entries, self.anti_patterns.entries, self.procedures.entries)

    def record(
        self,
        action: str,
        story: Story,
        observation: Observation,
        entry: str = "",
        *,
        before: Decimal | None = None,
        after: Decimal | None = None,
        reason: str = "",
        is_done: bool = True,
    ) -> None:
        """Add a row to the report; what is done is not applied again."""
        if is_done:
            self.applied.add(Applied(story.source, observation.id, self.today, entry, action))
        place = (story.source, observation.id, observation.line)
        self.changes.append(CurationChange(action, entry, before, after, *place, reason))

    def postpone(self, story: Story, observation: Observation, entry: str) -> None:
        """Leave an observation for a later run, since its entry has a wrong value."""
        reason = "it has a wrong value; correct that and curate again"
        self.record(SKIPPED, story, observation, entry, reason=reason, is_done=False)

    def origin(self, table: EntryTable[AnyEntry], story: Story) -> NewEntryFacts:
        """Return what a new entry of a story gets besides its contents."""
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
        """Append an entry that an observation brought about."""
        table.add(entry)
        self.record(CREATED, story, observation, entry.id, after=entry.confidence, reason=reason)

    def reinforce(
        self,
        table: EntryTable[AnyEntry],
        entry: AnyEntry,
        story: Story,
        observation: Observation,
        reason: str = "",
    ) -> None:
        """Raise the confidence of an entry that an observation agrees with."""
        if entry.status == UNUSABLE:
            self.postpone(story, observation, entry.id)
            return
        if self.settings.one_reinforcement_per_story and self.applied.reinforces(story, entry.id):
            already = "this story has reinforced it already"
            self.record(UNCHANGED, story, observation, entry.id, reason=already)
            return
        before = entry.confidence
        after = reinforced(before, self.settings, incident=is_incident(story))
        is_new_source = not self.applied.supports(story, entry.id)
        table.replace(entry.reinforced(after, date=self.today, is_new_source=is_new_source))
        self.record(
            REINFORCED, story, observation, entry.id, before=before, after=after, reason=reason
        )


def is_incident(story: Story) -> bool:
    """Return True if the observations of a story count more."""
    return story.workflow_type.strip().casefold() == INCIDENT
