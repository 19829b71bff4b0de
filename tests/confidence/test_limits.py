"""Merging, archiving and rotation, each with its ties."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from learnings.confidence.documents.settings_text import parse_number
from learnings.confidence.values import ACTIVE, ARCHIVED, SUPERSEDED, Memory, ScoredEntry
from tests.confidence.memory import (
    CACHE,
    POOL,
    QUEUE,
    anti_pattern,
    curated,
    memory,
    observation,
    principle,
    procedure,
    scores,
    story,
)

NOTE = observation(type="consistency-check")  # refers to nothing: a story that changes no entry
# Ten words: nine of them are 9 of 10, and with another one 8 of 10.
RULES = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"
NINE = "alpha bravo charlie delta echo foxtrot golf hotel india"
EIGHT = "alpha bravo charlie delta echo foxtrot golf hotel"


def limited(*entries: ScoredEntry, **settings: Any) -> Memory:  # noqa: ANN401
    """Return a memory after a story that changes nothing itself, in whichever order it was."""
    one, other = (
        sorted(curated(memory(*order), story(1, NOTE), **settings).memory.entries)
        for order in (entries, entries[::-1])
    )
    assert one == other
    return memory(*one)


def statuses(*entries: ScoredEntry, **settings: object) -> dict[str, str]:
    return {entry.id: entry.status for entry in limited(*entries, **settings).entries}


@pytest.mark.parametrize(
    ("guidance", "other", "merged"),
    [
        ((RULES,), (NINE,), True),
        ((RULES,), (EIGHT,), False),  # exactly 0.80
        ((EIGHT, "india juliet"), (RULES,), True),  # all rules together
        (("Use connection pools",), ("use connection pool",), True),
        ((), (), False),
    ],
)
def test_principles_with_the_same_guidance_are_merged(
    guidance: tuple[str, ...],
    other: tuple[str, ...],
    merged: bool,
) -> None:
    entries = (principle(1, guidance=guidance), principle(2, text=CACHE, guidance=other))
    wanted = {"PR-001": ACTIVE, "PR-002": SUPERSEDED if merged else ACTIVE}
    assert statuses(*entries) == wanted


def test_anti_patterns_with_the_same_remedy_and_triggers_are_merged() -> None:
    both = ("queue", "memory")
    for remedy, other, triggers, merged in (
        (RULES, NINE, both, True),  # 11 of 12
        (RULES, NINE, ("queue",), True),  # 10 of 12
        (RULES, EIGHT, ("queue",), False),  # 9 of 12
        (RULES, "", both, False),
        ("", "", both, False),
    ):
        entries = (
            anti_pattern(1, recommended_approach=remedy, trigger_patterns=both),
            anti_pattern(2, text=POOL, recommended_approach=other, trigger_patterns=triggers),
        )
        wanted = {"AP-001": ACTIVE, "AP-002": ARCHIVED if merged else ACTIVE}
        assert statuses(*entries) == wanted, (other, triggers)


def test_procedures_with_the_same_text_are_merged() -> None:
    entries = procedure(1, text=RULES), procedure(2, text=NINE), procedure(3, text=EIGHT)
    # The third shares 8 of 10 with the first; with the second, which left, it would be 8 of 9.
    assert statuses(*entries) == {"PC-001": ACTIVE, "PC-002": ARCHIVED, "PC-003": ACTIVE}


def kept(one: ScoredEntry, other: ScoredEntry) -> str:
    (name,) = (name for name, status in statuses(one, other).items() if status == ACTIVE)
    return name


def test_the_more_confident_entry_stays_then_more_sources_older_lower_id() -> None:
    base = principle(2, "0.70", guidance=(RULES,), source_count=3, created="2026-02-01")
    assert kept(base, base._replace(id="PR-001", confidence=Decimal("0.69"))) == "PR-002"
    assert kept(base, base._replace(id="PR-001", source_count=2)) == "PR-002"
    assert kept(base, base._replace(id="PR-003", source_count=4)) == "PR-003"
    assert kept(base, base._replace(id="PR-003", created="2026-01-31")) == "PR-003"
    assert kept(base, base._replace(id="PR-003", created=None)) == "PR-003"
    assert kept(base._replace(id="PR-1000"), base._replace(id="PR-999")) == "PR-999"


def test_what_stays_takes_over_sources_tags_roles_and_the_later_date() -> None:
    one = principle(
        1,
        "0.70",
        guidance=(RULES,),
        source_count=3,
        tags=("a", "b"),
        roles=("developer",),
        last_reinforced="2026-02-01",
    )
    other = one._replace(
        id="PR-002",
        confidence=Decimal("0.65"),
        source_count=2,
        tags=("b", "c"),
        roles=("architect", "developer"),
        last_reinforced="2026-03-01",
    )
    union = one._replace(
        source_count=5,
        tags=("a", "b", "c"),
        roles=("developer", "architect"),
        last_reinforced="2026-03-01",
    )
    assert limited(one, other).principles == (union, other._replace(status=SUPERSEDED))
    never = other._replace(last_reinforced=None)
    assert limited(one, never).principles[0].last_reinforced == "2026-02-01"


def test_all_active_entries_of_the_same_become_one() -> None:
    entries = [principle(n, f"0.{n}0", guidance=(RULES,), source_count=n) for n in (5, 6, 7)]
    entries.append(entries[0]._replace(id="PR-008", confidence=Decimal(1), status=ARCHIVED))
    result = limited(*entries).principles
    assert [(entry.id, entry.status, entry.source_count) for entry in result] == [
        ("PR-005", SUPERSEDED, 5),
        ("PR-006", SUPERSEDED, 6),
        ("PR-007", ACTIVE, 18),
        ("PR-008", ARCHIVED, 5),
    ]


def test_an_entry_of_a_later_story_is_merged_with_an_old_one() -> None:
    old = principle(1, text=QUEUE, guidance=(CACHE,))
    result = curated(memory(old), story(1, NOTE), story(2, observation(CACHE, "cost")))
    assert scores(result) == {"PR-001": ("0.60", ACTIVE), "PR-002": ("0.60", SUPERSEDED)}
    assert result.memory.principles[0].source_count == 2
    assert [change.reason for change in result.changes if change.action == "merged"] == [
        "PR-001 says the same"
    ]


def archived(*entries: ScoredEntry, **settings: object) -> set[str]:
    return {name for name, status in statuses(*entries, **settings).items() if status == ARCHIVED}


def test_entries_strictly_below_the_threshold_are_archived() -> None:
    low: list[ScoredEntry] = [principle(1, "0.1999"), anti_pattern(1, "0.19"), procedure(1, "0")]
    half = procedure(2, "0.5", text=QUEUE)
    assert archived(*low, principle(2, "0.20", text=CACHE), half) == {"PR-001", "AP-001", "PC-001"}
    assert archived(half, confidence_archive=Decimal("0.51")) == {"PC-002"}
    assert archived(low[0], confidence_archive=Decimal(0)) == set()


def test_the_least_confident_go_first_then_the_oldest_fewer_sources_higher_id() -> None:
    def rotated(other: ScoredEntry) -> set[str]:
        return archived(base, other, max_principles=1)

    base = principle(2, "0.70", source_count=3, created="2026-01-01", last_reinforced="2026-02-01")
    first = base._replace(id="PR-001")
    assert rotated(first._replace(confidence=Decimal("0.69"))) == {"PR-001"}
    assert rotated(first._replace(last_reinforced="2026-01-31")) == {"PR-001"}
    # Without a reinforcement the date of its creation counts.
    new = first._replace(last_reinforced=None, created="2026-02-02")
    assert rotated(new) == {"PR-002"}
    assert rotated(new._replace(created="2026-01-31")) == {"PR-001"}
    assert rotated(new._replace(created=None)) == {"PR-001"}
    assert rotated(first._replace(source_count=2)) == {"PR-001"}
    assert rotated(first) == {"PR-002"}
    assert rotated(base._replace(id="PR-1000")) == {"PR-1000"}


def test_each_file_has_a_limit_of_its_own() -> None:
    entries: list[ScoredEntry] = [
        principle(1, "0.50"),
        principle(2, "0.60", text=CACHE),
        anti_pattern(1, "0.50"),
        anti_pattern(2, "0.40", text=CACHE),
        procedure(1, "0.90"),
    ]
    limits = {"max_principles": 2, "max_anti_patterns": 1, "max_procedures": 1}
    assert archived(*entries, **limits) == {"AP-002"}
    assert archived(*entries[:2], max_principles=0) == {"PR-001", "PR-002"}
    many: list[ScoredEntry] = [
        *(principle(n, f"0.{n:04}", f"word{n} other{n} more{n}") for n in range(2001, 2203)),
        *(anti_pattern(n, "0.5", f"word{n}") for n in range(1, 102)),
        *(procedure(n, "0.5", f"word{n} other{n}") for n in range(1, 52)),
    ]
    assert archived(*many) == {"PR-2001", "PR-2002", "AP-101", "PC-051"}


READ: dict[str, dict[str, Decimal | int | None]] = {
    "confidence_start": {"0": 0, "1": 1, "0.30": Decimal("0.30"), "1.01": None, "-0.1": None},
    "confidence_weaken": {"-0.08": Decimal("0.08"), "1": 1, "-1.01": None, "NaN": None},
    "max_principles": {"0": 0, "12": 12, "-1": None, "1.5": None, "1000000000000": None},
    "incident_confidence_multiplier": {"0": None, "0.01": Decimal("0.01"), "100": 100, "101": None},
}


@pytest.mark.parametrize("key", READ)
def test_numbers_have_limits(key: str) -> None:
    assert {text: parse_number(key, text) for text in READ[key]} == READ[key]
    assert parse_number(key, None) is None
