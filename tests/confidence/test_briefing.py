from __future__ import annotations

from decimal import Decimal

from learnings.confidence.summaries import BriefedEntry, brief
from learnings.confidence.values import ARCHIVED, SUPERSEDED, ScoredEntry
from tests.confidence.memory import (
    CACHE,
    POOL,
    QUEUE,
    SETTINGS,
    anti_pattern,
    memory,
    principle,
    procedure,
)

STORY = "As an operator I want workers to survive restarts, so that pooled connections return."


def briefed(*entries: ScoredEntry) -> list[str]:
    return [one.entry.id for one in brief(memory(*entries), STORY, SETTINGS).entries]


def test_only_active_and_confident_entries_are_briefed() -> None:
    entries: list[ScoredEntry] = [
        principle(1, "0.40"),
        principle(2, "0.3999"),
        principle(3, "0.90", status=ARCHIVED),
        principle(4, "0.90", status=SUPERSEDED),
        anti_pattern(1, "0.39"),
        procedure(1, "0.41"),
    ]
    assert set(briefed(*entries)) == {"PR-001", "PC-001"}


def test_entries_are_ranked_by_relevance_times_confidence() -> None:
    entries: list[ScoredEntry] = [
        principle(1, "0.90", text=CACHE),  # shares nothing
        principle(2, "0.50", text=POOL),
        principle(3, "0.80", text=POOL),
        principle(4, "0.95", text=QUEUE),  # shares one word
    ]
    result = brief(memory(*entries), STORY, SETTINGS)
    assert [one.entry.id for one in result.entries] == ["PR-003", "PR-002", "PR-004", "PR-001"]
    assert [one.relevance for one in result.entries[:2]] == [Decimal("1.0"), Decimal("1.0")]
    assert result.entries[1].score == Decimal("0.50")
    assert result.entries[3].relevance == 0


def test_anti_patterns_that_the_story_triggers_come_first() -> None:
    entries: list[ScoredEntry] = [
        principle(1, "0.90", text=POOL),
        anti_pattern(1, "0.41", trigger_patterns=("worker", "queue growth")),
        anti_pattern(2, "0.95", trigger_patterns=("queue",)),
        anti_pattern(3, "0.42", trigger_patterns=("I", "restart connection")),
    ]
    result = brief(memory(*entries), STORY, SETTINGS)
    assert [(one.entry.id, one.triggers) for one in result.entries] == [
        ("AP-003", ("I", "restart connection")),
        ("AP-001", ("worker",)),
        ("PR-001", ()),
        ("AP-002", ()),
    ]


def test_a_briefing_has_fifteen_entries_at_most() -> None:
    entries = [principle(number, "0.50", text=POOL) for number in range(1, 18)]
    result = brief(memory(*entries), STORY, SETTINGS)
    assert [one.entry.id for one in result.entries] == [f"PR-{n:03}" for n in range(1, 16)]
    assert result.left_out == 2
    assert (
        len(brief(memory(*entries), STORY, SETTINGS._replace(max_briefing_entries=0)).entries) == 0
    )


def test_without_entries_or_words_there_is_still_a_briefing() -> None:
    assert brief(memory(), STORY, SETTINGS) == ((), 0)
    one = brief(memory(principle()), "", SETTINGS).entries
    assert one == (BriefedEntry(principle(), Decimal("0.0")),)
