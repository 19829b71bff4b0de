"""The state of one curation, and the effect of one observation on it (steps 1 to 3)."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from enum import Enum
from typing import Any

from learnings.confidence import values
from learnings.confidence.creation import NewEntryFacts, StoryEvidence, new_principle
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.kinds import KINDS
from learnings.confidence.overlap import SIGNIFICANT, are_near, names
from learnings.confidence.values import (
    AntiPattern,
    AnyEntry,
    Applied,
    ConfidenceSettings,
    CurationChange,
    Memory,
    Observation,
    Principle,
    Procedure,
    Story,
    clamped,
    reinforced_by,
)

_SUPPORT = {values.CREATED, values.REINFORCED, values.COUNTED}


class CurationRun:
    """Entries that change with each observation; `today` is the ISO date for changes."""

    def __init__(
        self, memory: Memory, applied: Iterable[Applied], settings: ConfidenceSettings, today: str
    ) -> None:
        self.settings = settings
        self.today = today
        self.rows = list(applied)
        self.changes: list[CurationChange] = []
        self.reviews: frozenset[str] = frozenset()
        self._actions = {(row.source, row.observation): row.action for row in self.rows}
        self._done = {(row.source, row.entry, row.action) for row in self.rows}
        ids = {row.entry for row in self.rows}
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

    def is_applied(self, story: Story, observation: Observation) -> bool:
        """Return True if an observation was applied."""
        return (story.source, observation.id) in self._actions

    def is_open(self, story: Story, observation: Observation) -> bool:
        """Return True if an observation may still count as evidence, since no entry uses it."""
        action = self._actions.get((story.source, observation.id), values.EVIDENCE)
        return action == values.EVIDENCE

    def mark(self, evidence: StoryEvidence, entry: str, action: str) -> None:
        """Append the row of an applied observation; the last row of an observation counts."""
        _, story, observation = evidence
        self.rows.append(Applied(story.source, observation.id, self.today, entry, action))
        self._actions[story.source, observation.id] = action
        self._done.add((story.source, entry, action))

    def record(
        self,
        action: str,
        evidence: StoryEvidence,
        entry: str = "",
        *,
        scores: tuple[Decimal | None, Decimal | None] = (None, None),
        reason: str = "",
        is_done: bool = True,
    ) -> None:
        """Add a row to the report, with confidences before and after, and to the rows if done."""
        _, story, observation = evidence
        if is_done:
            self.mark(evidence, entry, action)
        change = CurationChange(action, entry, *scores, story.source, observation.id)
        self.changes.append(change._replace(line=observation.line, reason=reason))

    def origin(self, table: EntryTable[AnyEntry], story: Story) -> NewEntryFacts:
        """Return the facts of a new entry of a story besides its contents."""
        start = self.settings.weighted(self.settings.confidence_start, story)
        return NewEntryFacts(table.new_id(), clamped(start), story.id, self.today)

    def create(
        self,
        table: EntryTable[AnyEntry],
        entry: AnyEntry,
        evidence: StoryEvidence,
        reason: str = "",
    ) -> None:
        """Append an entry that an observation caused."""
        table.add(entry)
        scores = (None, entry.confidence)
        self.record(values.CREATED, evidence, entry.id, scores=scores, reason=reason)

    def move(
        self,
        table: EntryTable[AnyEntry],
        entry: AnyEntry,
        evidence: StoryEvidence,
        effect: str,
        reason: str = "",
    ) -> None:
        """Raise or lower the confidence of an entry by the effect of an observation on it."""
        story, settings = evidence.story, self.settings
        done = {action for action in _SUPPORT if (story.source, entry.id, action) in self._done}
        if entry.status == values.UNUSABLE:
            reason = "its entry has an invalid value; correct it and curate again"
            self.record(values.SKIPPED, evidence, entry.id, reason=reason, is_done=False)
            return
        before = after = entry.confidence
        if effect == values.REINFORCED:
            if settings.one_reinforcement_per_story and effect in done:
                already = "this story has already reinforced it"
                self.record(values.UNCHANGED, evidence, entry.id, reason=already)
                return
            reinforce = settings.confidence_reinforce
            after = clamped(before + settings.weighted(reinforce, story))
            table.replace(reinforced_by(entry, after, self.today, new_source=not done))
        elif effect != values.QUESTION:
            is_weak = effect == values.WEAKENED
            step = settings.confidence_weaken if is_weak else settings.confidence_contradict
            after = clamped(before - step)
            table.replace(entry._replace(confidence=after))
        self.record(effect, evidence, entry.id, scores=(before, after), reason=reason)


class ObservationTarget(Enum):
    """The target of an observation.

    PRINCIPLE: it reinforces or becomes a principle. FAILURE and ADAPTATION: it reinforces an
    anti-pattern or a procedure, or is evidence for a new one. CHECK: it is about one entry.
    NOTHING: it has no effect. UNKNOWN: it has no effect, and somebody should look at it.
    """

    PRINCIPLE = "principle"
    FAILURE = "failure"
    ADAPTATION = "adaptation"
    CHECK = "check"
    NOTHING = "nothing"
    UNKNOWN = "unknown"


def classify(
    observation: Observation, story: Story, settings: ConfidenceSettings
) -> tuple[ObservationTarget, str]:
    """Return the target of an observation of a story, and the reason if it has no effect."""
    tags, wanted = names(observation.tags), names(settings.discovery_tags)
    target, reason = ObservationTarget.NOTHING, ""
    match observation.type:
        case values.DISCOVERY if not tags:
            reason = "a discovery without tags is not a technique"
        case values.DISCOVERY if wanted and not tags & wanted:
            reason = "none of its tags is in `discovery-tags`"
        case values.CONSISTENCY_CHECK if not story.has_briefing:
            reason = "this workflow had no briefing to check"
        case values.CONSISTENCY_CHECK:
            target = ObservationTarget.CHECK
        case values.DISCOVERY | values.FIX_RATIONALE:
            target = ObservationTarget.PRINCIPLE
        case values.FINDING | values.INCIDENT_LEARNING:  # not stated as resolved
            is_resolved = observation.type == values.FINDING and observation.resolved
            target = ObservationTarget.PRINCIPLE if is_resolved else ObservationTarget.FAILURE
        case values.DEVIATION | values.OBSERVATION | values.DETECTION_GAP:
            is_principle = _is_justified(observation, story, settings)
            target = ObservationTarget.PRINCIPLE if is_principle else ObservationTarget.ADAPTATION
        case _:
            target = ObservationTarget.UNKNOWN
            reason = f"its type is not one of {', '.join(values.TYPES)}"
    return target, reason


def _is_justified(observation: Observation, story: Story, settings: ConfidenceSettings) -> bool:
    """Return True for a deviation related to a fix, and for a constraint."""
    tags = names(observation.tags)
    if observation.type == values.DEVIATION:
        return any(tags & names(fix.tags) for fix in fix_rationales(story))
    return observation.type == values.OBSERVATION and bool(tags & names(settings.constraint_tags))


def fix_rationales(story: Story) -> list[Observation]:
    """Return the observations of a story that explain a fix."""
    return [item for item in story.observations if item.type == values.FIX_RATIONALE]


_REASONS = {
    values.REINFORCED: "",
    values.CONTRADICTED: "it says the opposite",
    values.QUESTION: "it may say the opposite; answer with a consistency check",
}


def apply_observation(run: CurationRun, evidence: StoryEvidence) -> ObservationTarget | None:
    """Apply one observation; return FAILURE or ADAPTATION if no entry matches it."""
    _, story, observation = evidence
    target, reason = classify(observation, story, run.settings)
    match target:
        case ObservationTarget.PRINCIPLE:
            if observation.type == values.FIX_RATIONALE:
                _recommend(run, evidence)
            if not apply_match(run, run.principles, evidence):
                origin = run.origin(run.principles, story)
                principle = new_principle(observation, origin, run.settings)
                run.create(run.principles, principle, evidence)
        case ObservationTarget.FAILURE:
            return None if apply_match(run, run.anti_patterns, evidence) else target
        case ObservationTarget.ADAPTATION:
            return None if apply_match(run, run.procedures, evidence) else target
        case ObservationTarget.CHECK:
            _apply_check(run, evidence)
        case ObservationTarget.NOTHING:
            run.record(values.IGNORED, evidence, reason=reason)
        case ObservationTarget.UNKNOWN:
            run.record(values.SKIPPED, evidence, reason=reason)
    return None


def _recommend(run: CurationRun, evidence: StoryEvidence) -> None:
    """Make anti-patterns with the tags of a fix recommend it, if they recommend nothing yet."""
    fix = evidence.observation
    tags = names(fix.tags)
    for entry in run.anti_patterns.active:
        has_remedy = bool(entry.recommended_approach.strip())
        if not has_remedy and are_near(tags, names(entry.tags), SIGNIFICANT):
            run.anti_patterns.replace(entry._replace(recommended_approach=fix.text))
            reason, scores = "it had no recommended approach", (entry.confidence,) * 2
            run.record(
                values.REMEDIED, evidence, entry.id, scores=scores, reason=reason, is_done=False
            )


def apply_match(run: CurationRun, table: EntryTable[AnyEntry], evidence: StoryEvidence) -> bool:
    """Apply an observation to the entry that it is about; return False if there is none.

    It reinforces or contradicts the entry, or leaves it as it is if that is a question.
    """
    match = table.match(evidence.observation, run.settings)
    if match is None:
        return False
    entry, effect = match
    run.move(table, entry, evidence, effect, _REASONS[effect])
    return True


_EFFECTS = {
    values.REINFORCE: values.REINFORCED,
    values.WEAKEN: values.WEAKENED,
    values.CONTRADICT: values.CONTRADICTED,
}


def _apply_check(run: CurationRun, evidence: StoryEvidence) -> None:
    """Apply a consistency check to the entry that it names, if the entry is active."""
    entry_id = evidence.observation.principle_id or ""
    effect = _EFFECTS.get(evidence.observation.relationship or "")
    prefix = entry_id.partition("-")[0]
    table = next((one for one in run.tables if one.kind.prefix == prefix), run.principles)
    entry = table.get(entry_id)
    action, reason = values.SKIPPED, ""
    if effect is None:
        reason = f"its relationship is not one of {', '.join(values.RELATIONSHIPS)}"
    elif entry_id in run.reviews:
        action, reason = values.IGNORED, "it is about a review, not an entry"
    elif not entry_id:
        reason = "it names no entry in `principle_id`"
    elif entry is None:
        reason = f"unknown entry {entry_id}"
    elif entry.status not in (values.ACTIVE, values.UNUSABLE):
        reason = f"{entry.id} is {entry.status}"
    else:
        run.move(table, entry, evidence, effect)
        return
    run.record(action, evidence, reason=reason)
