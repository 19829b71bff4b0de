"""Two of three criteria, each strictly above 0.60."""

from __future__ import annotations

from decimal import Decimal

import pytest

from learnings.confidence.values import ARCHIVED, SUPERSEDED, ScoredEntry
from tests.confidence.memory import (
    anti_pattern,
    curated,
    memory,
    observation,
    principle,
    procedure,
    story,
)

# Of five words three are exactly 0.60 and four are 0.80.
TEXT = "alpha bravo charlie delta echo"
AT_60 = "alpha bravo charlie xray yankee"
AT_80 = "alpha bravo charlie delta yankee"
RULE = "kilo lima mike november oscar"
RULE_AT_60 = "kilo lima mike xray yankee"
RULE_AT_80 = "kilo lima mike november yankee"
OTHER = "whiskey zulu tango sierra romeo"


def reinforced(entry: ScoredEntry, text: str, tags: str = "", **fields: object) -> bool:
    """Return True if an observation reinforces an entry instead of starting another."""
    result = curated(memory(entry), story(1, observation(text, tags, **fields)))
    return result.memory.entries[0].confidence > Decimal("0.60")


@pytest.mark.parametrize(
    ("text", "tags", "matches"),
    [
        (TEXT, "security cost", True),  # text and categories
        (AT_80, "security cost", True),
        (AT_60, "security cost", False),  # exactly 0.60 is not above it
        (TEXT, "retry", False),  # text alone
        (OTHER, "security cost", False),  # categories alone
        (f"{TEXT} {RULE}", "retry", True),  # text and guidance
        (f"{AT_80} {RULE_AT_80}", "retry", True),
        (f"{AT_60} {RULE_AT_80}", "retry", False),
        (f"{AT_80} {RULE_AT_60}", "retry", False),
        (RULE, "security cost", True),  # guidance and categories
        (RULE_AT_60, "security cost", False),
        (f"{AT_60} {RULE_AT_60}", "security cost", False),  # one, and two of exactly 0.60
        (f"{AT_60} {RULE_AT_60}", "retry", False),
        (TEXT, "security", False),  # categories: one of two
        (TEXT, "security cost usability", True),  # two of three
        (TEXT, "security usability compliance", False),
        ("alpha bravo", "security cost", False),  # too short to compare
    ],
)
def test_principles(text: str, tags: str, matches: bool) -> None:  # noqa: FBT001
    entry = principle(
        text=TEXT, guidance=("quebec uniform victor", RULE), categories=("security", "cost")
    )
    assert reinforced(entry, text, tags) is matches


def test_categories_of_exactly_60_hundredths_do_not_match() -> None:
    five = ("security", "cost", "usability", "compliance", "consistency")
    entry = principle(text=TEXT, categories=five)
    assert not reinforced(entry, TEXT, " ".join(five[:3]))
    assert reinforced(entry, TEXT, " ".join(five[:4]))


def test_a_criterion_with_an_empty_side_is_not_met() -> None:
    assert not reinforced(principle(text=TEXT), TEXT, "security")
    assert not reinforced(principle(text=TEXT, guidance=("",)), TEXT, "retry")
    assert not reinforced(principle(text="", categories=("security",)), TEXT, "security")
    assert not reinforced(principle(text=TEXT, categories=("security",)), "", "security")
    assert not reinforced(procedure(text=TEXT), TEXT, "", type="observation")


