"""Many repositories joined to one table, and divided among jobs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learnings.app.fleet import MOST_JOBS, STATES, Fleet, RepositoryRow, merged, shards

ROWS = st.builds(
    RepositoryRow,
    name=st.sampled_from("abcd"),
    state=st.sampled_from(STATES),
    reasons=st.lists(st.sampled_from(["x", "y"]), max_size=2).map(tuple),
    overdue=st.integers(0, 3),
    errors=st.integers(0, 2),
    as_of=st.none() | st.sampled_from(["2026-01-01", "2026-01-02"]),
)
FLEETS = st.lists(ROWS, max_size=5).map(lambda rows: Fleet(tuple(rows)))


@given(FLEETS, FLEETS, FLEETS)
def test_merging_in_any_order_and_any_steps_gives_the_same(a: Fleet, b: Fleet, c: Fleet) -> None:
    whole = merged([a, b, c])
    assert merged([merged([a, b]), c]) == whole
    assert merged([a, merged([b, c])]) == whole
    assert merged([c, b, a]) == whole
    assert merged([whole, whole, a]) == whole
    assert {row.name for row in whole.rows} == {row.name for f in (a, b, c) for row in f.rows}
    assert len({row.name for row in whole.rows}) == len(whole.rows)


def test_the_later_row_of_a_repository_stays() -> None:
    old = RepositoryRow("a", "due", overdue=9, as_of="2026-01-01")
    new = RepositoryRow("a", "healthy", as_of="2026-01-02")
    failed = RepositoryRow("a", "unknown", ("no such folder",))
    assert merged([Fleet((new,)), Fleet((failed, old))]).rows == (new,)


def test_most_overdue_come_first() -> None:
    rows = [
        RepositoryRow("due 9", "due", overdue=9),
        RepositoryRow("due 1", "due", overdue=1),
        RepositoryRow("unknown", "unknown"),
        RepositoryRow("two errors", "errors", errors=2),
        RepositoryRow("an error", "errors", errors=1),
        RepositoryRow("starved", "starved"),
        RepositoryRow("a", "healthy"),
        RepositoryRow("b", "healthy"),
        RepositoryRow("absent", "absent"),
    ]
    assert list(merged([Fleet((row,)) for row in reversed(rows)]).rows) == rows


def test_jobs_are_as_many_as_a_matrix_has_and_share_evenly() -> None:
    for count in (0, 1, 2, 255, 256, 257, 511, 512, 513, 5000, 100_000):
        names = [f"r{number}" for number in range(count)]
        parts = shards(names)
        sizes = [len(part) for part in parts]
        assert [name for part in parts for name in part] == names
        assert len(parts) == min(count, MOST_JOBS)
        assert not sizes or max(sizes) - min(sizes) <= 1
