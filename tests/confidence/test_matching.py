"""Two of three criteria, each strictly above 0.60; the categories and roles of tags."""

from __future__ import annotations

import pytest

from learnings.confidence.kinds import CATEGORIES, categories_of, roles_of
from learnings.confidence.values import ARCHIVED, SUPERSEDED, Memory, ScoredEntry
from tests.confidence.memory import (
    SETTINGS,
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


def reinforces(entry: ScoredEntry, text: str, tags: str = "", kind: str = "discovery") -> bool:
    """Return True if an observation reinforces an entry instead of starting another."""
    result = curated(memory(entry), story(1, observation(text, tags, type=kind)))
    return result.changes[0].action == "reinforced"


@pytest.mark.parametrize(
    ("text", "tags", "matches"),
    [
        (AT_80, "security cost", True),  # text and categories
        (AT_60, "security cost", False),  # exactly 0.60 is not above it
        (TEXT, "retry", True),  # equal words, whatever the tags
        (AT_80, "retry", False),  # text alone
        (OTHER, "security cost", False),  # categories alone
        (f"{AT_80} {RULE_AT_80}", "retry", True),  # text and guidance
        (f"{AT_60} {RULE_AT_80}", "retry", False),
        (f"{AT_80} {RULE_AT_60}", "retry", False),
        (RULE, "security cost", True),  # guidance and categories
        (RULE_AT_60, "security cost", False),
        (AT_80, "security", False),  # categories: one of two
        (AT_80, "security cost usability", True),  # two of three
        ("alpha bravo", "security cost", False),  # too short to compare
    ],
)
def test_principles(text: str, tags: str, matches: bool) -> None:
    guidance = ("quebec uniform victor", RULE)
    entry = principle(text=TEXT, guidance=guidance, categories=("security", "cost"))
    assert reinforces(entry, text, tags) is matches


def test_a_criterion_with_an_empty_side_is_not_met() -> None:
    assert not reinforces(principle(text=TEXT), AT_80, "security")
    assert not reinforces(principle(text=TEXT, guidance=("",)), AT_80, "retry")
    assert not reinforces(principle(text="", categories=("security",)), TEXT, "security")
    assert not reinforces(principle(text=TEXT, categories=("security",)), "", "security")
    assert not reinforces(procedure(text=TEXT), AT_80, "", "observation")


def test_guidance_that_repeats_the_text_is_no_second_criterion() -> None:
    entry = principle(text=TEXT, guidance=(AT_80,), categories=("security",))
    assert not reinforces(entry, AT_80, "retry")
    assert reinforces(entry, AT_80, "security")
    fix = anti_pattern(text=TEXT, tags=("queue",), recommended_approach=TEXT)
    assert not reinforces(fix, f"{TEXT} {OTHER}", "retry", "quality-loop-finding")
    five = ["webhook", "upload", "import", "export", "report"]
    texts = [f"Validate {name} payloads with the shared schema" for name in five]
    result = curated(Memory(), story(1, *(observation(text, "pattern") for text in texts)))
    assert [str(entry.confidence) for entry in result.memory.principles] == ["0.60"] * 5


@pytest.mark.parametrize(
    ("text", "tags", "matches"),
    [
        (TEXT, "queue memory", True),  # failed approach and tags
        (AT_60, "queue memory", False),
        (TEXT, "retry", True),  # equal words
        (f"{TEXT} yankee", "retry", False),
        (OTHER, "queue memory", False),
        (f"{TEXT} {RULE}", "retry", True),  # failed approach and recommended approach
        (f"{TEXT} golf hotel", "retry", True),  # and triggers: two of three are 0.67
        (f"{TEXT} golf", "retry", False),
        (RULE, "queue memory", True),
        ("alpha bravo charlie", "queue memory", False),  # 0.60 of the failed approach
        (f"{TEXT} yankee", "queue", False),  # one of two tags
    ],
)
def test_anti_patterns(text: str, tags: str, matches: bool) -> None:
    entry = anti_pattern(
        text=TEXT,
        tags=("queue", "memory"),
        recommended_approach=RULE,
        trigger_patterns=("golf", "hotel", "india"),
    )
    for kind in ("quality-loop-finding", "incident-learning"):
        assert reinforces(entry, text, tags, kind) is matches


@pytest.mark.parametrize(
    ("applies_to", "text", "tags", "matches"),
    [
        ("", AT_80, "sprint risk", True),
        ("", AT_60, "sprint risk", False),
        ("", AT_80, "sprint", False),  # without applies_to both have to hold
        ("", OTHER, "sprint risk", False),
        ("migration", TEXT, "migration", True),  # text and applies_to
        ("migration", OTHER, "migration sprint risk", False),  # tags 2 of 3, applies_to 1 of 3
        ("sprint", OTHER, "sprint", False),  # tags 1 of 2
        ("sprint risk", OTHER, "sprint risk", False),  # applies_to repeats the tags
        ("sprint risk", AT_80, "sprint risk", True),
        ("migration", AT_80, "retry", False),
        ("migration", TEXT, "retry", True),  # equal words
    ],
)
def test_procedures(applies_to: str, text: str, tags: str, matches: bool) -> None:
    entry = procedure(text=TEXT, tags=("sprint", "risk"), applies_to=tuple(applies_to.split()))
    for kind in ("observation", "deviation", "detection-gap"):
        assert reinforces(entry, text, tags, kind) is matches


@pytest.mark.parametrize("status", [ARCHIVED, SUPERSEDED])
def test_only_active_entries_match(status: str) -> None:
    tags = ("retry",)
    for entry, kind in (
        (principle(text=TEXT, guidance=(TEXT,), status=status), "fix-rationale"),
        (anti_pattern(text=TEXT, tags=tags, status=status), "quality-loop-finding"),
        (procedure(text=TEXT, tags=tags, status=status), "observation"),
    ):
        assert not reinforces(entry, TEXT, "retry", kind)


@pytest.mark.parametrize(
    ("best", "other"),
    [
        # All three criteria, or two.
        (
            principle(2, "0.30", "alpha bravo charlie", guidance=("charlie delta echo",)),
            principle(1, "0.90", AT_80),
        ),
        (principle(2, "0.30", TEXT), principle(1, "0.90", AT_80)),  # the mean overlap
        (principle(2, "0.51", TEXT), principle(1, "0.50", TEXT)),
        (principle(999, "0.50", TEXT), principle(1000, "0.50", TEXT)),
    ],
)
def test_of_several_matches_the_best_is_taken(best: ScoredEntry, other: ScoredEntry) -> None:
    entries = [one._replace(categories=("security",)) for one in (best, other)]  # type: ignore[call-arg]
    for order in (entries, entries[::-1]):
        result = curated(memory(*order), story(1, observation(TEXT, "security")))
        assert [one.entry for one in result.changes if one.action == "reinforced"] == [best.id]


# The table of the source, name by name.
ROLES = {
    "correctness reliability performance": ("developer", "sw-engineer"),
    "security": ("developer", "sw-engineer", "sw-quality"),
    "maintainability testability": ("developer", "sw-quality"),
    "consistency patterns": ("developer", "sw-engineer", "architect"),
    "observability scalability": ("developer", "architect"),
    "workflow process planning": ("sdm",),
    "incident detection-gap post-mortem": ("developer", "sw-engineer", "sw-quality", "cr-analyzer"),
    "other cost usability": ("developer",),
}


def test_roles_come_from_tags_and_categories_and_the_default_only_fills_a_gap() -> None:
    wanted = {name: roles for names, roles in ROLES.items() for name in names.split()}
    assert {name: roles_of([name], []) for name in wanted} == wanted
    assert {name: roles_of([], [name.title()]) for name in wanted} == wanted
    assert roles_of(["planning", "retry", "security"], ["testability"]) == (
        "developer",
        "sw-engineer",
        "sw-quality",
        "sdm",
    )


def test_a_tag_stands_for_the_category_of_its_name_and_those_of_a_setting() -> None:
    assert categories_of([*CATEGORIES, "retry", "Security"], SETTINGS) == CATEGORIES
    more = {"RETRY": ("reliability", "cost"), "security": ("compliance",)}
    settings = SETTINGS._replace(tag_categories=more)
    wanted = ("reliability", "cost", "security", "compliance")
    assert categories_of(["Retry", "security"], settings) == wanted
