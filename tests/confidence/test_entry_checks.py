"""What a check says of entries, of observations, and of what was changed since the last commit."""

from __future__ import annotations

from collections.abc import Sequence
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
    curated,
    memory,
    observation,
    principle,
    procedure,
    story,
)

PATH = ".shaktra/memory/principles.yml"


def rows(findings: Sequence[Finding]) -> list[tuple[str, int, str]]:
    assert {finding.path for finding in findings} <= {PATH}
    return [(finding.rule, finding.line, finding.message) for finding in findings]


def checked(*entries: Principle) -> list[tuple[str, int, str]]:
    return rows(list(check_entries(PRINCIPLE_KIND, PATH, entries, SETTINGS)))


def test_a_memory_in_order_has_no_findings() -> None:
    entries = [
        principle(1, "0", status=ARCHIVED),
        principle(2, "1", text=CACHE),
        principle(1000, "0.2"),
        principle(4, "0.600000", text=QUEUE),
        principle(5, "0.90", status=ARCHIVED),  # rotated
        principle(6, "0.10", status=SUPERSEDED),
    ]
    assert checked(*entries) == []
    assert list(check_entries(ANTI_PATTERN_KIND, PATH, [anti_pattern()], SETTINGS)) == []
    assert list(check_entries(PROCEDURE_KIND, PATH, [procedure()], SETTINGS)) == []


def test_ids_are_well_formed_and_there_once() -> None:
    entries = [
        principle(1, line=3),
        principle(1, text=CACHE, line=9),
        principle()._replace(id="PR-12", line=15),
        principle()._replace(id="AP-001", line=21),
        principle()._replace(id="", line=27),
        principle()._replace(id="pr-001", line=33),
    ]
    form = "is not a valid id in this file; write one like PR-001"
    assert checked(*entries) == [
        ("memory-duplicate-id", 9, '"PR-001" is also the id on line 3; use the next free id'),
        ("memory-id-form", 15, f'"PR-12" {form}'),
        ("memory-id-form", 21, f'"AP-001" {form}'),
        ("memory-id-form", 27, f'"" {form}'),
        ("memory-id-form", 33, f'"pr-001" {form}'),
    ]


def test_confidence_is_from_0_to_1_with_four_places() -> None:
    entries = [
        principle(1, "1.01", line=3),
        principle(2, "-0.1", line=4),
        principle(3, "0.12345", line=5, status=ARCHIVED),
        principle(4, "0.1234", line=6, status=ARCHIVED),
        principle(5, "0.123400", line=7, status=ARCHIVED),
    ]
    assert checked(*entries) == [
        ("memory-confidence", 3, "the confidence of PR-001 is 1.01; write a number from 0 to 1"),
        ("memory-confidence", 4, "the confidence of PR-002 is -0.1; write a number from 0 to 1"),
        (
            "memory-confidence",
            5,
            "the confidence of PR-003 is 0.12345; write at most 4 decimal places",
        ),
    ]


def test_an_active_entry_is_not_below_the_threshold() -> None:
    message = "PR-001 is active with 0.19, below 0.2; set its status to archived"
    assert checked(principle(1, "0.19", line=3), principle(2, "0.2")) == [
        ("memory-status", 3, message)
    ]


def test_there_are_not_more_active_entries_than_may_be() -> None:
    entries = [principle(n, line=n) for n in range(1, 4)]
    entries.append(principle(4, line=4, status=ARCHIVED))
    settings = SETTINGS._replace(max_principles=2)
    findings = list(check_entries(PRINCIPLE_KIND, PATH, entries, settings))
    assert [(finding.rule, finding.line) for finding in findings] == [("memory-limit", 3)]
    assert list(check_entries(PRINCIPLE_KIND, PATH, entries[1:], settings)) == []


def observed(where: Story, state: Memory, limit: int = 30) -> list[tuple[str, int, str]]:
    settings = SETTINGS._replace(max_observations_per_story=limit)
    return rows(list(check_observations(PATH, where, state, settings)))


def test_observations_have_ids_and_are_not_too_many() -> None:
    where = story(1, *[observation(tags="a")] * 31)
    assert observed(where, Memory()) == [
        (
            "memory-observation-limit",
            31,
            "31 observations exceed the limit of 30 per story; keep the most useful",
        )
    ]
    assert observed(story(1, *[observation(tags="a")] * 30), Memory()) == []
    twice = where._replace(observations=(observation(line=3), observation(line=8)))
    assert observed(twice, Memory()) == [
        ("memory-duplicate-id", 8, '"OB-001" is also the id on line 3; use the next free id')
    ]


def test_a_check_can_refer_to_a_review_and_one_in_a_review_to_anything() -> None:
    names = ("code-review", "PR-404", "ST-002/.observations.yml")
    where = story(1, *(check(name, "weaken") for name in names))
    reviews = reviews_among([story(2, id="code-review", has_briefing=False)])
    findings = list(check_observations(PATH, where, Memory(), SETTINGS, reviews))
    assert [finding.line for finding in findings] == [2]
    assert observed(where._replace(has_briefing=False), Memory()) == []


