from __future__ import annotations

import pytest

from learnings.consolidation.checks.supersession import BY_GIT, BY_POSITION, BY_STATED, Order
from learnings.core.entries.document import Document, read
from tests.consolidation.memory import memory


def stamped(*stamps: str) -> Document:
    return read("".join(f"## [{stamp}] Title {stamp}\n\ntext\n\n" for stamp in stamps).encode())


@pytest.mark.parametrize(
    ("stamps", "newer"),
    [
        (("2026-01-02-120000", "2026-01-01-120000"), 0),
        (("2026-01-01-120000", "2026-01-02-120000"), 1),
        (("2026-01-02-120000", "2026-01-02-130000"), 1),
    ],
)
def test_the_later_stated_date_wins_over_git(stamps: tuple[str, str], newer: int) -> None:
    entries = stamped(*stamps).entries
    dates = {entries[newer].identity: "2025-01-01", entries[1 - newer].identity: "2026-12-01"}
    order = Order(entries, dates).newer(*entries)
    assert (order.newer, order.basis) == (entries[newer], BY_STATED)


def test_without_stated_dates_the_later_one_in_git_wins() -> None:
    one, other = memory(("One", "a"), ("Other", "b")).entries
    order = Order([one, other], {one.identity: "2026-02-01", other.identity: "2026-01-01"})
    assert order.newer(one, other) == order.newer(other, one)
    assert order.newer(one, other)[0] is one
    assert order.newer(one, other).basis == BY_GIT


@pytest.mark.parametrize(
    ("stamps", "newer"),
    [
        (("2026-03-01", "2026-02-01", "2026-02-01"), 1),
        (("2026-01-01", "2026-02-01", "2026-02-01"), 2),
    ],
)
def test_equal_dates_follow_the_direction_of_the_file(stamps: tuple[str, ...], newer: int) -> None:
    entries = stamped(*stamps).entries
    order = Order(entries, {}).newer(entries[1], entries[2])
    assert (order.newer, order.basis) == (entries[newer], BY_POSITION)


def test_a_month_and_a_day_in_it_are_equal() -> None:
    document = read(b"- 2026-02: one thing to keep\n- 2026-02-03: another thing to keep\n")
    assert Order(document.entries, {}).newer(*document.entries).basis == BY_POSITION
