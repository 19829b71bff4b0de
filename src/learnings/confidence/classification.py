"""Step 1: what an observation can become."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from learnings.confidence import values
from learnings.confidence.overlap import names
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import Observation, Story


class Target(Enum):
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

    target: Target
    reason: str = ""


_BY_TYPE = {
    values.FIX_RATIONALE: Target.PRINCIPLE,
    values.INCIDENT_LEARNING: Target.FAILURE,
    values.DETECTION_GAP: Target.ADAPTATION,
}


def classify(observation: Observation, story: Story, settings: ConfidenceSettings) -> Classified:
    """Return what an observation of a story can become."""
    match observation.type:
        case values.DISCOVERY:
            return _discovery(names(observation.tags), names(settings.discovery_tags))
        case values.CONSISTENCY_CHECK if not story.has_briefing:
            return Classified(Target.NOTHING, "this workflow had no briefing to check")
        case values.CONSISTENCY_CHECK:
            return Classified(Target.CHECK)
        case other if other not in values.TYPES:
            return Classified(Target.UNKNOWN, f"its type is none of {', '.join(values.TYPES)}")
    return Classified(_BY_TYPE.get(observation.type) or _by_content(observation, story, settings))


def _by_content(observation: Observation, story: Story, settings: ConfidenceSettings) -> Target:
    """Return the target of a type that has two."""
    tags = names(observation.tags)
    match observation.type:
        case values.FINDING:  # one that does not say that it is resolved is not
            is_principle = bool(observation.resolved)
        case values.DEVIATION:  # justified by a fix that has to do with it
            is_principle = any(tags & names(fix.tags) for fix in fix_rationales(story))
        case _:
            is_principle = bool(tags & names(settings.constraint_tags))
    failure = observation.type == values.FINDING
    return Target.PRINCIPLE if is_principle else Target.FAILURE if failure else Target.ADAPTATION


def fix_rationales(story: Story) -> list[Observation]:
    """Return the observations of a story that say why something was fixed in one way."""
    return [item for item in story.observations if item.type == values.FIX_RATIONALE]


def _discovery(tags: frozenset[str], wanted: frozenset[str]) -> Classified:
    if not tags:
        return Classified(Target.NOTHING, "a discovery without tags is not a technique")
    if wanted and not tags & wanted:
        return Classified(Target.NOTHING, "none of its tags is among the `discovery-tags`")
    return Classified(Target.PRINCIPLE)
