"""What target files received before."""

from __future__ import annotations

import pytest

from learnings.consolidation.routes.target_activity import (
    BULK_LINES,
    TargetActivity,
    target_activity_of,
)
from learnings.core.entries.transfers import TargetGrowth, Transfer, Transfers
from tests.consolidation.memory import memory

ENTRIES = memory(
    ("Retry budget", "Uploads are retried three times with jitter."),
    ("Cache keys", "The cache key holds tenant and locale."),
    ("Odd one", "Words of cache keys, and some that nobody wrote down: penguins swim, birds fly."),
).entries
ADDED = {
    "a.md": ("## Retry budget\n", "Uploads are retried three times with jitter.\n"),
    "b.md": ("## Keys\n", "The cache key holds the tenant and the locale.\n"),
    "c.md": ("## Something else\n", "Words that none of them has.\n"),
}


def test_an_entry_went_to_the_file_that_took_up_its_words() -> None:
    activity = target_activity_of(Transfers((Transfer("c1", "2026-03-11", ENTRIES, ADDED),)))
    assert {path: received[:2] for path, received in activity.received.items()} == {
        "a.md": (1, "2026-03-11"),
        "b.md": (1, "2026-03-11"),
    }


def test_older_receipts_weigh_less_and_the_last_date_stays() -> None:
    newer = Transfer("c2", "2026-03-15", ENTRIES[:1], ADDED)
    older = Transfer("c1", "2026-03-01", ENTRIES[:1], ADDED)
    received = target_activity_of(Transfers((newer, older))).received["a.md"]
    assert (received.entries, received.last) == (2, "2026-03-15")
    assert received.weight == pytest.approx(1.5)


def test_growth_fades_and_bulk_does_not_count() -> None:
    growth = (
        TargetGrowth("2026-03-09", "a.md", 10),
        TargetGrowth("2026-03-05", "a.md", 20),
        TargetGrowth("2026-03-09", "b.md", BULK_LINES),
        TargetGrowth("no date", "c.md", 5),
    )
    growth_by_path = target_activity_of(Transfers(growth=growth[:3])).growth
    assert growth_by_path == {"a.md": pytest.approx(20.0)}
    assert target_activity_of(Transfers(growth=growth)).growth["c.md"] == 0.0


def test_no_history_says_nothing() -> None:
    assert target_activity_of(Transfers()) == TargetActivity()
