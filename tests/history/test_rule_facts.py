"""Stated dates against dates from git, in real repositories."""

from __future__ import annotations

import pytest

from tests.history.memory import FILE, body, day, keep, run
from tests.support.repository import GitRepository

Steps = list[tuple[int, dict[str, int]]]
"""Days, and the entries of the memory then with the days that they state."""


def stamped(entries: dict[str, int]) -> str:
    parts = (f"## [{day(n)}] {title}\n\n{body(title)}\n\n" for title, n in entries.items())
    return "# Learnings\n\nWhat we learned.\n\n" + "".join(parts)


def mismatched(repository: GitRepository) -> dict[str, str]:
    """The message for each title that the rule is about."""
    done = run(repository, "check", "--history", "--rule=date-mismatch", "--format=json", FILE)
    assert done.code == 0, done
    lines = repository.read(FILE).decode().splitlines()
    return {
        lines[finding["line"] - 1].rpartition("] ")[2]: finding["message"]
        for finding in done.json["findings"]
    }


def test_an_entry_with_a_wrong_year(repository: GitRepository) -> None:
    keep(repository, 0, stamped({"A": 0}))
    commit = keep(repository, 40, stamped({"A": 0, "B": 40 - 365}))
    message = (
        f"the entry states {day(40 - 365)}, but git dates it {day(40)}, 365 days later "
        f"({commit[:12]}); correct the date"
    )
    assert mismatched(repository) == {"B": message}


ONE, DATED = {"A": 300}, {"A": 0, "B": 10, "C": 70}
CASES: dict[str, tuple[Steps, str]] = {
    "thirty days pass": ([(0, {"A": 0}), (40, DATED)], ""),
    "thirty-one do not": ([(40, DATED), (80, {**DATED, "D": 49, "E": 111})], "DE"),
    "brought by the first commit": ([(500, {"A": 0, "B": 600})], "B"),
    "an import of several days": ([(300, ONE), (301, {**ONE, "B": 0, "C": 10, "D": 20})], ""),
    "two days are none": ([(300, ONE), (302, {**ONE, "E": 0, "F": 0, "G": 1})], "EFG"),
    "brought up to date": ([(0, {"A": 0, "B": 0}), (200, {"A": 200, "B": 0})], ""),
    "changed to a wrong one": ([(0, {"A": 0, "B": 0}), (210, {"A": 200, "B": 600})], "B"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_which_dates_are_wrong(repository: GitRepository, name: str, newline: str) -> None:
    steps, wrong = CASES[name]
    for number, entries in steps:
        keep(repository, number, stamped(entries).replace("\n", newline))
    assert "".join(mismatched(repository)) == wrong


def test_a_memory_that_comes_late_into_a_repository(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    keep(repository, 500, stamped({"A": 0}))
    assert mismatched(repository) == {}
    repository.write(FILE, stamped({"A": 0, "B": 0}))  # what is not committed is not judged
    assert mismatched(repository) == {}


def test_an_entry_moved_in_from_another_file(repository: GitRepository) -> None:
    keep(repository, 299, stamped({"A": 299}))
    keep(repository, 300, stamped({"B": 0, "C": 0}), file="notes.md")
    repository.write("notes.md", stamped({"C": 0}))
    keep(repository, 301, stamped({"A": 299, "B": 0}))
    assert mismatched(repository) == {}


def test_a_file_that_was_renamed(repository: GitRepository) -> None:
    keep(repository, 0, stamped({"A": 0}), file="old.md")
    repository.rename("old.md", FILE)
    repository.commit(date=day(400))
    assert mismatched(repository) == {}
    keep(repository, 401, stamped({"A": 0, "B": 0}))
    assert list(mismatched(repository)) == ["B"]


def test_a_list_item_whose_date_was_changed(repository: GitRepository) -> None:
    items = "# Learnings\n\n- {}: always name the tool\n- 2025-01-01: never guess\n"
    for number, stated, wrong in ((0, 0, 0), (200, 200, 0), (210, 600, 1)):
        keep(repository, number, items.format(day(stated)))
        assert len(mismatched(repository)) == wrong


def test_a_month_counts_as_its_nearest_day(repository: GitRepository) -> None:
    keep(repository, 0, stamped({"A": 0}))
    march = "\n## [2025-03] {0}\n\n{1}\n"
    text = stamped({"A": 0}) + march.format("B", body("B"))
    keep(repository, 119, text)  # 2025-04-30
    assert mismatched(repository) == {}
    keep(repository, 120, text + march.format("C", body("C")))
    assert list(mismatched(repository)) == ["C"]
