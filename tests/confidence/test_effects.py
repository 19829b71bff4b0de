from __future__ import annotations

from typing import Any

from learnings.confidence.curation_run import ObservationTarget, classify
from learnings.confidence.values import TYPES, ConfidenceSettings, Observation
from tests.confidence.memory import SETTINGS, observation, story

PRINCIPLE, FAILURE, ADAPTATION = (
    ObservationTarget.PRINCIPLE,
    ObservationTarget.FAILURE,
    ObservationTarget.ADAPTATION,
)
CHECK, NOTHING, UNKNOWN = (
    ObservationTarget.CHECK,
    ObservationTarget.NOTHING,
    ObservationTarget.UNKNOWN,
)
FINDING = "quality-loop-finding"

# Type, tags, more fields, and what it becomes: the table of the source and what was decided.
ROWS: list[tuple[str, str, dict[str, Any], ObservationTarget]] = [
    ("discovery", "retry", {}, PRINCIPLE),
    ("discovery", "", {}, NOTHING),
    (FINDING, "", {"resolved": True}, PRINCIPLE),
    (FINDING, "retry", {"resolved": False}, FAILURE),
    (FINDING, "", {"resolved": None}, FAILURE),
    ("fix-rationale", "", {}, PRINCIPLE),
    ("deviation", "queue", {}, PRINCIPLE),  # the fix-rationale below shares the tag
    ("deviation", "Queue other", {}, PRINCIPLE),
    ("deviation", "other", {}, ADAPTATION),
    ("deviation", "", {}, ADAPTATION),
    ("observation", "constraint", {}, PRINCIPLE),
    ("observation", "other Constraint", {}, PRINCIPLE),
    ("observation", "other", {}, ADAPTATION),
    ("observation", "", {}, ADAPTATION),
    ("incident-learning", "", {"importance": 10}, FAILURE),
    ("incident-learning", "", {"importance": 1}, FAILURE),
    ("detection-gap", "", {}, ADAPTATION),
    ("consistency-check", "", {}, CHECK),
    ("rumour", "retry", {}, UNKNOWN),
    ("", "retry", {}, UNKNOWN),
]


def target(
    item: Observation, settings: ConfidenceSettings = SETTINGS, *, has_briefing: bool = True
) -> ObservationTarget:
    where = story(1, observation(type="fix-rationale", tags="queue"), has_briefing=has_briefing)
    return classify(item, where, settings).target


def test_every_type_becomes_what_the_table_says() -> None:
    observations = [
        (observation(type=kind, tags=tags, **fields), wanted) for kind, tags, fields, wanted in ROWS
    ]
    wrong = [(item, wanted) for item, wanted in observations if target(item) is not wanted]
    assert wrong == []
    assert {kind for kind, *_ in ROWS} >= set(TYPES)


def test_without_a_briefing_there_is_nothing_to_check() -> None:
    kinds = {kind: target(observation(type=kind, tags="a"), has_briefing=False) for kind in TYPES}
    assert kinds.pop("consistency-check") is NOTHING
    assert NOTHING not in kinds.values()


def test_tags_of_discoveries_and_constraints_are_settings() -> None:
    only = SETTINGS._replace(discovery_tags=("Pattern", "technique"))
    assert target(observation(tags="pattern"), only) is PRINCIPLE
    assert target(observation(tags="other"), only) is NOTHING
    assert target(observation(tags=""), only) is NOTHING
    limits = SETTINGS._replace(constraint_tags=("limit", "rule"))
    assert target(observation(type="observation", tags="rule"), limits) is PRINCIPLE
    assert target(observation(type="observation", tags="constraint"), limits) is ADAPTATION


def test_what_has_no_effect_says_why() -> None:
    empty = story(1, has_briefing=False)
    reasons = [
        classify(observation(), empty, SETTINGS).reason,
        classify(observation(tags="a"), empty, SETTINGS._replace(discovery_tags=("b",))).reason,
        classify(observation(type="consistency-check"), empty, SETTINGS).reason,
    ]
    assert reasons == [
        "a discovery without tags is not a technique",
        "none of its tags is in `discovery-tags`",
        "this workflow had no briefing to check",
    ]