@pytest.mark.parametrize(
    ("text", "tags", "matches"),
    [
        (TEXT, "queue memory", True),  # failed approach and tags
        (AT_60, "queue memory", False),
        (TEXT, "retry", False),
        (OTHER, "queue memory", False),
        (f"{TEXT} {RULE}", "retry", True),  # failed approach and recommended approach
        (f"{TEXT} golf hotel india", "retry", True),  # failed approach and triggers
        (f"{TEXT} golf hotel", "retry", True),  # two triggers of three are 0.67
        (f"{TEXT} golf", "retry", False),
        (RULE, "queue memory", True),
        ("golf hotel india", "queue memory", True),
        (RULE_AT_60, "queue memory", False),
        ("alpha bravo charlie", "queue memory", False),  # 0.60 of the failed approach
        (TEXT, "queue", False),  # one of two tags
        (TEXT, "queue memory disk", True),
    ],
)
def test_anti_patterns(text: str, tags: str, matches: bool) -> None:  # noqa: FBT001
    entry = anti_pattern(
        text=TEXT,
        tags=("queue", "memory"),
        recommended_approach=RULE,
        trigger_patterns=("golf", "hotel", "india"),
    )
    for kind in ("quality-loop-finding", "incident-learning"):
        assert reinforced(entry, text, tags, type=kind) is matches


@pytest.mark.parametrize(
    ("applies_to", "text", "tags", "matches"),
    [
        ("", TEXT, "sprint risk", True),
        ("", AT_80, "sprint risk", True),
        ("", AT_60, "sprint risk", False),
        ("", TEXT, "sprint", False),  # without applies_to both have to hold
        ("", TEXT, "", False),
        ("", OTHER, "sprint risk", False),
        ("migration", TEXT, "migration", True),  # text and applies_to
        ("migration", TEXT, "sprint risk", True),
        ("migration", OTHER, "migration sprint risk", False),  # tags 2 of 3, applies_to 1 of 3
        ("sprint risk", OTHER, "sprint risk", True),  # tags and applies_to
        ("migration", TEXT, "retry", False),
        ("migration", OTHER, "migration", False),
    ],
)
def test_procedures(applies_to: str, text: str, tags: str, matches: bool) -> None:  # noqa: FBT001
    entry = procedure(text=TEXT, tags=("sprint", "risk"), applies_to=tuple(applies_to.split()))
    for kind in ("observation", "deviation", "detection-gap"):
        assert reinforced(entry, text, tags, type=kind) is matches


def test_only_active_entries_match() -> None:
    for status in (ARCHIVED, SUPERSEDED):
        for entry in (
            principle(text=TEXT, guidance=(TEXT,), status=status),
            anti_pattern(text=TEXT, tags=("retry",), status=status),
            procedure(text=TEXT, tags=("retry",), status=status),
        ):
            kinds = ("fix-rationale", "quality-loop-finding", "observation")
            items = [observation(TEXT, "retry", type=kind) for kind in kinds]
            assert entry in curated(memory(entry), story(1, *items)).memory.entries


def best(*entries: ScoredEntry, text: str = TEXT, tags: str = "security") -> str:
    """Return the id of the entry that an observation reinforces, in whichever order they are."""
    ids = set()
    for order in (entries, entries[::-1]):
        result = curated(memory(*order), story(1, observation(text, tags)))
        ids |= {change.entry for change in result.changes if change.action == "reinforced"}
    assert len(ids) == 1
    return ids.pop()


def test_of_several_matches_the_one_with_most_criteria_is_taken() -> None:
    two = principle(1, "0.90", TEXT, categories=("security",))
    three = principle(2, "0.30", AT_80, categories=("security",), guidance=(AT_80,))
    assert best(two, three, text=f"{TEXT}") == "PR-002"


def test_then_the_one_with_the_highest_mean_overlap() -> None:
    near = principle(1, "0.90", AT_80, categories=("security",))
    same = principle(2, "0.30", TEXT, categories=("security",))
    assert best(near, same) == "PR-002"


def test_then_the_more_confident_one() -> None:
    one = principle(1, "0.50", TEXT, categories=("security",))
    other = principle(2, "0.51", TEXT, categories=("security",))
    assert best(one, other) == "PR-002"


def test_then_the_one_with_the_lowest_number() -> None:
    one = principle(1000, "0.50", TEXT, categories=("security",))
    other = principle(999, "0.50", TEXT, categories=("security",))
    assert best(one, other) == "PR-999"
