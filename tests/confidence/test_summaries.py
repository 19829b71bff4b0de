"""The briefing for a story, and the statistics of a memory."""

from __future__ import annotations

from decimal import Decimal

from learnings.confidence.summaries import (
    BriefedEntry,
    Briefing,
    KindCount,
    MonthlyGrowth,
    brief,
    statistics,
)
from learnings.confidence.values import ARCHIVED, SUPERSEDED, ScoredEntry
from tests.confidence.memory import (
    CACHE,
    QUEUE,
    SETTINGS,
    anti_pattern,
    memory,
    principle,
    procedure,
    settings_with,
)

STORY = "As an operator I want workers to survive restarts, so that pooled connections return."


def briefed(*entries: ScoredEntry, **settings: object) -> Briefing:
    return brief(memory(*entries), STORY, settings_with(**settings))


def test_active_and_confident_entries_are_ranked_by_relevance_times_confidence() -> None:
    result = briefed(
        principle(1, "0.90", text=CACHE),  # shares nothing
        principle(2, "0.40"),
        principle(3, "0.80"),
        principle(4, "0.95", text=QUEUE),  # shares one word
        principle(5, "0.3999"),
        principle(6, "0.90", status=ARCHIVED),
        principle(7, "0.90", status=SUPERSEDED),
        anti_pattern(1, "0.39"),
        procedure(1, "0.41"),
    )
    ids = [one.entry.id for one in result.entries]
    assert ids == ["PR-003", "PR-002", "PR-004", "PR-001", "PC-001"]
    assert [one.relevance for one in result.entries[:2]] == [Decimal("1.0"), Decimal("1.0")]
    assert result.entries[1].score == Decimal("0.40")
    assert result.entries[3].relevance == 0


def test_anti_patterns_that_the_story_triggers_come_first() -> None:
    result = briefed(
        principle(1, "0.90"),
        anti_pattern(1, "0.41", trigger_patterns=("worker", "queue growth")),
        anti_pattern(2, "0.95", trigger_patterns=("queue",)),
        anti_pattern(3, "0.42", trigger_patterns=("I", "restart connection")),
    )
    assert [(one.entry.id, one.triggers) for one in result.entries] == [
        ("AP-003", ("I", "restart connection")),
        ("AP-001", ("worker",)),
        ("PR-001", ()),
        ("AP-002", ()),
    ]


def test_a_briefing_has_fifteen_entries_at_most() -> None:
    entries = [principle(number, "0.50") for number in range(1, 18)]
    result = briefed(*entries)
    assert [one.entry.id for one in result.entries] == [f"PR-{n:03}" for n in range(1, 16)]
    assert result.left_out == 2
    assert briefed(*entries, max_briefing_entries=0) == ((), 17)


def test_without_entries_or_words_there_is_still_a_briefing() -> None:
    assert briefed() == ((), 0)
    one = brief(memory(principle()), "", SETTINGS).entries
    assert one == (BriefedEntry(principle(), Decimal("0.0")),)


def test_what_a_memory_holds() -> None:
    result = statistics(
        memory(
            principle(1, "1.00", created="2026-01-03", source_count=2),
            principle(2, "1", created="2026-01-31", source_count=9),
            principle(3, "0.35", created="2026-03-01"),
            principle(4, "0.3499", status=ARCHIVED, created="2026-03-02"),
            principle(5, "0.90", status=SUPERSEDED),
            anti_pattern(1, "0.34", created="2026-02-01"),
            anti_pattern(2, "0.20", created="2026-03-01"),
            procedure(1, "0.70"),
            procedure(2, "0.70", source_count=2),
            procedure(3, "0.99"),
        ),
        SETTINGS,
    )
    assert result.kinds == (
        KindCount("principles", 3, 1, 1, 200),
        KindCount("anti_patterns", 2, 0, 0, 100),
        KindCount("procedures", 3, 0, 0, 50),
    )
    strongest = [entry.id for entry in result.strongest]
    assert strongest == ["PR-002", "PR-001", "PC-003", "PC-002", "PC-001"]
    assert [entry.id for entry in result.near_archive] == ["AP-002", "AP-001"]
    assert (result.active, result.certain) == (8, 2)
    assert result.growth == (
        MonthlyGrowth("2026-01", 2, 2),
        MonthlyGrowth("2026-02", 1, 3),
        MonthlyGrowth("2026-03", 3, 6),
    )
    empty = statistics(memory(), SETTINGS)
    assert (empty.active, empty.strongest, empty.growth, empty.certain) == (0, (), (), 0)
