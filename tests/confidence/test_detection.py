"""Anti-patterns from two stories of three or from a grave incident, procedures from three."""

from __future__ import annotations

from decimal import Decimal

import pytest

from learnings.confidence.values import ARCHIVED, INCIDENT, AntiPattern, Memory, Observation, Story
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

TAGS = "queue memory"


def failure(text: str = QUEUE, tags: str = TAGS, **fields: object) -> Observation:
    return observation(text, tags, **{"type": "quality-loop-finding", "resolved": False, **fields})


def incident(importance: int, tags: str = TAGS, **fields: object) -> Observation:
    return observation(QUEUE, tags, type="incident-learning", importance=importance, **fields)


def habit(text: str = CACHE, tags: str = "sprint risk", **fields: object) -> Observation:
    return observation(text, tags, **{"type": "observation", **fields})


def fix(text: str, tags: str) -> Observation:
    return observation(text, tags, type="fix-rationale")


def empty(*numbers: int) -> list[Story]:
    return [story(number) for number in numbers]


def found(*stories: Story) -> dict[str, str]:
    """Return the confidence of the anti-patterns and procedures that stories make."""
    entries = scores(curated(Memory(), *stories))
    return {name: value for name, (value, _) in entries.items() if not name.startswith("PR")}


ONE = {"AP-001": "0.60"}


def test_two_failures_within_three_stories_make_an_anti_pattern() -> None:
    assert found(story(1, failure(), failure())) == {}  # one story
    assert found(story(1, failure()), *empty(2), story(3, failure())) == ONE
    assert found(story(1, failure()), *empty(2, 3), story(4, failure())) == {}
    assert found(story(1, failure(resolved=True)), story(2, failure())) == {}
    # The window moves with each story.
    far = [story(1, failure()), *empty(2, 3), story(4, failure()), *empty(5), story(6, failure())]
    created = [one.reason for one in curated(Memory(), *far).changes if one.action == "created"]
    said = "P3, since no observation gives a severity"
    assert created == [f"seen before in ST-004 OB-001; {said}"]


def test_reviews_and_incidents_between_stories_do_not_separate_them() -> None:
    between = [story(number, is_story=False, has_briefing=number > 4) for number in range(2, 7)]
    assert found(story(1, failure()), *between, story(7, failure())) == ONE
    assert found(story(1, failure()), *between, *empty(7, 8), story(9, failure())) == {}
    # A review sees what one of the last three stories saw.
    review = story(4, failure(), is_story=False)
    assert found(story(1, failure()), *empty(2, 3), review) == ONE


def test_a_later_fix_with_the_same_tags_is_recommended() -> None:
    seen = [story(1, failure()), story(2, failure())]
    first = curated(Memory(), *seen)
    assert first.memory.anti_patterns[0].recommended_approach == ""
    late = story(6, fix("other tags", "queue disk"), fix(POOL, "memory queue"), fix("x", "queue"))
    after = curated(first.memory, *seen, late, applied=first.applied)
    (entry,) = after.memory.anti_patterns
    assert (entry.recommended_approach, str(entry.confidence)) == (POOL, "0.60")
    said = [(change.action, change.entry, change.observation) for change in after.changes]
    assert ("remedied", "AP-001", "OB-002") in said
    # What is recommended stays, and counts as a text of the entry.
    more = story(7, fix("too late", "memory queue"), failure(POOL))
    last = curated(after.memory, *seen, late, more, applied=after.applied)
    assert last.memory.anti_patterns[0].recommended_approach == POOL
    assert last.changes[-1].entry == "AP-001"


def test_both_tags_and_texts_have_to_be_alike() -> None:
    four, three = "unbounded queue growth exhausts x", "unbounded queue growth fills sockets"
    for text, tags, together in (
        (f"{four} sockets", TAGS, True),
        (three, TAGS, False),  # exactly 0.60
        (QUEUE, "queue", False),  # one tag of two
        (QUEUE, "queue memory disk", True),
        (QUEUE, "", False),
    ):
        assert bool(found(story(1, failure()), story(2, failure(text, tags)))) is together, text


def test_a_third_failure_reinforces_the_anti_pattern() -> None:
    more = {"AP-001": "0.68"}
    assert found(*(story(number, failure()) for number in (1, 2, 3))) == more
    assert found(story(1, failure()), story(2, failure(), failure())) == more
    known = anti_pattern(4, "0.50", tags=("queue", "memory"), trigger_patterns=("queue",))
    result = curated(memory(known), story(1, failure()), story(2, incident(10)))
    assert scores(result) == {"AP-004": ("0.66", "active")}


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
    # So does that of stories which were captured before there were rows, and then it is used.
    second = curated(Memory(), *stories)
    assert set(scores(second)) == {"AP-001"}
    late = curated(second.memory, story(1, failure()), applied=second.applied)
    assert (late.memory, late.changes) == (second.memory, ())


def test_a_grave_incident_is_enough_alone_and_a_lesser_one_evidence() -> None:
    assert found(story(1, incident(8))) == {}
    assert found(story(1, incident(9))) == ONE
    assert found(story(1, incident(8)), story(2, failure())) == ONE
    assert found(story(1, failure()), story(2, incident(3))) == ONE
    assert found(story(1, incident(8)), *empty(2, 3), story(4, incident(8))) == {}


