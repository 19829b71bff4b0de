"""Anti-patterns from two stories of three or from a grave incident, procedures from three."""

from __future__ import annotations

from decimal import Decimal

import pytest

from learnings.confidence.values import (
    ARCHIVED,
    INCIDENT,
    AntiPattern,
    Curation,
    Memory,
    Observation,
    Story,
)
from tests.confidence.memory import (
    CACHE,
    POOL,
    QUEUE,
    anti_pattern,
    curated,
    memory,
    observation,
    procedure,
    scores,
    story,
)

SIXTY = Decimal("0.60")


def failure(text: str = QUEUE, tags: str = "queue memory", **fields: object) -> Observation:
    plain = observation(text, tags, type="quality-loop-finding", resolved=False)
    return plain._replace(**fields)  # type: ignore[arg-type]


def incident(importance: int, text: str = QUEUE, **fields: object) -> Observation:
    plain = observation(text, "queue memory", type="incident-learning", importance=importance)
    return plain._replace(**fields)  # type: ignore[arg-type]


def habit(text: str = CACHE, tags: str = "sprint risk", **fields: object) -> Observation:
    plain = observation(text, tags, type="observation")
    return plain._replace(**fields)  # type: ignore[arg-type]


def empty(*numbers: int) -> list[Story]:
    return [story(number) for number in numbers]


def anti_patterns(*stories: Story) -> list[str]:
    return [entry.id for entry in curated(Memory(), *stories).memory.anti_patterns]


def procedures(*stories: Story) -> list[str]:
    return [entry.id for entry in curated(Memory(), *stories).memory.procedures]


def test_two_failures_within_three_stories_make_an_anti_pattern() -> None:
    assert anti_patterns(story(1, failure())) == []
    assert anti_patterns(story(1, failure(), failure())) == []  # one story
    assert anti_patterns(story(1, failure()), story(2, failure())) == ["AP-001"]
    assert anti_patterns(story(1, failure()), *empty(2), story(3, failure())) == ["AP-001"]
    assert anti_patterns(story(1, failure()), *empty(2, 3), story(4, failure())) == []


def test_reviews_and_incidents_between_stories_do_not_separate_them() -> None:
    between = [story(number, is_story=False, has_briefing=number > 4) for number in range(2, 7)]
    assert anti_patterns(story(1, failure()), *between, story(7, failure())) == ["AP-001"]
    far = [story(1, failure()), *between, *empty(7, 8), story(9, failure())]
    assert anti_patterns(*far) == []
    # A review sees what one of the last three stories saw.
    assert anti_patterns(
        story(1, failure()), *empty(2, 3), story(4, failure(), is_story=False)
    ) == ["AP-001"]


def test_a_later_fix_with_the_same_tags_is_recommended() -> None:
    def fix(text: str, tags: str) -> Observation:
        return observation(text, tags, type="fix-rationale")

    seen = [story(1, failure()), story(2, failure())]
    first = curated(Memory(), *seen)
    assert first.memory.anti_patterns[0].recommended_approach == ""
    late = story(6, fix("other tags", "queue disk"), fix(POOL, "memory queue"), fix("x", "queue"))
    after = curated(first.memory, *seen, late, applied=first.applied)
    (entry,) = after.memory.anti_patterns
    assert (entry.recommended_approach, entry.confidence) == (POOL, SIXTY)
    said = [(change.action, change.entry, change.observation) for change in after.changes]
    assert ("remedied", "AP-001", "OB-002") in said
    # What is recommended stays, and counts as a text of the entry.
    more = story(7, fix("too late", "memory queue"), failure(POOL))
    last = curated(after.memory, *seen, late, more, applied=after.applied)
    assert last.memory.anti_patterns[0].recommended_approach == POOL
    assert last.changes[-1].entry == "AP-001"


def test_the_kind_of_an_observation_triggers_nothing() -> None:
    kinds = "incident queue detection-gap Post-Mortem memory review"
    result = curated(Memory(), story(1, incident(9)._replace(tags=tuple(kinds.split()))))
    (entry,) = result.memory.anti_patterns
    assert entry.trigger_patterns == ("queue", "memory")
    assert entry.tags == tuple(kinds.split())


def test_the_window_moves_with_each_story() -> None:
    far = [story(1, failure()), *empty(2, 3), story(4, failure()), *empty(5), story(6, failure())]
    result = curated(Memory(), *far)
    assert [change.reason for change in result.changes if change.action == "created"] == [
        "seen before in ST-004 OB-001"
    ]


@pytest.mark.parametrize(
    ("text", "tags", "together"),
    [
        (QUEUE, "queue memory", True),
        ("unbounded queue growth exhausts sockets", "queue memory", True),  # four words of five
        ("unbounded queue growth fills sockets", "queue memory", False),  # three: exactly 0.60
        (QUEUE, "queue", False),  # one tag of two
        (QUEUE, "queue memory disk", True),  # two tags of three
        (QUEUE, "", False),
        (POOL, "queue memory", False),
    ],
)
def test_both_tags_and_texts_have_to_be_alike(text: str, tags: str, together: bool) -> None:  # noqa: FBT001
    assert bool(anti_patterns(story(1, failure()), story(2, failure(text, tags)))) is together


