"""When a compaction is due: every number of files around the two thresholds."""

from __future__ import annotations

import pytest

from learnings.tiers.tier_files import CompactionTrigger


@pytest.mark.parametrize(
    ("valid", "processed", "due", "strict"),
    [
        (0, 0, False, False),
        (2, 0, False, False),
        (3, 0, True, True),
        (4, 0, True, True),
        (5, 0, True, True),
        (6, 0, True, True),
        (5, 5, False, False),
        (6, 5, False, True),
        (7, 5, False, True),
        (8, 5, True, True),
        (4, 3, False, False),
        (5, 3, False, True),
        (6, 3, True, True),
        (12, 10, False, True),
        (13, 10, True, True),
        (5, 9, False, False),
        (10, 1_000_000, False, False),
    ],
)
def test_the_boundaries(valid: int, processed: int, due: bool, strict: bool) -> None:  # noqa: FBT001
    assert CompactionTrigger(valid, processed).is_due is due
    assert CompactionTrigger(valid, processed, strict=True).is_due is strict


def test_new_files_are_never_fewer_than_none() -> None:
    assert (CompactionTrigger(5, 9).new, CompactionTrigger(9, 5).new) == (0, 4)
