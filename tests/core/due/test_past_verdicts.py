from __future__ import annotations

from learnings.core.due.ages import Consolidation
from learnings.core.due.past_verdicts import DailyVerdict, Episode, replay


def daily(number: int, verdict: str) -> DailyVerdict:
    return DailyVerdict(
        f"2026-03-{number:02}", "c", verdict, escalated=False, lines=100, staleness=1, batch=3
    )


DAILY_VERDICTS = [
    daily(n, verdict)
    for n, verdict in enumerate(["not-due", "starved", "due", "due", "not-due", "due"], start=1)
]


def test_days_with_the_same_verdict_are_one_episode() -> None:
    assert replay("f", DAILY_VERDICTS, []).episodes == (
        Episode("starved", "2026-03-02", "2026-03-02", 1),
        Episode("due", "2026-03-03", "2026-03-04", 2),
        Episode("due", "2026-03-06", "2026-03-06", 1),
    )


def test_a_consolidation_is_set_beside_the_verdict_before_it() -> None:
    late, early = Consolidation("b", "2026-03-05", 4), Consolidation("a", "2026-03-01", 1)
    first, second = replay("f", DAILY_VERDICTS, [late, early]).consolidations

    assert (first.consolidation, first.before, first.overdue) == (early, None, 0)
    assert (second.consolidation, second.before, second.overdue) == (late, DAILY_VERDICTS[3], 2)
