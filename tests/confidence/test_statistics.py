from __future__ import annotations

from learnings.confidence.summaries import KindCount, MonthlyGrowth, statistics
from learnings.confidence.values import ARCHIVED, SUPERSEDED, ScoredEntry
from tests.confidence.memory import SETTINGS, anti_pattern, memory, principle, procedure


def test_what_a_memory_holds() -> None:
    entries: list[ScoredEntry] = [
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
    ]
    result = statistics(memory(*entries), SETTINGS)
    assert result.kinds == (
        KindCount("principles", 3, 1, 1, 200),
        KindCount("anti_patterns", 2, 0, 0, 100),
        KindCount("procedures", 3, 0, 0, 50),
    )
    assert result.active == 8
    strongest = [entry.id for entry in result.strongest]
    assert strongest == ["PR-002", "PR-001", "PC-003", "PC-002", "PC-001"]
    assert [entry.id for entry in result.near_archive] == ["AP-002", "AP-001"]
    assert result.certain == 2
    assert result.growth == (
        MonthlyGrowth("2026-01", 2, 2),
        MonthlyGrowth("2026-02", 1, 3),
        MonthlyGrowth("2026-03", 3, 6),
    )


def test_an_empty_memory() -> None:
    result = statistics(memory(), SETTINGS)
    assert (result.active, result.strongest, result.growth, result.certain) == (0, (), (), 0)
