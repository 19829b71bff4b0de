"""The state of one run: the entries, what was applied, and what has been done so far."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from learnings.confidence.applied_rows import AppliedRows
from learnings.confidence.arithmetic import new_confidence, reinforced
from learnings.confidence.creation import Origin
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.kinds import ANTI_PATTERNS, PRINCIPLES, PROCEDURES
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import (
    CREATED,
    INCIDENT,
    REINFORCED,
    SKIPPED,
    UNCHANGED,
    UNUSABLE,
    AntiPattern,
    AnyEntry,
    Applied,
    Change,
    Memory,
    Observation,
    Principle,
    Procedure,
    Story,
)


class Run:
    """Entries that change with each observation; `today` is the ISO date that changes get."""

    def __init__(
        self, memory: Memory, applied: Iterable[Applied], settings: ConfidenceSettings, today: str
    ) -> None:
        """Begin with the memory and the applied rows of the runs before."""
        self.settings = settings
        self.today = today
        self.applied = AppliedRows(applied)
        self.changes: list[Change] = []
        ids = self.applied.entry_ids
        self.principles: EntryTable[Principle] = EntryTable(PRINCIPLES, memory.principles, ids)
        self.anti_patterns: EntryTable[AntiPattern] = EntryTable(
            ANTI_PATTERNS, memory.anti_patterns, ids
        )
        self.procedures: EntryTable[Procedure] = EntryTable(PROCEDURES, memory.procedures, ids)

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
    ) -> None:
        """Note what was done with an observation, for the report and so that it is done once."""
        row = Applied(story.source, observation.id, self.today, entry, action)
        self.applied.add(row)
        self.changes.append(
            Change(
                action, entry, before, after, row.source, row.observation, observation.line, reason
            )
        )

    def postpone(self, story: Story, observation: Observation, entry: str) -> None:
        """Leave an observation for a later run, since its entry has a wrong value."""
        self.changes.append(
            Change(
                SKIPPED,
                entry,
                source=story.source,
                observation=observation.id,
                line=observation.line,
                reason="it has a wrong value; correct that and curate again",
            )
        )

    def origin(self, table: EntryTable[AnyEntry], story: Story) -> Origin:
        """Return what a new entry of a story gets besides its contents."""
        confidence = new_confidence(self.settings, incident=is_incident(story))
        return Origin(table.new_id(), confidence, story.id, self.today)

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