def test_the_multiplier_is_that_of_the_current_workflow() -> None:
    first = story(1, incident(8), workflow_type=INCIDENT)
    assert found(first, story(2, failure())) == ONE
    second = story(2, incident(8), workflow_type=INCIDENT)
    assert found(story(1, failure()), second) == {"AP-001": "0.90"}
    again = story(1, incident(9), incident(9), workflow_type=INCIDENT)
    assert found(again) == {"AP-001": "1.00"}  # 0.90 + 0.12, clamped
    plain = curated(Memory(), again, confidence_start=Decimal("0.3"))
    assert scores(plain) == {"AP-001": ("0.57", "active")}  # 0.30 * 1.5 + 0.12


def made(*stories: Story) -> AntiPattern:
    (entry,) = curated(Memory(), *stories).memory.anti_patterns
    return entry


@pytest.mark.parametrize(
    ("one", "other", "severity"),
    [
        (failure(severity="P2"), failure(severity="P1"), "P1"),
        (failure(severity="P0"), failure(severity="P3"), "P0"),
        (failure(severity="high"), failure(), "P3"),  # not invented
        (incident(8), failure(severity="P2"), "P2"),
        (incident(8), failure(), "P3"),
        (incident(8, severity="P3"), failure(), "P3"),
    ],
)
def test_the_severity_is_the_highest(one: Observation, other: Observation, severity: str) -> None:
    assert made(story(1, one), story(2, other)).severity == severity


def test_what_an_anti_pattern_says_comes_from_its_observations() -> None:
    cause = "unbounded queue growth exhausts workers because nothing sheds load. Restart helps"
    entry = made(
        story(1, failure(cause, severity="P2", importance=8)),
        story(2, failure(QUEUE, "memory queue disk", importance=3)),
    )
    assert entry == AntiPattern(
        "AP-001",
        cause,
        Decimal("0.60"),
        failure_mode="nothing sheds load",
        severity="P2",
        trigger_patterns=("queue", "memory", "disk"),
        tags=("queue", "memory", "disk"),
        roles=("developer",),
        source="ST-002",
        created="2026-04-02",
    )
    # The kind of an observation triggers nothing.
    kinds = "incident queue detection-gap Post-Mortem memory review"
    alone = made(story(1, incident(9, kinds)))
    assert (alone.trigger_patterns, alone.tags) == (("queue", "memory"), tuple(kinds.split()))


def test_the_recommended_approach_is_the_fix_that_shares_most_tags_then_the_latest() -> None:
    def recommended(*stories: Story) -> str:
        return made(*stories).recommended_approach

    far = story(1, fix("too long ago", TAGS))
    first = story(2, failure(), fix("bounded one", TAGS), fix("other", "disk"))
    second = story(3, failure(), fix("bounded other", "queue"))
    assert recommended(far, first, second) == "bounded one"
    assert recommended(first, story(3, failure(), fix("later", TAGS))) == "later"
    assert recommended(story(1, failure(), fix("x", "disk")), second) == "bounded other"
    assert recommended(story(1, failure()), story(2, failure(), fix("x", ""))) == ""
    alone = story(3, incident(9), fix("shed load", "queue"))
    assert recommended(first, alone) == "bounded one"
    assert recommended(story(2, fix("y", "queue")), alone) == "shed load"


def test_three_stories_with_one_adaptation_make_a_procedure() -> None:
    assert found(story(1, habit(), habit()), story(2, habit(), habit())) == {}
    far = [story(1, habit()), *empty(2, 3, 4), story(5, habit()), *empty(6, 7)]
    assert found(*far, story(8, habit())) == {"PC-001": "0.60"}  # no window
    assert found(*far, story(8, habit(), habit())) == {"PC-001": "0.68"}
    kinds = ("observation", "deviation", "detection-gap")
    assert found(*(story(n, habit(type=kind)) for n, kind in enumerate(kinds))) == {
        "PC-001": "0.60"
    }
    justified = [story(n, habit(type="deviation"), fix(POOL, "risk")) for n in (1, 2, 3)]
    assert found(*justified) == {}  # those are principles


def test_each_of_the_three_has_to_be_like_each_other() -> None:
    one = "alpha bravo charlie delta echo"
    other = "alpha bravo charlie delta foxtrot"
    far = "bravo charlie delta echo golf"  # four of five with the first, three with the second
    for texts, count in (
        ([one, other, far], 0),
        ([other, far, one], 0),
        ([one, other, "alpha bravo charlie delta hotel"], 1),
    ):
        assert len(found(*(story(n, habit(text)) for n, text in enumerate(texts)))) == count


def test_what_a_procedure_says() -> None:
    often = habit(f"{CACHE} often", "risk planning", importance=9)
    other = habit(tags="planning risk", importance=4)
    result = curated(Memory(), story(1, other), story(2, often), story(3, other), story(4, other))
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
    # Roles also come from the categories that tags stand for.
    categories = {"memory": ("security",)}
    by_setting = curated(Memory(), story(1, incident(9)), tag_categories=categories)
    assert by_setting.memory.anti_patterns[0].roles == ("developer", "sw-engineer", "sw-quality")
