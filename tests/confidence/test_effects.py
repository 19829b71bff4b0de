"""The order of stories, and what an observation becomes."""

from __future__ import annotations

from typing import Any

from learnings.confidence.curation import stories_in_order
from learnings.confidence.curation_run import ObservationTarget, classify
from learnings.confidence.values import TYPES, ConfidenceSettings, Observation, Story
from tests.confidence.memory import SETTINGS, observation, story

PRINCIPLE, FAILURE = ObservationTarget.PRINCIPLE, ObservationTarget.FAILURE
ADAPTATION, CHECK = ObservationTarget.ADAPTATION, ObservationTarget.CHECK
NOTHING, UNKNOWN = ObservationTarget.NOTHING, ObservationTarget.UNKNOWN
FINDING = "quality-loop-finding"

# Type, tags, more fields, and what it becomes: the table of the source and what was decided.
ROWS: list[tuple[str, str, dict[str, Any], ObservationTarget]] = [
    ("discovery", "retry", {}, PRINCIPLE),
    ("discovery", "", {}, NOTHING),
    (FINDING, "", {"resolved": True}, PRINCIPLE),
    (FINDING, "retry", {"resolved": False}, FAILURE),
    (FINDING, "", {"resolved": None}, FAILURE),
    ("fix-rationale", "", {}, PRINCIPLE),
    ("deviation", "Queue other", {}, PRINCIPLE),  # the fix-rationale below shares the tag
    ("deviation", "other", {}, ADAPTATION),
    ("deviation", "", {}, ADAPTATION),
    ("observation", "other Constraint", {}, PRINCIPLE),
    ("observation", "queue", {}, ADAPTATION),
    ("incident-learning", "", {"resolved": True}, FAILURE),
    ("detection-gap", "constraint queue", {}, ADAPTATION),
    ("consistency-check", "", {}, CHECK),
    ("rumour", "retry", {}, UNKNOWN),
]


def target(
    item: Observation, settings: ConfidenceSettings = SETTINGS, *, has_briefing: bool = True
) -> ObservationTarget:
    where = story(1, observation(type="fix-rationale", tags="queue"), has_briefing=has_briefing)
    return classify(item, where, settings)[0]


def test_every_type_becomes_what_the_table_says() -> None:
    for kind, tags, fields, wanted in ROWS:
        assert target(observation(type=kind, tags=tags, **fields)) is wanted, (kind, tags)
    assert {kind for kind, *_ in ROWS} >= set(TYPES)
    # Without a briefing there is nothing to check.
    kinds = {kind: target(observation(type=kind, tags="a"), has_briefing=False) for kind in TYPES}
    assert [kind for kind in TYPES if kinds[kind] is NOTHING] == ["consistency-check"]


def test_tags_of_discoveries_and_constraints_are_settings() -> None:
    only = SETTINGS._replace(discovery_tags=("Pattern", "technique"))
    assert target(observation(tags="pattern"), only) is PRINCIPLE
    assert target(observation(tags="other"), only) is NOTHING
    limits = SETTINGS._replace(constraint_tags=("limit", "rule"))
    assert target(observation(type="observation", tags="rule"), limits) is PRINCIPLE
    assert target(observation(type="observation", tags="constraint"), limits) is ADAPTATION
    assert "discovery-tags" in classify(observation(tags="a"), story(1), only)[1]


def dated(name: str, completed: str | None = None, committed: str | None = None) -> Story:
    return Story(name, f"stories/{name}", completed=completed, committed=committed)


def in_order(*stories: Story) -> list[str]:
    """Return the names in order, whichever way round they come in."""
    order = [story.id for story in stories_in_order(stories)]
    assert [story.id for story in stories_in_order(reversed(stories))] == order
    return order


def test_completion_counts_before_the_commit_and_a_story_without_either_is_the_newest() -> None:
    late = dated("A", completed="2026-03-05", committed="2026-03-01T10:00:00+01:00")
    early = dated("B", completed="2026-03-02T09:00:00Z", committed="2026-03-09T10:00:00+01:00")
    between = dated("C", committed="2026-03-03T10:00:00+01:00")
    assert in_order(dated("0"), late, early, between) == ["B", "C", "A", "0"]
    # Times are compared as instants, and what is no date is no date.
    tokyo = dated("D", completed="2026-03-02T17:00:00.000+09:00")
    wrong = dated("E", completed="soon", committed="2026-03-02")
    beyond = dated("F", completed="0001-01-01T00:00:00+14:00")
    assert in_order(early, tokyo, wrong, beyond) == ["E", "D", "B", "F"]


def test_names_decide_between_equal_dates_and_numbers_in_them_are_numbers() -> None:
    stories = [dated(name, completed="2026-03-02") for name in ("ST-10", "ST-9", "st-11")]
    assert in_order(*stories) == ["ST-9", "ST-10", "st-11"]