def test_resolved_failures_are_no_evidence() -> None:
    assert anti_patterns(story(1, failure(resolved=True)), story(2, failure())) == []


def test_a_third_failure_reinforces_the_anti_pattern() -> None:
    result = curated(Memory(), *(story(number, failure()) for number in (1, 2, 3)))
    assert scores(result) == {"AP-001": ("0.68", "active")}
    same_story = curated(Memory(), story(1, failure()), story(2, failure(), failure()))
    assert scores(same_story) == {"AP-001": ("0.68", "active")}


def test_evidence_that_was_used_makes_no_second_entry() -> None:
    first = curated(Memory(), story(1, failure()), story(2, failure()))
    archived = memory(*(entry._replace(status=ARCHIVED) for entry in first.memory.entries))
    stories = [story(number, failure()) for number in (1, 2, 3)]
    third = curated(archived, *stories, applied=first.applied)
    assert len(third.memory.entries) == 1  # ST-003 alone is not enough
    fourth = curated(third.memory, *stories, story(4, failure()), applied=third.applied)
    assert set(scores(fourth)) == {"AP-001", "AP-002"}


def test_evidence_waits_for_later_runs() -> None:
    first = curated(Memory(), story(1, failure()))
    assert [change.action for change in first.changes] == ["evidence"]
    stories = [story(1, failure(), is_new=False), story(2, failure())]
    assert set(scores(curated(first.memory, *stories, applied=first.applied))) == {"AP-001"}
    # So does that of stories which were captured before there were rows.
    assert set(scores(curated(Memory(), *stories))) == {"AP-001"}


@pytest.mark.parametrize(("importance", "created"), [(1, False), (8, False), (9, True), (10, True)])
def test_a_grave_incident_is_enough_alone(importance: int, created: bool) -> None:  # noqa: FBT001
    result = curated(Memory(), story(1, incident(importance), workflow_type=INCIDENT))
    assert scores(result) == ({"AP-001": ("0.90", "active")} if created else {})


def test_a_lesser_incident_is_evidence() -> None:
    assert anti_patterns(story(1, incident(8)), story(2, failure())) == ["AP-001"]
    assert anti_patterns(story(1, failure()), story(2, incident(3))) == ["AP-001"]
    assert anti_patterns(story(1, incident(8)), *empty(2, 3), story(4, incident(8))) == []


def test_the_multiplier_is_that_of_the_current_workflow() -> None:
    in_story = curated(Memory(), story(1, incident(9)))
    assert scores(in_story) == {"AP-001": ("0.60", "active")}
    after = curated(Memory(), story(1, incident(8), workflow_type=INCIDENT), story(2, failure()))
    assert scores(after) == {"AP-001": ("0.60", "active")}
    before = curated(Memory(), story(1, failure()), story(2, incident(8), workflow_type=INCIDENT))
    assert scores(before) == {"AP-001": ("0.90", "active")}
    again = curated(Memory(), story(1, incident(9), incident(9), workflow_type=INCIDENT))
    assert scores(again) == {"AP-001": ("1.00", "active")}  # 0.90 + 0.12, clamped
    three = [story(number, incident(9), workflow_type=INCIDENT) for number in (1, 2)]
    plain = curated(Memory(), *three, confidence_start=SIXTY / 2)
    assert scores(plain) == {"AP-001": ("0.57", "active")}  # 0.30 * 1.5 + 0.12


def made(*stories: Story) -> AntiPattern:
    result: Curation = curated(Memory(), *stories)
    assert len(result.memory.anti_patterns) == 1
    return result.memory.anti_patterns[0]


@pytest.mark.parametrize(
    ("one", "other", "severity"),
    [
        ("P2", "P1", "P1"),
        ("P0", "P3", "P0"),
        (None, "P3", "P3"),
        (None, None, "P2"),
        ("high", None, "P2"),
    ],
)
def test_the_severity_is_the_highest(one: str | None, other: str | None, severity: str) -> None:
    entry = made(story(1, failure(severity=one)), story(2, failure(severity=other)))
    assert entry.severity == severity


def test_an_incident_without_a_severity_is_p1() -> None:
    assert made(story(1, incident(9))).severity == "P1"
    assert made(story(1, incident(9, severity="P3"))).severity == "P3"
    assert made(story(1, incident(8)), story(2, failure(severity="P3"))).severity == "P1"
    assert made(story(1, incident(8)), story(2, failure(severity="P0"))).severity == "P0"


def test_what_an_anti_pattern_says_comes_from_its_observations() -> None:
    cause = "unbounded queue growth exhausts workers because nothing sheds load. Restart helps"
    entry = made(
        story(1, failure(cause, "queue memory", severity="P2", importance=8)),
        story(2, failure(QUEUE, "memory queue disk", importance=3)),
    )
    assert entry == AntiPattern(
        "AP-001",
        cause,
        SIXTY,
        failure_mode="nothing sheds load",
        severity="P2",
        recommended_approach="",
        trigger_patterns=("queue", "memory", "disk"),
        tags=("queue", "memory", "disk"),
        roles=("developer",),
        scope="project",
        status="active",
        source="ST-002",
        created="2026-04-02",
    )


