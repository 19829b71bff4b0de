from __future__ import annotations

from learnings.consolidation.routes import Received, TargetActivity, target_activity_of
from learnings.core.due.history_facts import Transfer, Transfers
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
    one = Received(1, "2026-03-11")
    assert activity.received == {"a.md": one, "b.md": one}


def test_what_was_received_adds_up_and_the_last_date_stays() -> None:
    newer = Transfer("c2", "2026-03-15", ENTRIES[:1], ADDED)
    older = Transfer("c1", "2026-03-01", ENTRIES[:1], ADDED)
    activity = target_activity_of(Transfers((newer, older)))
    assert activity.received == {"a.md": Received(2, "2026-03-15")}


def test_recency_falls_with_the_days_before_the_newest_commit() -> None:
    days = {"a.md": "2026-03-09", "b.md": "2026-03-08", "c.md": "2026-02-28"}
    activity = target_activity_of(Transfers((), days))
    assert activity.recency == {"a.md": 1.0, "b.md": 0.5, "c.md": 0.1}


def test_no_history_says_nothing() -> None:
    assert target_activity_of(Transfers()) == TargetActivity()
