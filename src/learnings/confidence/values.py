"""A confidence memory as values; every field has the name of its key in the YAML files.

Keys that are not listed here never enter the values: what writes a file changes the keys whose
values differ, by the id of the entry, and keeps everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple, TypeAlias, TypeVar

ACTIVE, ARCHIVED, SUPERSEDED = "active", "archived", "superseded"
STATUSES = (ACTIVE, ARCHIVED, SUPERSEDED)

UNUSABLE = "unusable"
"""No status of a file: an entry with a wrong value. What concerns it waits for the right one."""

REINFORCE, WEAKEN, CONTRADICT = "reinforce", "weaken", "contradict"
RELATIONSHIPS = (REINFORCE, WEAKEN, CONTRADICT)

DISCOVERY, FINDING, FIX_RATIONALE = "discovery", "quality-loop-finding", "fix-rationale"
DEVIATION, OBSERVATION, CONSISTENCY_CHECK = "deviation", "observation", "consistency-check"
INCIDENT_LEARNING, DETECTION_GAP = "incident-learning", "detection-gap"
TYPES = (
    DISCOVERY,
    FINDING,
    FIX_RATIONALE,
    DEVIATION,
    OBSERVATION,
    CONSISTENCY_CHECK,
    INCIDENT_LEARNING,
    DETECTION_GAP,
)

SEVERITIES = ("P0", "P1", "P2", "P3")
"""From the highest to the lowest."""

INCIDENT = "incident"
"""The workflow type whose observations count more."""

CREATED, REINFORCED, WEAKENED, CONTRADICTED = "created", "reinforced", "weakened", "contradicted"
"""What an observation did to an entry."""

REMEDIED = "remedied"
"""What a later fix did to an anti-pattern that said nothing yet about what to do instead."""

EVIDENCE, COUNTED = "evidence", "counted"
"""An observation that waits for others like it, and one that an entry was then made of."""

UNCHANGED, IGNORED, SKIPPED = "unchanged", "ignored", "skipped"
"""An observation that changed nothing: its entry was reinforced in this story already; nothing is
made of its kind; what it refers to cannot be used, which somebody should look at."""

MERGED, BELOW_THRESHOLD, ROTATED = "merged", "archived", "rotated"
"""What happened to an entry without an observation: another one says the same, its confidence is
too low, there are too many."""


def union(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    """Return the items of both, each once, those of the first one first."""
    return tuple(dict.fromkeys((*one, *other)))


class Observation(NamedTuple):
    """What one agent noted in a story; line is that of its `id`, 1-based, 0 where not read.

    type is one of TYPES, importance from 1 to 10. severity, resolved, principle_id and
    relationship are None where the file does not have them.
    """

    id: str
    type: str
    text: str
    tags: tuple[str, ...] = ()
    importance: int = 5
    agent: str = ""
    phase: str = ""
    severity: str | None = None
    resolved: bool | None = None
    principle_id: str | None = None
    relationship: str | None = None
    line: int = 0


class Principle(NamedTuple):
    """What holds in this project.

    created and last_reinforced are ISO dates, None where the file does not have them; line is that
    of its `id`, 1-based, 0 for an entry that is not in the file yet.
    """

    id: str
    text: str
    confidence: Decimal
    categories: tuple[str, ...] = ()
    guidance: tuple[str, ...] = ()
    source_count: int = 1
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    scope: str = "project"
    status: str = ACTIVE
    source: str = ""
    created: str | None = None
    last_reinforced: str | None = None
    line: int = 0

    @property
    def sources(self) -> int:
        """How many stories support it."""
        return self.source_count

    @property
    def last_date(self) -> str:
        """The date that it was supported last, empty where none is known."""
        return self.last_reinforced or self.created or ""

    def reinforced(self, confidence: Decimal, *, date: str, is_new_source: bool) -> Principle:
        """Return it with the confidence after a reinforcement by a story."""
        count = self.source_count + is_new_source
        return self._replace(confidence=confidence, source_count=count, last_reinforced=date)

    def united(self, other: Principle) -> Principle:
        """Return it with what another one that says the same adds to it."""
        dates = [date for date in (self.last_reinforced, other.last_reinforced) if date]
        return self._replace(
            source_count=self.source_count + other.source_count,
            last_reinforced=max(dates, default=None),
            tags=union(self.tags, other.tags),
            roles=union(self.roles, other.roles),
        )


class AntiPattern(NamedTuple):
    """What failed in this project, and what to do instead (empty where nobody said so yet)."""

    id: str
    failed_approach: str
    confidence: Decimal
    failure_mode: str = ""
    severity: str = "P2"
    recommended_approach: str = ""
    trigger_patterns: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    scope: str = "project"
    status: str = ACTIVE
    source: str = ""
    created: str | None = None
    line: int = 0

    @property
    def sources(self) -> int:
        """Not counted for anti-patterns."""
        return 0

    @property
    def last_date(self) -> str:
        """The date that it was created, empty where it is not known."""
        return self.created or ""

    def reinforced(self, confidence: Decimal, *, date: str, is_new_source: bool) -> AntiPattern:
        """Return it with the confidence after a reinforcement; it keeps neither date nor count."""
        del date, is_new_source
        return self._replace(confidence=confidence)

    def united(self, other: AntiPattern) -> AntiPattern:
        """Return it with what another one that says the same adds to it."""
        tags, roles = union(self.tags, other.tags), union(self.roles, other.roles)
        return self._replace(tags=tags, roles=roles)


class Procedure(NamedTuple):
    """How work is done in this project; applies_to is empty where it applies to all of it."""

    id: str
    text: str
    confidence: Decimal
    source_count: int = 1
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    applies_to: tuple[str, ...] = ()
    scope: str = "project"
    status: str = ACTIVE
    source: str = ""
    created: str | None = None
    line: int = 0

    @property
    def sources(self) -> int:
        """How many stories support it."""
        return self.source_count

    @property
    def last_date(self) -> str:
        """The date that it was created, empty where it is not known."""
        return self.created or ""

    def reinforced(self, confidence: Decimal, *, date: str, is_new_source: bool) -> Procedure:
        """Return it with the confidence after a reinforcement by a story; it keeps no date."""
        del date
        return self._replace(confidence=confidence, source_count=self.source_count + is_new_source)

    def united(self, other: Procedure) -> Procedure:
        """Return it with what another one that says the same adds to it."""
        return self._replace(
            source_count=self.source_count + other.source_count,
            tags=union(self.tags, other.tags),
            roles=union(self.roles, other.roles),
        )


ScoredEntry: TypeAlias = Principle | AntiPattern | Procedure
AnyEntry = TypeVar("AnyEntry", Principle, AntiPattern, Procedure)


class Memory(NamedTuple):
    """The three files of a memory, each in the order of the file; a missing file is empty."""

    principles: tuple[Principle, ...] = ()
    anti_patterns: tuple[AntiPattern, ...] = ()
    procedures: tuple[Procedure, ...] = ()

    @property
    def entries(self) -> tuple[ScoredEntry, ...]:
        """All entries: principles, anti-patterns, procedures."""
        return (*self.principles, *self.anti_patterns, *self.procedures)


class Story(NamedTuple):
    """One observations file: that of a story, of an incident or of another workflow.

    source is its path as it is written to the applied rows, and differs between any two files; id
    is the name that people know. completed is what the handoff file says, committed the date of
    the last commit that added an observation: ISO text, None where there is none. has_briefing
    is False for `observations/`: consistency checks there had nothing to compare with. is_story is
    False for what separates no stories: a review, an incident. is_new is False for a file that was
    captured before: it counts as evidence and is not applied again.
    """

    id: str
    source: str
    observations: tuple[Observation, ...] = ()
    workflow_type: str = "story"
    has_briefing: bool = True
    is_new: bool = True
    completed: str | None = None
    committed: str | None = None
    is_story: bool = True


def reviews_among(stories: Iterable[Story]) -> frozenset[str]:
    """Return the names and paths of what is checked without a briefing: checks can name them."""
    reviews = [story for story in stories if not story.has_briefing]
    return frozenset(name for story in reviews for name in (story.id, story.source))


class Applied(NamedTuple):
    """What was done with an observation: the source of its story, its id, the ISO date, the entry.

    action is one of the constants above; entry is empty where none was concerned.
    """

    source: str
    observation: str
    date: str
    entry: str
    action: str


class CurationChange(NamedTuple):
    """One row of the report: what an observation, or a limit, did to an entry.

    before and after are confidences, None where there is none: before for a new entry, both where
    no entry was concerned. line is that of the observation, 1-based; source, observation and line
    are empty and 0 where a limit did it. reason is the end of a sentence for people.
    """

    action: str
    entry: str = ""
    before: Decimal | None = None
    after: Decimal | None = None
    source: str = ""
    observation: str = ""
    line: int = 0
    reason: str = ""


class Curation(NamedTuple):
    """The memory after a run, all applied rows, old ones first, and what was done, in its order."""

    memory: Memory
    applied: tuple[Applied, ...]
    changes: tuple[CurationChange, ...]
