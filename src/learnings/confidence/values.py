"""A confidence memory as values and numbers; fields have the names of their YAML keys.

Other keys never enter the values: a writer changes the keys whose values differ, by the id of the
entry, and keeps everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from learnings.core.text import number_text

ACTIVE, ARCHIVED, SUPERSEDED = "active", "archived", "superseded"
STATUSES = (ACTIVE, ARCHIVED, SUPERSEDED)

UNUSABLE = "unusable"
"""The status, never written, of an entry with an invalid value; its changes have to wait."""

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
"""Severities from highest to lowest."""

LOWEST_SEVERITY = SEVERITIES[-1]
"""The severity of an anti-pattern whose observations have none."""

INCIDENT = "incident"
"""The workflow type whose observations count more."""

CREATED, REINFORCED, WEAKENED, CONTRADICTED = "created", "reinforced", "weakened", "contradicted"
"""Effects of an observation on an entry."""

QUESTION = "question"
"""Effect of an observation that may contradict an entry, which it leaves as it is."""

REMEDIED = "remedied"
"""Effect of a later fix on an anti-pattern without a recommended approach."""

EVIDENCE, COUNTED = "evidence", "counted"
"""An observation that waits for similar ones, and one that an entry was then made from."""

UNCHANGED, IGNORED, SKIPPED = "unchanged", "ignored", "skipped"
"""Actions for an observation that changed nothing.

Its entry was already reinforced in this story; its kind makes no entries; or its reference cannot
be used, which somebody should look at.
"""

MERGED, BELOW_THRESHOLD, ROTATED = "merged", "archived", "rotated"
"""Changes of an entry without an observation.

Another entry has the same meaning, its confidence is too low, or there are too many entries.
"""


class Observation(NamedTuple):
    """A note of an agent in a story; line is the 1-based line of its `id`, 0 if not read.

    type is one of TYPES, importance from 1 to 10. severity, resolved, principle_id and relationship
    are None if the file lacks them.
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
    """A fact that holds in this project.

    created and last_reinforced are ISO dates, None if the file lacks them; line is the 1-based line
    of its `id`, 0 for an entry that is not in the file yet.
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
    """A failure in this project, and what to do instead (empty if unknown)."""

    id: str
    failed_approach: str
    confidence: Decimal
    failure_mode: str = ""
    severity: str = LOWEST_SEVERITY
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
    """A way of working in this project; applies_to is empty if it applies everywhere."""

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
    """Return the number of stories that support an entry; not counted for an anti-pattern."""
    return 0 if isinstance(entry, AntiPattern) else entry.source_count


def last_date_of(entry: ScoredEntry) -> str:
    """Return the date of the last support for an entry, empty if unknown."""
    return (entry.last_reinforced if isinstance(entry, Principle) else "") or entry.created or ""


def reinforced_by(entry: AnyEntry, confidence: Decimal, date: str, *, new_source: bool) -> AnyEntry:
    """Return an entry with the confidence after a reinforcement by a story."""
    count = sources_of(entry) + new_source
    return _with(entry, confidence=confidence, source_count=count, last_reinforced=date)


def united(entry: AnyEntry, other: AnyEntry) -> AnyEntry:
    """Return an entry with the additions of another one with the same meaning."""
    dates = (getattr(one, "last_reinforced", None) for one in (entry, other))
    return _with(
        entry,
        source_count=sources_of(entry) + sources_of(other),
        last_reinforced=max(filter(None, dates), default=None),
        tags=tuple(dict.fromkeys((*entry.tags, *other.tags))),
        roles=tuple(dict.fromkeys((*entry.roles, *other.roles))),
    )


def _with(entry: AnyEntry, **changes: Any) -> AnyEntry:  # noqa: ANN401  (values of fields)
    """Return an entry with new values of the fields that its kind has."""
    return entry._replace(**{name: changes[name] for name in entry._fields if name in changes})


class Memory(NamedTuple):
    """The three files of a memory, each in file order; a missing file is empty."""

    principles: tuple[Principle, ...] = ()
    anti_patterns: tuple[AntiPattern, ...] = ()
    procedures: tuple[Procedure, ...] = ()

    @property
    def entries(self) -> tuple[ScoredEntry, ...]:
        """All entries: principles, anti-patterns, procedures."""
        return (*self.principles, *self.anti_patterns, *self.procedures)


class Story(NamedTuple):
    """One observations file, of a story, an incident or another workflow.

    source is its path in the applied rows, and differs between any two files; id is the name that
    people know. completed is the date in the handoff file, committed the date of the last commit
    that added an observation: ISO text, or None. has_briefing is False for `observations/`:
    consistency checks there had nothing to compare with. is_story is False for files that separate
    no stories: a review, an incident. is_new is False for a file that was captured before: it
    counts as evidence and is not applied again.
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
    """Return the names and paths of stories without a briefing, which checks can name."""
    reviews = [story for story in stories if not story.has_briefing]
    paths = [story.source for story in reviews]
    short = (path.partition("/")[2] for path in paths)
    return frozenset([*paths, *short, *(story.id for story in reviews)])


