"""The effect of one observation (steps 1 to 3): what it can become, and which entry it changes."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from learnings.confidence import values
from learnings.confidence.creation import new_principle
from learnings.confidence.curation_run import CurationRun
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.overlap import SIGNIFICANT, are_near, may_be_opposites, names
from learnings.confidence.scoring import ConfidenceSettings, contradicted, weakened
from learnings.confidence.values import (
    ACTIVE,
    CONTRADICTED,
    IGNORED,
    REINFORCE,
    RELATIONSHIPS,
    SKIPPED,
    UNUSABLE,
    WEAKEN,
    WEAKENED,
    AnyEntry,
    Observation,
    Story,
)


class ObservationTarget(Enum):
    """What an observation is taken for.

    PRINCIPLE: it reinforces a principle or becomes one. FAILURE and ADAPTATION: it reinforces an
    anti-pattern or a procedure, or is evidence for a new one. CHECK: it says something about one
    entry. NOTHING: it has no effect. UNKNOWN: nor has this, and somebody should look at it.
    """

    PRINCIPLE = "principle"
    FAILURE = "failure"
    ADAPTATION = "adaptation"
    CHECK = "check"
    NOTHING = "nothing"
    UNKNOWN = "unknown"


class Classified(NamedTuple):
    """The target of an observation; reason is the end of a sentence where it has no effect."""

    target: ObservationTarget
    reason: str = ""


_BY_TYPE = {
    values.FIX_RATIONALE: ObservationTarget.PRINCIPLE,
    values.INCIDENT_LEARNING: ObservationTarget.FAILURE,
    values.DETECTION_GAP: ObservationTarget.ADAPTATION,
}


def classify(observation: Observation, story: Story, settings: ConfidenceSettings) -> Classified:
    """Return what an observation of a story can become."""
    match observation.type:
        case values.DISCOVERY:
            return _discovery(names(observation.tags), names(settings.discovery_tags))
        case values.CONSISTENCY_CHECK if not story.has_briefing:
            return Classified(ObservationTarget.NOTHING, "this workflow had no briefing to check")
        case values.CONSISTENCY_CHECK:
            return Classified(ObservationTarget.CHECK)
        case other if other not in values.TYPES:
            return Classified(
                ObservationTarget.UNKNOWN, f"its type is none of {', '.join(values.TYPES)}"
            )
    return Classified(_BY_TYPE.get(observation.type) or _by_content(observation, story, settings))


def _by_content(
    observation: Observation, story: Story, settings: ConfidenceSettings
) -> ObservationTarget:
    """Return the target of a type that has two."""
    tags = names(observation.tags)
    match observation.type:
        case values.FINDING:  # one that does not say that it is resolved is not
            is_principle = bool(observation.resolved)
        case values.DEVIATION:  # justified by a fix that has to do with it
            is_principle = any(tags & names(fix.tags) for fix in fix_rationales(story))
        case _:
            is_principle = bool(tags & names(settings.constraint_tags))
    if is_principle:
        return ObservationTarget.PRINCIPLE
    is_failure = observation.type == values.FINDING
    return ObservationTarget.FAILURE if is_failure else ObservationTarget.ADAPTATION


def fix_rationales(story: Story) -> list[Observation]:
    """Return the observations of a story that say why something was fixed in one way."""
    return [item for item in story.observations if item.type == values.FIX_RATIONALE]


def _discovery(tags: frozenset[str], wanted: frozenset[str]) -> Classified:
    if not tags:
        return Classified(ObservationTarget.NOTHING, "a discovery without tags is not a technique")
    if wanted and not tags & wanted:
        return Classified(
            ObservationTarget.NOTHING, "none of its tags is among the `discovery-tags`"
        )
    return Classified(ObservationTarget.PRINCIPLE)


MAY_BE_OPPOSITES = "one of the two has a negation, so look whether it contradicts"


def apply_observation(
    run: CurationRun, story: Story, observation: Observation
) -> ObservationTarget | None:
    """Apply one observation; FAILURE or ADAPTATION where no entry says what it says."""
    target, reason = classify(observation, story, run.settings)
    match target:
        case ObservationTarget.PRINCIPLE:
            if observation.type == values.FIX_RATIONALE:
                _recommend(run, story, observation)
            if not reinforce_match(run, run.principles, story, observation):
                origin = run.origin(run.principles, story)
                principle = new_principle(observation, origin, run.settings)
                run.create(run.principles, principle, story, observation)
        case ObservationTarget.FAILURE:
            return None if reinforce_match(run, run.anti_patterns, story, observation) else target
        case ObservationTarget.ADAPTATION:
            return None if reinforce_match(run, run.procedures, story, observation) else target
        case ObservationTarget.CHECK:
            _apply_check(run, story, observation)
        case ObservationTarget.NOTHING:
            run.record(IGNORED, story, observation, reason=reason)
        case ObservationTarget.UNKNOWN:
            run.record(SKIPPED, story, observation, reason=reason)
    return None


def _recommend(run: CurationRun, story: Story, fix: Observation) -> None:
    """Let anti-patterns with the tags of a fix recommend it, if they recommend nothing yet."""
    tags = names(fix.tags)
    for entry in run.anti_patterns.active:
        has_remedy = bool(entry.recommended_approach.strip())
        if not has_remedy and are_near(tags, names(entry.tags), SIGNIFICANT):
            run.anti_patterns.replace(entry._replace(recommended_approach=fix.text))
            run.record(
                values.REMEDIED,
                story,
                fix,
                entry.id,
                before=entry.confidence,
                after=entry.confidence,
                reason="it said nothing yet about what to do instead",
                is_done=False,
            )


def reinforce_match(
    run: CurationRun, table: EntryTable[AnyEntry], story: Story, observation: Observation
) -> bool:
    """Reinforce the entry that says what an observation says; False if there is none."""
    entry = table.match(observation, run.settings)
    if entry is None:
        return False
    text = next(iter(table.kind.texts(entry)))
    reason = MAY_BE_OPPOSITES if may_be_opposites(text, observation.text) else ""
    run.reinforce(table, entry, story, observation, reason)
    return True


def _apply_check(run: CurationRun, story: Story, observation: Observation) -> None:
    entry_id = observation.principle_id or ""
    if observation.relationship not in RELATIONSHIPS:
        reason = f"its relationship is none of {', '.join(RELATIONSHIPS)}"
        run.record(SKIPPED, story, observation, reason=reason)
    elif entry_id in run.reviews:
        run.record(IGNORED, story, observation, reason="it is about a review, not an entry")
    elif entry_id.startswith(f"{run.anti_patterns.kind.prefix}-"):
        _apply_relationship(run, run.anti_patterns, story, observation)
    elif entry_id.startswith(f"{run.procedures.kind.prefix}-"):
        _apply_relationship(run, run.procedures, story, observation)
    else:
        _apply_relationship(run, run.principles, story, observation)


def _apply_relationship(
    run: CurationRun, table: EntryTable[AnyEntry], story: Story, observation: Observation
) -> None:
    """Apply a consistency check to the entry that it names, if that is active."""
    entry = table.get(observation.principle_id or "")
    if entry is not None and entry.status == UNUSABLE:
        run.postpone(story, observation, entry.id)
    elif entry is None or entry.status != ACTIVE:
        run.record(SKIPPED, story, observation, reason=_why_not(observation, entry))
    elif observation.relationship == REINFORCE:
        run.reinforce(table, entry, story, observation)
    else:
        before, is_weak = entry.confidence, observation.relationship == WEAKEN
        after = (weakened if is_weak else contradicted)(before, run.settings)
        table.replace(entry._replace(confidence=after))
        action = WEAKENED if is_weak else CONTRADICTED
        run.record(action, story, observation, entry.id, before=before, after=after)


def _why_not(observation: Observation, entry: AnyEntry | None) -> str:
    if not observation.principle_id:
        return "it does not say which entry it is about: `principle_id`"
    if entry is None:
        return f"there is no entry {observation.principle_id}"
    return f"{entry.id} is {entry.status}"
