"""Step 3: what each observation, in the order of its file, does to the entry that it concerns."""

from __future__ import annotations

from learnings.confidence.arithmetic import contradicted, weakened
from learnings.confidence.classification import Target, classify
from learnings.confidence.creation import new_principle
from learnings.confidence.entry_table import EntryTable
from learnings.confidence.opposites import may_be_opposites
from learnings.confidence.run import Run
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

MAY_BE_OPPOSITES = "one of the two has a negation, so look whether it contradicts"


def apply_observation(run: Run, story: Story, observation: Observation) -> Target | None:
    """Apply one observation; FAILURE or ADAPTATION where no entry says what it says."""
    target, reason = classify(observation, story, run.settings)
    match target:
        case Target.PRINCIPLE:
            _apply_candidate(run, story, observation)
        case Target.FAILURE:
            return None if reinforce_match(run, run.anti_patterns, story, observation) else target
        case Target.ADAPTATION:
            return None if reinforce_match(run, run.procedures, story, observation) else target
        case Target.CHECK:
            _apply_check(run, story, observation)
        case Target.NOTHING:
            run.record(IGNORED, story, observation, reason=reason)
        case Target.UNKNOWN:
            run.record(SKIPPED, story, observation, reason=reason)
    return None


def reinforce_match(
    run: Run, table: EntryTable[AnyEntry], story: Story, observation: Observation
) -> bool:
    """Reinforce the entry that says what an observation says; False if there is none."""
    entry = table.match(observation, run.settings)
    if entry is None:
        return False
    text = next(iter(table.kind.texts(entry)))
    reason = MAY_BE_OPPOSITES if may_be_opposites(text, observation.text) else ""
    run.reinforce(table, entry, story, observation, reason)
    return True


def _apply_candidate(run: Run, story: Story, observation: Observation) -> None:
    if not reinforce_match(run, run.principles, story, observation):
        origin = run.origin(run.principles, story)
        principle = new_principle(observation, origin, run.settings)
        run.create(run.principles, principle, story, observation)


def _apply_check(run: Run, story: Story, observation: Observation) -> None:
    entry_id = observation.principle_id or ""
    if observation.relationship not in RELATIONSHIPS:
        reason = f"its relationship is none of {', '.join(RELATIONSHIPS)}"
        run.record(SKIPPED, story, observation, reason=reason)
    elif entry_id.startswith(f"{run.anti_patterns.kind.prefix}-"):
        _apply_relationship(run, run.anti_patterns, story, observation)
    elif entry_id.startswith(f"{run.procedures.kind.prefix}-"):
        _apply_relationship(run, run.procedures, story, observation)
    else:
        _apply_relationship(run, run.principles, story, observation)


def _apply_relationship(
    run: Run, table: EntryTable[AnyEntry], story: Story, observation: Observation
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