class Applied(NamedTuple):
    """The use of an observation: the source of its story, its id, the ISO date, the entry.

    action is one of the constants above; entry is empty if no entry was affected.
    """

    source: str
    observation: str
    date: str
    entry: str
    action: str


class CurationChange(NamedTuple):
    """One row of the report: the effect of an observation, or of a limit, on an entry.

    before and after are confidences or None: before for a new entry, both if no entry was affected.
    line is the 1-based line of the observation; source and observation are empty, and line is 0, if
    a limit caused the change. reason is the end of a sentence for people.
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
    """The memory after a run, all applied rows, oldest first, and the changes in order."""

    memory: Memory
    applied: tuple[Applied, ...]
    changes: tuple[CurationChange, ...]


NEAR_ARCHIVE = Decimal("0.35")
"""Confidence below which active entries are shown as near archive.

Two contradictions, or two steps of weakening, above the default threshold.
"""


class ConfidenceSettings(NamedTuple):
    """The settings, with the defaults of the procedure that this form of memory comes from.

    The last four are ours: `[tool.learnings.confidence]`. Without discovery_tags any tag makes a
    discovery a candidate; tag_categories adds categories to tags.
    """

    confidence_start: Decimal = Decimal("0.6")
    confidence_reinforce: Decimal = Decimal("0.08")
    confidence_weaken: Decimal = Decimal("0.08")
    confidence_contradict: Decimal = Decimal("0.20")
    confidence_archive: Decimal = Decimal("0.2")
    max_principles: int = 200
    max_anti_patterns: int = 100
    max_procedures: int = 50
    max_observations_per_story: int = 30
    briefing_confidence_threshold: Decimal = Decimal("0.4")
    max_briefing_entries: int = 15
    incident_confidence_multiplier: Decimal = Decimal("1.5")
    discovery_tags: tuple[str, ...] = ()
    constraint_tags: tuple[str, ...] = ("constraint",)
    tag_categories: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    one_reinforcement_per_story: bool = False

    def weighted(self, amount: Decimal, story: Story) -> Decimal:
        """Return the amount that a story adds; incidents add more, but never subtract more."""
        is_incident = story.workflow_type.strip().casefold() == INCIDENT
        return amount * self.incident_confidence_multiplier if is_incident else amount


PLACES = 4
"""Maximum decimal places of a confidence; only a multiplier with decimals needs them."""

_LOWEST, _HIGHEST = Decimal(0), Decimal(1)
_SMALLEST_STEP = Decimal(1).scaleb(-PLACES)


def clamped(confidence: Decimal) -> Decimal:
    """Return a confidence between 0 and 1 as written, rounding half a step up."""
    clamped = min(max(confidence, _LOWEST), _HIGHEST)
    return Decimal(number_text(clamped.quantize(_SMALLEST_STEP, rounding=ROUND_HALF_UP)))
