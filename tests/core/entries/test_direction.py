from __future__ import annotations

from learnings.core.entries.rewriting import is_newest_first

CASES = {
    ("2026-03-02", "2026-03-01"): True,
    ("2026-03-01", "2026-03-02"): False,
    ("2026-03-03", None, "2026-03-02", "2026-03-01", "2026-03-09"): True,
    ("2026-03-01", "2026-03-03", "2026-03-02"): False,
    ("2026-03-01", "2026-03-01"): False,
    ("2026-03-01",): False,
    (None, None): False,
    (): False,
}


def test_the_direction_is_that_of_most_neighbours() -> None:
    wrong = {dates: known for dates, known in CASES.items() if is_newest_first(dates) is not known}
    assert wrong == {}
