"""A confidence memory as values; every field has the name of its key in the YAML files.

Keys that are not listed here never enter the values: what writes a file changes the keys whose
values differ, by the id of the entry, and keeps everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias, TypeVar

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


ScoredEntry: TypeAlias = Principle | AntiPattern | Procedure
AnyEntry = TypeVar("AnyEntry", Principle, AntiPattern, Procedure)


def sources_of(entry: ScoredEntry) -> int:
    """Return how many stories support an entry; of an anti-pattern they are not counted."""
    return 0 if isinstance(entry, AntiPattern) else entry.source_count


def last_date_of(entry: ScoredEntry) -> str:
    """Return the date that an entry was supported last, empty if none is known."""
    return (entry.last_reinforced if isinstance(entry, Principle) else "") or entry.created or ""


def reinforced_by(entry: AnyEntry, confidence: Decimal, date: str, *, new_source: bool) -> AnyEntry:
    """Return an entry with the confidence after a reinforcement by a story."""
    count = sources_of(entry) + new_source
    return _with(entry, confidence=confidence, source_count=count, last_reinforced=date)


def united(entry: AnyEntry, other: AnyEntry) -> AnyEntry:
    """Return an entry with what another one that says the same adds to it."""
    dates = (getattr(one, "last_reinforced", None) for one in (entry, other))
    return _with(
        entry,
        source_count=sources_of(entry) + sources_of(other),
        last_reinforced=max(filter(None, dates), default=None),
        tags=tuple(dict.fromkeys((*entry.tags, *other.tags))),
        roles=tuple(dict.fromkeys((*entry.roles, *other.roles))),
    )


def _with(entry: AnyEntry, **changes: Any) -> AnyEntry:  # noqa: ANN401  (values of fields)
    """Return an entry with other values of those fields that its kind has."""
    return entry._replace(**{name: changes[name] for name in entry._fields if name in changes})


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
    paths = [story.source for story in reviews]
    short = (path.partition("/")[2] for path in paths)
    return frozenset([*paths, *short, *(story.id for story in reviews)])


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
