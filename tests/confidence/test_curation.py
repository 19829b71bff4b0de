"""The steps together, and what a second run does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.confidence.values import (
    ACTIVE,
    ARCHIVED,
    INCIDENT,
    RELATIONSHIPS,
    SKIPPED,
    TYPES,
    UNUSABLE,
    Curation,
    Memory,
    Observation,
    ScoredEntry,
    Story,
    clamped,
)
from tests.confidence.memory import (
    CACHE,
    POOL,
    QUEUE,
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

# Confidence before, what is observed, confidence after.
EXAMPLES = [
    ("0.60", "reinforce", "story", "0.68"),
    ("0.60", "reinforce", INCIDENT, "0.72"),
    ("0.60", "weaken", INCIDENT, "0.52"),
    ("0.60", "contradict", INCIDENT, "0.40"),
    ("0.91", "reinforce", "story", "0.99"),
    ("0.97", "reinforce", "story", "1.00"),
    ("0.1234", "reinforce", "story", "0.2034"),
    ("0.36", "weaken weaken", "story", "0.20"),
    ("0.60", "contradict contradict", "story", "0.20"),  # binary floats are below
    ("0.27", "weaken", "story", "0.19"),
    ("0.95", "reinforce contradict", "story", "0.80"),
    ("0.05", "contradict reinforce", "story", "0.08"),
    ("0.20", "weaken reinforce", "story", "0.20"),  # archived once, at the end
]


@pytest.mark.parametrize("entry", [principle, anti_pattern, procedure])
def test_checks_change_confidence_in_the_order_of_the_file(
    entry: Callable[..., ScoredEntry],
) -> None:
    for before, relationships, workflow_type, after in EXAMPLES:
        start = entry(confidence=before)
        checks = [check(start.id, relationship) for relationship in relationships.split()]
        result = curated(memory(start), story(1, *checks, workflow_type=workflow_type))
        status = ACTIVE if after >= "0.20" else ARCHIVED
        assert scores(result) == {start.id: (after, status)}, (before, relationships)


def test_a_confidence_has_four_places_at_most_and_two_at_least() -> None:
    written = {"0": "0.00", "0.600": "0.60", "0.685": "0.685", "1E0": "1.00", "1.2": "1.00"}
    written |= {"0.83325": "0.8333", "0.83324": "0.8332", "-0.1": "0.00"}
    assert {text: str(clamped(Decimal(text))) for text in written} == written


def one_by_one(
    start: Memory,
    stories: list[Story],
    **settings: Any,  # noqa: ANN401
) -> list[Curation]:
    """Return what each story makes of a memory in a run of its own."""
    runs: list[Curation] = [Curation(start, (), ())]
    for number, _ in enumerate(stories):
        known = [item._replace(is_new=place == number) for place, item in enumerate(stories)]
        before = runs[-1]
        runs.append(curated(before.memory, *known, applied=before.applied, **settings))
    return runs[1:]


def test_one_run_over_all_stories_is_as_good_as_one_after_each() -> None:
    seen = [
        observation(POOL, "reliability"),
        observation(QUEUE, "queue memory", type="quality-loop-finding", severity="P2"),
        observation(CACHE, "planning", type="observation"),
        check("PR-007", "contradict"),
    ]
    start = memory(principle(7, "0.41", "alpha bravo charlie delta echo"))
    stories = [story(number, *seen) for number in (1, 2, 3)]
    runs = one_by_one(start, stories)
    assert [scores(run) for run in runs] == [
        {"PR-007": ("0.21", ACTIVE), "PR-008": ("0.60", ACTIVE)},
        {"PR-007": ("0.01", ARCHIVED), "PR-008": ("0.68", ACTIVE), "AP-001": ("0.60", ACTIVE)},
        {
            "PR-007": ("0.01", ARCHIVED),
            "PR-008": ("0.76", ACTIVE),
            "AP-001": ("0.68", ACTIVE),
            "PC-001": ("0.60", ACTIVE),
        },
    ]
    changes = sum((run.changes for run in runs), ())
    at_once = curated(start, *stories)
    assert at_once == runs[-1]._replace(changes=changes)
    assert curated(start, *stories[::-1]) == at_once


def test_what_cannot_be_applied_is_named_and_the_rest_processed() -> None:
    start = memory(
        principle(1, "0.10", status=ARCHIVED),
        principle(2, status="superseded"),
        principle(3),
        anti_pattern(1, status=ARCHIVED),
    )
    items = [
        check("PR-001", "reinforce"),
        check("PR-002", "reinforce"),
        check("PR-099", "reinforce"),
        check("AP-001", "contradict"),
        check("PC-001", "weaken"),
        check("", "weaken"),
        check("PR-003", "supports"),
        observation(type="rumour"),
        check("PR-003", "reinforce"),
    ]
    review = story(2, check("PR-003", "contradict"), has_briefing=False)
    result = curated(start, story(1, *items), review)
    skipped = [(one.line, one.reason) for one in result.changes if one.action == SKIPPED]
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
    assert len(result.applied) == 10


def test_an_observation_is_applied_once() -> None:
    first = curated(memory(principle()), story(1, check("PR-001", "reinforce")))
    longer = story(1, check("PR-001", "reinforce"), check("PR-001", "weaken"))
    second = curated(first.memory, longer, applied=first.applied)
    assert scores(second) == {"PR-001": ("0.60", ACTIVE)}
    assert [change.observation for change in second.changes] == ["OB-002"]
    same = tuple(item._replace(id="OB-001") for item in longer.observations)
    twice = curated(memory(principle()), longer._replace(observations=same))
    assert scores(twice) == {"PR-001": ("0.68", ACTIVE)}
    assert [(one.line, one.action) for one in twice.changes] == [(1, "reinforced"), (2, SKIPPED)]


def test_source_count_grows_by_one_for_each_story() -> None:
    checks = [check("PR-001", "reinforce"), check("PR-001", "reinforce")]
    result = curated(memory(principle(source_count=4)), story(1, *checks), story(2, *checks))
    (entry,) = result.memory.principles
    assert (str(entry.confidence), entry.source_count) == ("0.92", 6)
    later = curated(
        result.memory, story(2, *checks, check("PR-001", "reinforce")), applied=result.applied
    )
    assert later.memory.principles[0].source_count == 6
    created = curated(Memory(), story(1, observation(tags="a"), observation(tags="a")))
    (entry,) = created.memory.principles
    assert (str(entry.confidence), entry.source_count, entry.source) == ("0.68", 1, "ST-001")
    again = curated(created.memory, story(2, *checks), today="2026-04-05").memory.principles[0]
    assert (again.created, again.last_reinforced) == (TODAY, "2026-04-05")
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


def test_an_archived_entry_is_not_revived_and_no_id_used_again() -> None:
    old = principle(998, "0.10", POOL, status=ARCHIVED, categories=("cost",), guidance=(POOL,))
    first = curated(memory(old), story(1, observation(POOL, "cost")))
    assert scores(first) == {"PR-998": ("0.10", ARCHIVED), "PR-999": ("0.60", ACTIVE)}
    without = curated(
        Memory(), story(1), story(2, observation(QUEUE, "cost")), applied=first.applied
    )
    assert set(scores(without)) == {"PR-1000"}
    # Nor is one that was archived in the run.
    entry = procedure(1, "0.25", tags=("sprint",), applies_to=("sprint",))
    again = observation(CACHE, "sprint", type="observation")
    result = curated(memory(entry), story(1, check("PC-001", "weaken")), story(2, again))
    assert scores(result) == {"PC-001": ("0.17", ARCHIVED)}


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


def test_a_story_without_new_observations_keeps_no_limits() -> None:
    start = memory(principle(1, "0", status=UNUSABLE), principle(2, "0.10", CACHE))
    for item in (
        story(1),
        story(1, check("PR-002", "weaken"), is_new=False),
        story(1, check("PR-001", "weaken")),  # it has to wait
    ):
        assert curated(start, item).memory == start


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
        *(one._replace(status=ACTIVE, confidence=Decimal("0.60")) for one in first.memory.entries)
    )
    assert scores(curated(right, where, applied=first.applied)) == {
        "PR-001": ("0.76", ACTIVE),
        "AP-001": ("0.68", ACTIVE),
        "PR-002": ("0.60", ACTIVE),
    }


def test_of_two_entries_with_one_id_the_first_takes_part() -> None:
    start = memory(principle(1), principle(1, text=CACHE))
    result = curated(start, story(1, check("PR-001", "reinforce")))
    assert [str(entry.confidence) for entry in result.memory.principles] == ["0.68", "0.60"]


FEW: dict[str, Any] = {"max_principles": 3, "max_anti_patterns": 2, "max_procedures": 1}
WORDS = ["pool", "cache", "queue", "retry", "token", "shard", "index", "batch", "stream"]
OBSERVATIONS = st.builds(
    Observation,
    id=st.just("OB-001"),
    type=st.sampled_from([*TYPES, "rumour"]),
    text=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
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
def test_whatever_was_observed_runs_agree_and_limits_hold(
    contents: list[tuple[list[Observation], str]], confidence: str
) -> None:
    stories = [story(n, *items, workflow_type=kind) for n, (items, kind) in enumerate(contents, 1)]
    start = memory(
        principle(confidence=confidence, guidance=(POOL,)),
        anti_pattern(tags=("queue",)),
        procedure(tags=("queue",)),
    )
    at_once = curated(start, *stories, **FEW)
    for last in one_by_one(start, stories, **FEW)[-1:]:
        assert (last.memory, last.applied) == (at_once.memory, at_once.applied)
    again = curated(at_once.memory, *stories, applied=at_once.applied, today="2027-01-01", **FEW)
    assert again == at_once._replace(changes=())
    entries = at_once.memory.entries
    assert len({entry.id for entry in entries}) == len(entries)
    for entry in entries:
        assert 0 <= entry.confidence <= 1
        assert re.fullmatch(r"[01]\.[0-9]{2,4}", str(entry.confidence))
    active = Counter(entry.id[:2] for entry in entries if entry.status == ACTIVE)
    assert all(active[kind] <= most for kind, most in {"PR": 3, "AP": 2, "PC": 1}.items())
