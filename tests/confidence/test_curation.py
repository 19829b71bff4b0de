"""The steps together, and what a second run does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.confidence.curation import curate
from learnings.confidence.values import (
    ACTIVE,
    ARCHIVED,
    INCIDENT,
    RELATIONSHIPS,
    SKIPPED,
    TYPES,
    UNUSABLE,
    Memory,
    Observation,
    ScoredEntry,
)
from tests.confidence.memory import (
    CACHE,
    POOL,
    QUEUE,
    SETTINGS,
    TODAY,
    anti_pattern,
    check,
    curated,
    memory,
    observation,
    principle,
    procedure,
    scores,
    story,
)

# Every example that is decided: confidence before, what is observed, confidence and status after.
EXAMPLES = [
    ("0.60", ["reinforce"], "story", "0.68", ACTIVE),
    ("0.60", ["reinforce"], INCIDENT, "0.72", ACTIVE),
    ("0.60", ["weaken"], "story", "0.52", ACTIVE),
    ("0.60", ["weaken"], INCIDENT, "0.52", ACTIVE),
    ("0.60", ["contradict"], "story", "0.40", ACTIVE),
    ("0.60", ["contradict"], INCIDENT, "0.40", ACTIVE),
    ("0.97", ["reinforce"], "story", "1.00", ACTIVE),
    ("0.36", ["weaken", "weaken"], "story", "0.20", ACTIVE),
    ("0.60", ["contradict", "contradict"], "story", "0.20", ACTIVE),
    ("0.27", ["weaken"], "story", "0.19", ARCHIVED),
    ("0.95", ["reinforce", "contradict"], "story", "0.80", ACTIVE),
    ("0.05", ["contradict", "reinforce"], "story", "0.08", ARCHIVED),
    ("0.20", ["weaken", "reinforce"], "story", "0.20", ACTIVE),  # archived once, at the end
    ("0.96", ["contradict", "reinforce", "reinforce", "reinforce"], "story", "1.00", ACTIVE),
    ("0.95", ["reinforce", "weaken"], INCIDENT, "0.92", ACTIVE),
    ("0.01", ["weaken", "reinforce", "reinforce", "reinforce"], "story", "0.24", ACTIVE),
]


@pytest.mark.parametrize("entry", [principle, anti_pattern, procedure])
def test_checks_change_confidence_in_the_order_of_the_file(
    entry: Callable[..., ScoredEntry],
) -> None:
    failures = []
    for before, relationships, workflow_type, after, status in EXAMPLES:
        start = entry(confidence=before)
        checks = [check(start.id, relationship) for relationship in relationships]
        result = curated(memory(start), story(1, *checks, workflow_type=workflow_type))
        if scores(result) != {start.id: (after, status)}:
            failures.append((before, relationships, workflow_type, scores(result)))
    assert failures == []


def test_a_story_from_an_empty_folder_to_the_first_procedure() -> None:
    def observations() -> list[Observation]:
        return [
            observation(POOL, "reliability"),
            observation(QUEUE, "queue memory", type="quality-loop-finding", severity="P2"),
            observation(CACHE, "planning", type="observation"),
        ]

    first = curated(Memory(), story(1, *observations()))
    assert scores(first) == {"PR-001": ("0.60", ACTIVE)}
    second = curated(
        first.memory,
        story(1, *observations(), is_new=False),
        story(2, *observations()),
        applied=first.applied,
    )
    assert scores(second) == {"PR-001": ("0.68", ACTIVE), "AP-001": ("0.60", ACTIVE)}
    third = curated(
        second.memory,
        story(1, *observations(), is_new=False),
        story(2, *observations(), is_new=False),
        story(3, *observations()),
        applied=second.applied,
        today="2026-04-05",
    )
    assert scores(third) == {
        "PR-001": ("0.76", ACTIVE),
        "AP-001": ("0.68", ACTIVE),
        "PC-001": ("0.60", ACTIVE),
    }
    entry = third.memory.principles[0]
    assert (entry.source_count, entry.created, entry.last_reinforced) == (3, TODAY, "2026-04-05")
    assert entry.source == "ST-001"
    assert third.memory.procedures[0].source_count == 3


def test_one_run_over_all_stories_is_as_good_as_one_after_each() -> None:
    stories = [
        story(1, observation(), check("PR-007", "weaken")),
        story(2, observation(), check("PR-007", "reinforce")),
        story(3, observation(QUEUE, "queue", type="quality-loop-finding")),
        story(4, observation(QUEUE, "queue", type="quality-loop-finding")),
    ]
    start = memory(principle(7, "0.24", CACHE, created="2026-01-01"))
    at_once = curated(start, *stories)
    state, applied, changes = start, at_once.applied[:0], at_once.changes[:0]
    for number, _ in enumerate(stories):
        known = [item._replace(is_new=place == number) for place, item in enumerate(stories)]
        step = curated(state, *known, applied=applied)
        state, applied, changes = step.memory, step.applied, changes + step.changes
    assert (state, applied, changes) == (at_once.memory, at_once.applied, at_once.changes)


def test_the_order_in_which_stories_are_given_does_not_matter() -> None:
    stories = [
        story(1, observation("Pooled connections survive restarts", "reliability")),
        story(2, observation("Pooled connections survive network restarts", "reliability")),
        story(3, check("PR-001", "contradict"), check("PR-001", "contradict")),
    ]
    results = {curated(Memory(), *order) for order in permutations(stories)}
    assert len(results) == 1


def test_checks_of_other_workflows_are_left_out_and_nothing_else() -> None:
    workflow = story(
        1, check("PR-001", "contradict"), observation(CACHE, "performance"), has_briefing=False
    )
    assert scores(curated(memory(principle()), workflow)) == {
        "PR-001": ("0.60", ACTIVE),
        "PR-002": ("0.60", ACTIVE),
    }


def test_a_check_that_cannot_be_applied_is_named_and_the_rest_processed() -> None:
    start = memory(
        principle(1, "0.10", status=ARCHIVED),
        principle(2, status="superseded"),
        principle(3),
        anti_pattern(1, status=ARCHIVED),
    )
    result = curated(
        start,
        story(
            1,
            check("PR-001", "reinforce"),
            check("PR-002", "reinforce"),
            check("PR-099", "reinforce"),
            check("AP-001", "contradict"),
            check("PC-001", "weaken"),
            check("", "weaken"),
            check("PR-003", "supports"),
            observation(type="rumour"),
            check("PR-003", "reinforce"),
        ),
    )
    skipped = [
        (change.line, change.reason) for change in result.changes if change.action == SKIPPED
    ]
    assert skipped == [
        (1, "PR-001 is archived"),
        (2, "PR-002 is superseded"),
        (3, "unknown entry PR-099"),
        (4, "AP-001 is archived"),
        (5, "unknown entry PC-001"),
        (6, "it names no entry in `principle_id`"),
        (7, "its relationship is not one of reinforce, weaken, contradict"),
        (8, f"its type is not one of {', '.join(TYPES)}"),
    ]
    assert scores(result)["PR-003"] == ("0.68", ACTIVE)
    assert len(result.applied) == 9


def test_two_observations_with_one_id_are_one_and_a_word_about_the_other() -> None:
    first = story(1, observation(tags="cost"), observation(CACHE, "cost"))
    twice = first._replace(
        observations=tuple(item._replace(id="OB-001") for item in first.observations)
    )
    result = curated(Memory(), twice)
    assert scores(result) == {"PR-001": ("0.60", ACTIVE)}
    assert [
        (change.line, change.reason) for change in result.changes if change.action == SKIPPED
    ] == [(2, "another observation in the file has the same id")]


def test_an_observation_is_applied_once() -> None:
    first = curated(memory(principle()), story(1, check("PR-001", "reinforce")))
    longer = story(1, check("PR-001", "reinforce"), check("PR-001", "weaken"))
    second = curated(first.memory, longer, applied=first.applied)
    assert scores(second) == {"PR-001": ("0.60", ACTIVE)}
    assert [change.observation for change in second.changes] == ["OB-002"]


def test_source_count_grows_by_one_for_each_story() -> None:
    checks = [check("PR-001", "reinforce"), check("PR-001", "reinforce")]
    result = curated(memory(principle(source_count=4)), story(1, *checks), story(2, *checks))
    entry = result.memory.principles[0]
    assert (str(entry.confidence), entry.source_count) == ("0.92", 6)
    created = curated(Memory(), story(1, observation(tags="a"), observation(tags="a")))
    assert [(str(p.confidence), p.source_count) for p in created.memory.principles] == [("0.68", 1)]
    later = curated(
        result.memory, story(2, *checks, check("PR-001", "reinforce")), applied=result.applied
    )
    assert later.memory.principles[0].source_count == 6
    against = [check("PR-001", "weaken"), check("PR-001", "contradict")]
    assert curated(memory(principle()), story(1, *against)).memory.principles[0].source_count == 1


def test_one_reinforcement_per_story_is_a_setting() -> None:
    checks = [check("PR-001", "reinforce"), check("PR-001", "reinforce"), check("PR-001", "weaken")]
    start = memory(principle(confidence="0.40"))
    once = curated(start, story(1, *checks), one_reinforcement_per_story=True)
    assert scores(once) == {"PR-001": ("0.40", ACTIVE)}
    assert [change.action for change in once.changes] == ["reinforced", "unchanged", "weakened"]
    assert scores(curated(start, story(1, *checks))) == {"PR-001": ("0.48", ACTIVE)}
    more = story(1, *checks, check("PR-001", "reinforce"))
    again = curated(once.memory, more, applied=once.applied, one_reinforcement_per_story=True)
    assert scores(again) == scores(once)


def test_archived_entries_are_not_revived_and_their_ids_not_used_again() -> None:
    start = memory(
        principle(7, "0.10", POOL, status=ARCHIVED, categories=("reliability",), guidance=(POOL,))
    )
    result = curated(start, story(1, observation(POOL, "reliability")))
    assert scores(result) == {"PR-007": ("0.10", ARCHIVED), "PR-008": ("0.60", ACTIVE)}


def test_the_id_of_an_entry_that_left_the_file_is_not_used_again() -> None:
    first = curated(memory(principle(998)), story(1, observation(CACHE, "cost")))
    assert set(scores(first)) == {"PR-998", "PR-999"}
    without = curated(
        Memory(), story(1), story(2, observation(QUEUE, "cost")), applied=first.applied
    )
    assert set(scores(without)) == {"PR-1000"}


def test_limits_come_after_the_observations_merging_first_rotation_last() -> None:
    start = memory(
        principle(1, "0.21", POOL, guidance=(POOL,)),
        principle(2, "0.22", CACHE, guidance=(POOL,)),
        principle(3, "0.90", QUEUE, guidance=(QUEUE,)),
    )
    result = curated(start, story(1, check("PR-002", "weaken")), max_principles=1)
    # PR-002 is at 0.14, so PR-001 takes its sources before it could be archived, and is then the
    # one that is too much.
    assert scores(result) == {
        "PR-001": ("0.21", ARCHIVED),
        "PR-002": ("0.14", "superseded"),
        "PR-003": ("0.90", ACTIVE),
    }
    actions = [(change.action, change.entry) for change in result.changes]
    assert actions == [("weakened", "PR-002"), ("merged", "PR-002"), ("rotated", "PR-001")]
    assert result.memory.principles[0].source_count == 2


def test_a_story_without_new_observations_touches_nothing() -> None:
    low = memory(principle(confidence="0.05"))
    assert curated(low, story(1)).memory == low
    assert curated(low, story(1, check("PR-001", "weaken"), is_new=False)).memory == low


FEW = SETTINGS._replace(max_principles=3, max_anti_patterns=2, max_procedures=1)
WORDS = ["pool", "cache", "queue", "retry", "token", "shard", "index", "batch", "stream"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
OBSERVATIONS = st.builds(
    Observation,
    id=st.just("OB-001"),
    type=st.sampled_from([*TYPES, "rumour"]),
    text=TEXTS,
    tags=st.lists(st.sampled_from(["cost", "security", "queue"]), max_size=2).map(tuple),
    importance=st.integers(1, 10),
    severity=st.sampled_from([None, "P0", "P3"]),
    resolved=st.sampled_from([None, True, False]),
    principle_id=st.sampled_from([None, "PR-001", "PR-002", "AP-001", "PC-001"]),
    relationship=st.sampled_from([None, *RELATIONSHIPS]),
)
STORIES = st.lists(
    st.tuples(st.lists(OBSERVATIONS, max_size=8), st.sampled_from(["story", INCIDENT])), max_size=5
)


@pytest.mark.soak
@given(STORIES, st.sampled_from(["0.00", "0.21", "0.60", "1.00"]))
def test_a_second_run_changes_nothing(
    contents: list[tuple[list[Observation], str]], confidence: str
) -> None:
    stories = [
        story(number, *items, workflow_type=kind)
        for number, (items, kind) in enumerate(contents, 1)
    ]
    start = memory(principle(confidence=confidence, guidance=(POOL,)))
    first = curate(start, stories, FEW, (), TODAY)
    second = curate(first.memory, stories, FEW, first.applied, "2027-01-01")
    assert (second.memory, second.applied) == (first.memory, first.applied)
    assert second.changes == ()
    assert_sound(first.memory)


def assert_sound(result: Memory) -> None:
    """Whatever was observed, confidences, ids and limits hold."""
    ids = [entry.id for entry in result.entries]
    assert len(ids) == len(set(ids))
    for entry in result.entries:
        assert Decimal(0) <= entry.confidence <= Decimal(1)
        assert re.fullmatch(r"[01]\.[0-9]{2,4}", str(entry.confidence))
    active = Counter(entry.id[:2] for entry in result.entries if entry.status == ACTIVE)
    assert active["PR"] <= 3
    assert active["AP"] <= 2
    assert active["PC"] <= 1


def test_what_concerns_an_entry_with_a_wrong_value_waits() -> None:
    broken = memory(
        principle(1, "0", status=UNUSABLE, guidance=(POOL,)),
        anti_pattern(1, "0", status=UNUSABLE, tags=("queue",)),
    )
    where = story(
        1,
        check("PR-001", "reinforce"),
        observation(POOL, "reliability"),
        observation(QUEUE, "queue", type="quality-loop-finding"),
        observation(CACHE, "cost"),
    )
    first = curated(broken, where)
    assert first.memory.anti_patterns == broken.anti_patterns
    assert [(change.line, change.action, change.entry) for change in first.changes] == [
        (1, SKIPPED, "PR-001"),
        (2, SKIPPED, "PR-001"),
        (3, SKIPPED, "AP-001"),
        (4, "created", "PR-002"),
    ]
    assert [row.observation for row in first.applied] == ["OB-004"]
    right = memory(
        *(
            entry._replace(status=ACTIVE, confidence=Decimal("0.60"))
            for entry in first.memory.entries
        )
    )
    second = curated(right, where, applied=first.applied)
    assert scores(second) == {
        "PR-001": ("0.76", ACTIVE),
        "AP-001": ("0.68", ACTIVE),
        "PR-002": ("0.60", ACTIVE),
    }


def test_a_story_that_has_to_wait_keeps_no_limits() -> None:
    start = memory(principle(1, "0", status=UNUSABLE), principle(2, "0.10", CACHE))
    assert curated(start, story(1, check("PR-001", "weaken"))).memory == start


def test_of_two_entries_with_one_id_the_first_takes_part() -> None:
    entries = (principle(1), principle(1, text=CACHE))
    result = curated(memory(*entries), story(1, check("PR-001", "reinforce")))
    assert [(entry.text, str(entry.confidence)) for entry in result.memory.principles] == [
        (POOL, "0.68"),
        (CACHE, "0.60"),
    ]


def test_an_entry_that_was_archived_in_the_run_matches_no_more() -> None:
    entry = procedure(1, "0.25", tags=("sprint",), applies_to=("sprint",))
    again = observation(CACHE, "sprint", type="observation")
    result = curated(memory(entry), story(1, check("PC-001", "weaken")), story(2, again))
    assert scores(result) == {"PC-001": ("0.17", ARCHIVED)}


@pytest.mark.soak
@given(STORIES)
def test_any_run_over_all_stories_is_as_good_as_one_after_each(
    contents: list[tuple[list[Observation], str]],
) -> None:
    stories = [
        story(number, *items, workflow_type=kind)
        for number, (items, kind) in enumerate(contents, 1)
    ]
    start = memory(
        principle(guidance=(POOL,)), anti_pattern(tags=("queue",)), procedure(tags=("queue",))
    )
    at_once = curate(start, stories, FEW, (), TODAY)
    state, applied = start, at_once.applied[:0]
    for number, _ in enumerate(stories):
        known = [item._replace(is_new=place == number) for place, item in enumerate(stories)]
        step = curate(state, known[: number + 1], FEW, applied, TODAY)
        state, applied = step.memory, step.applied
    assert (state, applied) == (at_once.memory, at_once.applied)