def test_a_check_refers_to_an_active_entry() -> None:
    state = memory(principle(1), principle(2, status=ARCHIVED), anti_pattern(1), procedure(1))
    checks = [
        check(name, "weaken") for name in ("PR-001", "PR-002", "PR-003", "AP-001", "PC-001", "")
    ]
    missing = ("memory-reference", 3, 'unknown entry "PR-003"; name an entry of the memory')
    archived = "PR-002 is archived, so the check has no effect; remove it"
    assert observed(story(1, *checks), state) == [("memory-reference", 2, archived), missing]
    # An entry may have been archived after it was checked.
    assert observed(story(1, *checks, is_new=False), state) == [missing]
    plain = observation(principle_id="PR-009", tags="a")
    assert observed(story(1, plain), state) == []  # only a check refers to an entry


HEAD = (
    principle(1, "0.60", line=3, created="2026-01-01"),
    principle(2, "0.10", text=CACHE, status=ARCHIVED, line=9),
    principle(3, "0.70", text=QUEUE, status=SUPERSEDED, line=15),
)
OLD_ROW = Applied("s", "OB-001", TODAY, "PR-001", REINFORCED)


def since(*entries: Principle, new: Sequence[Applied] = ()) -> list[tuple[str, int, str]]:
    findings = check_against_head(
        PRINCIPLE_KIND, PATH, entries, HEAD, rows=[OLD_ROW, *new], head_rows=[OLD_ROW]
    )
    return rows(list(findings))


def test_nothing_was_changed() -> None:
    assert since(*HEAD) == []
    moved = [entry._replace(line=entry.line + 7) for entry in HEAD]
    assert since(*reversed(moved), principle(4, text=CACHE)) == []
    same = HEAD[0]._replace(confidence=Decimal("0.600"))
    assert since(same, *HEAD[1:]) == []


def test_confidence_changes_with_an_observation_only() -> None:
    first = HEAD[0]._replace(confidence=Decimal("0.8"))
    message = (
        "the confidence of PR-001 went from 0.60 to 0.80 without an observation; "
        "restore it, `learnings memory curate` computes it"
    )
    assert since(first, *HEAD[1:]) == [("memory-confidence-changed", 3, message)]
    row = Applied("other", "OB-001", TODAY, "PR-001", REINFORCED)
    assert since(first, *HEAD[1:], new=[row]) == []
    skipped = Applied("other", "OB-001", TODAY, "", SKIPPED)
    assert len(since(first, *HEAD[1:], new=[skipped])) == 1


def test_archived_entries_are_neither_edited_nor_revived_nor_removed() -> None:
    edited = HEAD[1]._replace(text=f"{CACHE} often")
    revived = HEAD[2]._replace(status="active")
    assert since(HEAD[0], edited, revived) == [
        ("memory-archived-edited", 9, "PR-002 is archived but was changed; undo the change"),
        (
            "memory-archived-edited",
            15,
            (
                "PR-003 was superseded and is active again; restore its status and write a new "
                "entry with the next id"
            ),
        ),
    ]
    assert since(HEAD[0], HEAD[2]) == [
        (
            "memory-archived-edited",
            1,
            "PR-002, which is archived, was removed from the file; restore it",
        )
    ]
    archived_now = HEAD[0]._replace(status=ARCHIVED)
    assert since(archived_now, *HEAD[1:]) == []
    assert since(*HEAD[1:]) == []  # an active entry may be taken out


def test_an_id_is_used_once() -> None:
    message = (
        "PR-001 is the id of another entry in the last commit; give this entry the next free id"
    )
    other = HEAD[0]._replace(text="alpha bravo charlie delta echo")
    assert since(other, *HEAD[1:]) == [("memory-id-reused", 3, message)]
    later = HEAD[0]._replace(text=f"{POOL} mostly", created="2026-04-01")
    assert since(later, *HEAD[1:]) == [("memory-id-reused", 3, message)]
    reworded = HEAD[0]._replace(text="connections in a pool live through restarts")
    assert since(reworded, *HEAD[1:]) == []
    date_only = HEAD[0]._replace(created="2026-04-01")
    assert since(date_only, *HEAD[1:]) == []
    left = check_against_head(
        PRINCIPLE_KIND, PATH, [HEAD[0]], [], rows=[OLD_ROW], head_rows=[OLD_ROW]
    )
    message = (
        "PR-001 is the id of another entry that was removed from the file; "
        "give this entry the next free id"
    )
    assert rows(list(left)) == [("memory-id-reused", 3, message)]


def test_what_a_run_writes_passes_the_check() -> None:
    stories = [
        story(number, *(observation(text, "cost") for text in (POOL, CACHE, QUEUE)))
        for number in (1, 2)
    ]
    before = curated(memory(*HEAD), stories[0])
    after = curated(before.memory, *stories, applied=before.applied)
    for state, base in ((before, None), (after, before)):
        entries = state.memory.principles
        assert list(check_entries(PRINCIPLE_KIND, PATH, entries, SETTINGS)) == []
        head = base.memory.principles if base else HEAD
        head_rows = base.applied if base else ()
        findings = check_against_head(
            PRINCIPLE_KIND, PATH, entries, head, rows=state.applied, head_rows=head_rows
        )
        assert list(findings) == []