def test_the_recommended_approach_is_the_fix_that_shares_most_tags_then_the_latest() -> None:
    def fix(text: str, tags: str) -> Observation:
        return observation(text, tags, type="fix-rationale")

    far = story(1, fix("too long ago", "queue memory"))
    first = story(2, failure(), fix("bounded one", "queue memory"), fix("other", "disk"))
    second = story(3, failure(), fix("bounded other", "queue"))
    assert made(far, first, second).recommended_approach == "bounded one"
    third = story(3, failure(), fix("bounded later", "memory queue"))
    assert made(first, third).recommended_approach == "bounded later"
    assert made(story(1, failure(), fix("x", "disk")), second).recommended_approach == (
        "bounded other"
    )
    assert made(story(1, failure()), story(2, failure(), fix("x", ""))).recommended_approach == ""
    alone = story(3, incident(9), fix("shed load", "queue"))
    assert made(first, alone).recommended_approach == "bounded one"
    assert made(story(2, fix("y", "queue")), alone).recommended_approach == "shed load"


def test_three_stories_with_one_adaptation_make_a_procedure() -> None:
    assert procedures(story(1, habit())) == []
    assert procedures(story(1, habit()), story(2, habit())) == []
    assert procedures(story(1, habit(), habit()), story(2, habit(), habit())) == []
    assert procedures(*(story(number, habit()) for number in (1, 2, 3))) == ["PC-001"]
    far = [story(1, habit()), *empty(2, 3, 4), story(5, habit()), *empty(6, 7), story(8, habit())]
    assert procedures(*far) == ["PC-001"]  # no window


def test_deviations_and_detection_gaps_count_as_well() -> None:
    kinds = ("observation", "deviation", "detection-gap")
    assert procedures(*(story(n, habit(type=kind)) for n, kind in enumerate(kinds, 1))) == [
        "PC-001"
    ]
    fix = observation(POOL, "risk", type="fix-rationale")
    justified = [story(n, habit(type="deviation"), fix) for n in (1, 2, 3)]
    assert procedures(*justified) == []  # those are principles


def test_each_of_the_three_has_to_be_like_each_other() -> None:
    texts = [
        "alpha bravo charlie delta echo",
        "alpha bravo charlie delta foxtrot",
        "bravo charlie delta echo golf",  # four of five with the first, three with the second
    ]
    assert procedures(*(story(n, habit(text)) for n, text in enumerate(texts, 1))) == []
    order = [texts[1], texts[2], texts[0]]
    assert procedures(*(story(n, habit(text)) for n, text in enumerate(order, 1))) == []
    alike = [*texts[:2], "alpha bravo charlie delta hotel"]
    assert procedures(*(story(n, habit(text)) for n, text in enumerate(alike, 1))) == ["PC-001"]


def test_what_a_procedure_says() -> None:
    result = curated(
        Memory(),
        story(1, habit(importance=3, tags="planning risk")),
        story(2, habit(f"{CACHE} often", importance=9, tags="risk planning")),
        story(3, habit(importance=4, tags="planning risk")),
        story(4, habit(importance=4, tags="planning risk")),
    )
    entry = procedure(
        1,
        "0.68",
        f"{CACHE} often",
        source_count=4,
        tags=("planning", "risk"),
        roles=("sdm",),
        source="ST-003",
        created="2026-04-02",
    )
    assert result.memory.procedures == (entry,)


def test_a_failure_that_is_known_reinforces_at_once() -> None:
    known = anti_pattern(4, "0.50", tags=("queue", "memory"), trigger_patterns=("queue",))
    result = curated(memory(known), story(1, failure()), story(2, incident(10)))
    assert scores(result) == {"AP-004": ("0.66", "active")}


def test_roles_come_from_tags_and_the_categories_that_they_stand_for() -> None:
    categories = {"memory": ("security",)}
    by_setting = curated(Memory(), story(1, incident(9)), tag_categories=categories)
    assert by_setting.memory.anti_patterns[0].roles == ("developer", "sw-engineer", "sw-quality")
    tagged = [story(number, habit(tags="detection-gap planning")) for number in (1, 2, 3)]
    assert curated(Memory(), *tagged).memory.procedures[0].roles == (
        "sdm",
        "developer",
        "sw-engineer",
        "sw-quality",
        "cr-analyzer",
    )


def test_a_fourth_observation_of_the_third_story_reinforces_the_new_procedure() -> None:
    stories = [story(1, habit()), story(2, habit()), story(3, habit(), habit())]
    assert scores(curated(Memory(), *stories)) == {"PC-001": ("0.68", "active")}


def test_a_story_that_was_counted_before_it_is_curated_is_not_applied_again() -> None:
    stories = [story(1, failure(), is_new=False), story(2, failure())]
    first = curated(Memory(), *stories)
    assert scores(first) == {"AP-001": ("0.60", "active")}
    late = curated(first.memory, story(1, failure()), applied=first.applied)
    assert (late.memory, late.changes) == (first.memory, ())
