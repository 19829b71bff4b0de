"""Stated dates against dates from git, in real repositories."""

from __future__ import annotations

from datetime import date, timedelta

from tests.history.memory import FILE, body, day, keep, run
from tests.support.repository import GitRepository


def stamped(*entries: tuple[str, int], end: str = "") -> str:
    """A memory of entries with a stated date: title, and day counted as in `memory`."""
    parts = (f"## [{day(number)}] {title}\n\n{body(title)}\n\n" for title, number in entries)
    return "# Learnings\n\nWhat we learned.\n\n" + "".join(parts) + end


def mismatched(repository: GitRepository, *, file: str = FILE) -> dict[str, str]:
    """The message for each title that the rule is about."""
    done = run(repository, "check", "--history", "--rule=date-mismatch", "--format=json", file)
    assert done.code == 0, done
    lines = repository.read(file).decode().splitlines()
    return {
        lines[finding["line"] - 1].rpartition("] ")[2]: finding["message"]
        for finding in done.json["findings"]
    }


def test_an_entry_with_a_wrong_year(repository: GitRepository) -> None:
    keep(repository, 0, stamped(("A", 0)))
    commit = keep(repository, 40, stamped(("A", 0), ("B", 40 - 365)))
    message = (
        f"the entry states {day(40 - 365)}, but git dates it {day(40)}, 365 days later "
        f"({commit[:12]}); correct the date"
    )
    assert mismatched(repository) == {"B": message}


def test_thirty_days_pass_and_thirty_one_do_not(repository: GitRepository) -> None:
    keep(repository, 0, stamped(("A", 0)))
    keep(repository, 40, stamped(("A", 0), ("B", 10), ("C", 70)))
    assert mismatched(repository) == {}
    keep(repository, 80, stamped(("A", 0), ("B", 10), ("C", 70), ("D", 49), ("E", 111)))
    assert list(mismatched(repository)) == ["D", "E"]


def test_a_memory_that_the_first_commit_brings(repository: GitRepository) -> None:
    keep(repository, 500, stamped(("A", 0), ("B", 600)))
    assert list(mismatched(repository)) == ["B"]


def test_a_memory_that_comes_late_into_a_repository(repository: GitRepository) -> None:
    repository.commit(date=day(0))
    keep(repository, 500, stamped(("A", 0)))
    assert mismatched(repository) == {}


def test_entries_of_several_days_at_once_are_an_import(repository: GitRepository) -> None:
    keep(repository, 300, stamped(("A", 300)))
    keep(repository, 301, stamped(("A", 300), ("B", 0), ("C", 10), ("D", 20)))
    assert mismatched(repository) == {}
    keep(repository, 302, stamped(("A", 300), ("D", 20), ("E", 0), ("F", 0), ("G", 1)))
    assert list(mismatched(repository)) == ["E", "F", "G"]


def test_an_entry_moved_in_from_another_file(repository: GitRepository) -> None:
    keep(repository, 299, stamped(("A", 299)))
    keep(repository, 300, stamped(("B", 0), ("C", 0)), file="notes.md")
    repository.write("notes.md", stamped(("C", 0)))
    keep(repository, 301, stamped(("A", 299), ("B", 0)))
    assert mismatched(repository) == {}


def test_a_file_that_was_renamed(repository: GitRepository) -> None:
    keep(repository, 0, stamped(("A", 0)))
    repository.rename(FILE, "agents/memory.md")
    repository.commit(date=day(400))
    assert mismatched(repository, file="agents/memory.md") == {}
    keep(repository, 401, stamped(("A", 0), ("B", 0)), file="agents/memory.md")
    assert list(mismatched(repository, file="agents/memory.md")) == ["B"]


def test_a_date_that_was_brought_up_to_date(repository: GitRepository) -> None:
    keep(repository, 0, stamped(("A", 0), ("B", 0)))
    keep(repository, 200, stamped(("A", 200), ("B", 0)))
    assert mismatched(repository) == {}
    keep(repository, 210, stamped(("A", 200), ("B", 600)))
    assert list(mismatched(repository)) == ["B"]


def test_a_list_item_whose_date_was_changed(repository: GitRepository) -> None:
    def items(first: int) -> str:
        return f"# Learnings\n\n- {day(first)}: always name the tool\n- {day(0)}: never guess\n"

    keep(repository, 0, items(0))
    keep(repository, 200, items(200))
    assert mismatched(repository) == {}
    keep(repository, 210, items(600))
    assert len(mismatched(repository)) == 1


def test_a_month_counts_as_its_nearest_day(repository: GitRepository) -> None:
    keep(repository, 0, stamped(("A", 0)))
    late = date(2025, 4, 30)
    text = stamped(("A", 0), end=f"## [2025-03] B\n\n{body('B')}\n")
    repository.write(FILE, text)
    repository.commit(date=late.isoformat())
    assert mismatched(repository) == {}
    repository.write(FILE, text + f"\n## [2025-03] C\n\n{body('C')}\n")
    repository.commit(date=(late + timedelta(days=1)).isoformat())
    assert list(mismatched(repository)) == ["C"]


def test_what_is_not_committed_is_not_judged(repository: GitRepository) -> None:
    keep(repository, 300, stamped(("A", 300)))
    repository.write(FILE, stamped(("A", 300), ("B", 0)))
    assert mismatched(repository) == {}


def test_crlf_changes_nothing(repository: GitRepository) -> None:
    keep(repository, 0, stamped(("A", 0)))
    keep(repository, 300, stamped(("A", 0), ("B", 0)).replace("\n", "\r\n"))
    assert list(mismatched(repository)) == ["B"]
