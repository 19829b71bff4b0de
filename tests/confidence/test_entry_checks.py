"""What a check says of entries, of observations, and of what was changed since the last commit."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from learnings.confidence.entry_checks import check_against_head, check_entries, check_observations
from learnings.confidence.kinds import ANTI_PATTERN_KIND, PRINCIPLE_KIND, PROCEDURE_KIND
from learnings.confidence.values import (
    ARCHIVED,
    REINFORCED,
    SKIPPED,
    SUPERSEDED,
    Applied,
    Memory,
    Principle,
    Story,
    reviews_among,
)
from learnings.core.findings.finding import Finding
from tests.confidence.memory import (
    CACHE,
    POOL,
    QUEUE,
    SETTINGS,
    TODAY,
    anti_pattern,
    check,
    memory,
    observation,
    principle,
    procedure,
    settings_with,
    story,
)

PATH = ".shaktra/memory/principles.yml"


def rows(findings: Iterable[Finding]) -> list[tuple[str, int, str]]:
    """Return rule, line and subject of findings."""
    return [(finding.rule, finding.line, finding.subject) for finding in findings]


def checked(*entries: Principle, limit: int = 200) -> list[tuple[str, int, str]]:
    settings = settings_with(max_principles=limit)
    return rows(check_entries(PRINCIPLE_KIND, PATH, entries, settings))


def test_a_memory_in_order_has_no_findings() -> None:
    entries = [
        principle(1, "0", status=ARCHIVED),
        principle(2, "1", text=CACHE),
        principle(1000, "0.2"),
        principle(4, "0.234500", text=QUEUE),
        principle(5, "0.90", status=ARCHIVED),  # rotated
        principle(6, "0.10", status=SUPERSEDED),
    ]
    assert checked(*entries, limit=3) == []
    assert checked(*entries, limit=2) == [("memory-limit", 1, "PR-004")]
    assert rows(check_entries(ANTI_PATTERN_KIND, PATH, [anti_pattern()], SETTINGS)) == []
    assert rows(check_entries(PROCEDURE_KIND, PATH, [procedure()], SETTINGS)) == []


def test_ids_are_well_formed_and_there_once() -> None:
    wrong = ["PR-12", "AP-001", "", "pr-001"]
    entries = [
        principle(line=3),
        principle(text=CACHE, line=9),
        *(principle(line=15 + n)._replace(id=name) for n, name in enumerate(wrong)),
    ]
    assert checked(*entries) == [
        ("memory-duplicate-id", 9, "PR-001"),
        *(("memory-id-form", 15 + n, name) for n, name in enumerate(wrong)),
    ]
    (first, second, *_) = check_entries(PRINCIPLE_KIND, PATH, entries, SETTINGS)
    assert first.message.startswith('"PR-001" is also the id on line 3')
    assert second.message.endswith("write one like PR-001")


def test_confidence_is_from_0_to_1_with_four_places_and_not_below_the_threshold() -> None:
    entries = [
        principle(1, "1.01", line=3),
        principle(2, "-0.1", line=4),
        principle(3, "0.12345", line=5, status=ARCHIVED),
        principle(4, "0.19", line=6),
    ]
    assert checked(*entries) == [
        ("memory-confidence", 3, "PR-001"),
        ("memory-confidence", 4, "PR-002"),
        ("memory-confidence", 5, "PR-003"),
        ("memory-status", 6, "PR-004"),
    ]


def observed(
    where: Story, state: Memory, reviews: frozenset[str] = frozenset()
) -> list[tuple[str, int]]:
    """Return rule and line of the findings about the observations of a story."""
    return [row[:2] for row in rows(check_observations(PATH, where, state, SETTINGS, reviews))]


def test_observations_have_ids_and_are_not_too_many() -> None:
    many = [observation(tags="a")] * 31
    assert observed(story(1, *many), Memory()) == [("memory-observation-limit", 31)]
    assert observed(story(1, *many[:30]), Memory()) == []
    twice = story(1)._replace(observations=(observation(line=3), observation(line=8)))
    assert observed(twice, Memory()) == [("memory-duplicate-id", 8)]


def test_a_check_refers_to_an_active_entry_or_a_review() -> None:
    state = memory(principle(1), principle(2, status=ARCHIVED), anti_pattern(1), procedure(1))
    names = ["PR-001", "PR-002", "PR-003", "AP-001", "PC-001", "", "review", "ST-002/file.yml"]
    checks = [check(name, "weaken") for name in names]
    checks.append(observation(principle_id="PR-009"))  # only a check refers to an entry
    review = story(2, id="review", has_briefing=False)._replace(source="stories/ST-002/file.yml")
    reviews = reviews_among([review])
    archived, unknown = (("memory-reference", line) for line in (2, 3))
    assert observed(story(1, *checks), state, reviews) == [archived, unknown]
    # An entry may have been archived after it was checked.
    assert observed(story(1, *checks, is_new=False), state, reviews) == [unknown]
    assert observed(story(1, *checks, has_briefing=False), state) == []


HEAD = (
    principle(1, "0.60", line=3, created="2026-01-01"),
    principle(2, "0.10", text=CACHE, status=ARCHIVED, line=9),
    principle(3, "0.70", text=QUEUE, status=SUPERSEDED, line=15),
)
OLD_ROW = Applied("s", "OB-001", TODAY, "PR-001", REINFORCED)


def since(*entries: Principle, new: Iterable[Applied] = ()) -> list[tuple[str, int, str]]:
    findings = check_against_head(
        PRINCIPLE_KIND, PATH, entries, HEAD, rows=[OLD_ROW, *new], head_rows=[OLD_ROW]
    )
    return rows(findings)


def test_confidence_changes_with_an_observation_only() -> None:
    first = HEAD[0]._replace(confidence=Decimal("0.8"))
    assert since(first, *HEAD[1:]) == [("memory-confidence-changed", 3, "PR-001")]
    row = Applied("other", "OB-001", TODAY, "PR-001", REINFORCED)
    assert since(first, *HEAD[1:], new=[row]) == []
    assert len(since(first, *HEAD[1:], new=[row._replace(entry="", action=SKIPPED)])) == 1
    same = HEAD[0]._replace(confidence=Decimal("0.600"))
    assert since(same, *HEAD[1:]) == []


def test_archived_entries_are_neither_edited_nor_revived_nor_removed() -> None:
    rule = "memory-archived-edited"
    edited = HEAD[1]._replace(text=f"{CACHE} often")
    revived = HEAD[2]._replace(status="active")
    assert since(HEAD[0], edited, revived) == [(rule, 9, "PR-002"), (rule, 15, "PR-003")]
    assert since(HEAD[0], HEAD[2]) == [(rule, 1, "PR-002")]
    assert since(HEAD[0]._replace(status=ARCHIVED), *HEAD[1:]) == []
    # Entries may move, and an active one may be taken out.
    moved = [entry._replace(line=entry.line + 7) for entry in HEAD[1:]]
    assert since(principle(4, text=CACHE), *reversed(moved)) == []


def test_an_id_is_used_once() -> None:
    used = [("memory-id-reused", 3, "PR-001")]

    def edited(text: str, created: str = "2026-01-01") -> list[tuple[str, int, str]]:
        return since(HEAD[0]._replace(text=text, created=created), *HEAD[1:])

    assert edited("alpha bravo charlie delta echo") == used
    assert edited(f"{POOL} mostly", "2026-04-01") == used
    assert edited("connections in a pool live through restarts") == []
    assert edited(POOL, "2026-04-01") == []
    # Its row shows that it was removed.
    (finding,) = check_against_head(
        PRINCIPLE_KIND, PATH, HEAD[:1], (), rows=[OLD_ROW], head_rows=[OLD_ROW]
    )
    assert rows([finding]) == used
    assert finding.message.startswith("PR-001 is the id of another entry that was removed")
