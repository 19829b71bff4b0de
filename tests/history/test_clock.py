"""Which days count: author dates in the author's zone, merges, skewed clocks, left-out authors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from learnings.history.cached_history import last_consolidation
from learnings.history.file_history import HistoryQuery, open_history
from tests.history.memory import (
    FILE,
    active_days,
    added,
    ages,
    configure,
    consolidation,
    day,
    due,
    every_removal_counts,
    keep,
    live,
    memory,
    run,
)
from tests.history.stories import tell, told
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow


__all__ = ["every_removal_counts"]
# Each entry with its active days, and the day as of which they are counted.
STORIES = {
    "many commits on a day": ("0 A; 5 .; 5 .; 40 .; 40 AB", "A2 B0", 40),
    "authors count": ("0/50 AB; 3/51 A; 4/51 .", "A2", 4),
    "back and forth": ("30 A; 10 AB; 20 ABC", "A0 B2 C1", 30),
    "a branch that is not merged": ("0 A; 1 work: .; 2 main: .", "A1", 2),
    "a branch that was merged": ("0 A; 1 work: .; 2 main: .; 5 <work", "A3", 5),
}


@pytest.mark.parametrize("name", STORIES)
def test_days_that_count(repository: GitRepository, name: str) -> None:
    story, expected, as_of = STORIES[name]
    tell(repository, story)
    document = ages(repository)
    found = " ".join(f"{title}{age}" for title, age in active_days(document).items())
    assert (found, document["as_of"]) == (expected, day(as_of))
    assert ages(repository, "--as-of", "2999-01-01") == document


def test_the_calendar_is_the_authors(repository: GitRepository) -> None:
    repository.write(FILE, memory("A"))
    repository.commit(date="2025-01-01T23:30:00 -0800")
    repository.write(FILE, memory("A", "B"))
    repository.commit(date="2025-01-02T00:30:00 +1400")
    document = ages(repository)
    assert added(document) == {"A": "2025-01-01", "B": "2025-01-02"}
    assert active_days(document) == {"A": 1, "B": 0}


@pytest.mark.parametrize("ahead", [2, 4000])
def test_a_skewed_clock_at_head_is_left_out_and_reported(
    repository: GitRepository, ahead: int
) -> None:
    keep(repository, 0, memory("A", "B"))
    removing = keep(repository, 1, memory("A"))
    repository.commit(date=day(2))
    honest = ages(repository)
    later = datetime.now(UTC) + timedelta(days=ahead)
    repository.commit(date=later.strftime("%Y-%m-%dT12:00:00 +0000"))
    skewed = ages(repository)
    assert skewed["history"]["skewed_commits"] == 1
    assert skewed["as_of"] == honest["as_of"] == day(2)
    assert active_days(skewed) == active_days(honest) == {"A": 2}
    assert consolidation(skewed) == (removing, 1)
    assert any("later than tomorrow" in note for note in skewed["history"]["notes"])
    assert "tomorrow" in run(repository, "ages", FILE).out


def test_what_a_clock_ahead_removed_counts_once_its_day_has_come(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    first = keep(repository, 1, memory("A", "B"))
    ahead = keep(repository, 30, memory("A"))
    found = []
    for tomorrow in (29, 29, 30):  # the second answer is a stored one
        query = HistoryQuery(repository.path / FILE, repository.path, day(tomorrow), min_removed=1)
        with open_history(query) as history:
            last = last_consolidation(history)
        found.append(last and last.commit)
    assert found == [first, first, ahead]


@pytest.mark.parametrize("moment", ["00:00:00", "11:59:59", "23:59:59"])
def test_the_time_of_day_changes_nothing(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    keep(repository, 0, memory("A", "B"))
    removing = keep(repository, 8, memory("A"))
    repository.commit(date=f"{day(9)}T18:00:00 +0000")
    repository.commit(date=f"{day(10)}T04:00:00 +1400")
    repository.commit(date=f"{day(11)}T01:00:00 +1400")
    now = datetime.fromisoformat(f"{day(9)}T{moment}+00:00").timestamp()
    monkeypatch.setattr("time.time", lambda: now)
    monkeypatch.setenv("GIT_TEST_DATE_NOW", str(int(now)))
    document = ages(repository)
    assert active_days(document) == {"A": 3}
    assert consolidation(document) == (removing, 1)
    assert document["last_consolidation"]["active_days"] == 2
    assert (document["as_of"], document["history"]["skewed_commits"]) == (day(10), 1)


def test_a_commit_from_before_the_epoch_of_git(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.commit(date="@0 +0000")
    document = ages(repository)
    assert active_days(document) == {"A": 0}
    assert document["history"]["active_days"] == 2


def test_a_skewed_clock_takes_out_and_adds_nothing(repository: GitRepository) -> None:
    days = tell(repository, "0 ABC; 1 AB")
    later = (datetime.now(UTC) + timedelta(days=9)).strftime("%Y-%m-%dT12:00:00 +0000")
    repository.write(FILE, memory("B", "D"))
    repository.commit(date=later)
    days |= tell(repository, "3 .")
    for _ in ("cold", "warm"):
        document = ages(repository)
        assert document["history"]["skewed_commits"] == 1
        assert consolidation(document) == (next(c for c in days if days[c] == "1"), 1)
        assert active_days(document) == {"B": 2, "D": 0}


@pytest.fixture
def pull_request(repository: GitRepository) -> tuple[GitRepository, str, str]:
    """A repository with an open pull request, HEAD detached at its base; the base, and its head."""
    tell(repository, "0 A; 1 work: AB; 2 main: .")
    repository.git("checkout", "--quiet", "--detach")
    return repository, repository.head(), repository.head("work")


def test_a_pull_request_merge_adds_no_day_at_head_alone(
    pull_request: tuple[GitRepository, str, str],
) -> None:
    repository, base, head = pull_request
    repository.merge(head, date=day(9), message=f"Merge {head} into {base}")
    for _ in ("cold", "warm"):
        document = ages(repository)
        assert (document["as_of"], document["history"]["active_days"]) == (day(2), 3)
        assert active_days(document) == {"A": 2, "B": 1}
        assert any("made by a server" in note for note in document["history"]["notes"])
    repository.commit(date=day(10))
    document = ages(repository)
    assert (document["history"]["active_days"], document["history"]["notes"]) == (5, [])


@pytest.mark.parametrize(
    "ref",
    [
        "refs/pull/12/merge",
        "refs/remotes/origin/pull/12/merge",
        "refs/remotes/origin/gh-readonly-queue/main/pr-12-0123456",
        "refs/merge-requests/12/merge",
    ],
)
@pytest.mark.parametrize("real", ["refs/heads/main", "refs/remotes/origin/main", "refs/tags/v1"])
def test_a_merge_under_a_servers_ref_alone_adds_no_day(
    pull_request: tuple[GitRepository, str, str], ref: str, real: str
) -> None:
    repository, _, head = pull_request
    merge = repository.merge(head, date=day(9), message="Merge pull request #12 from x/work")
    assert ages(repository)["as_of"] == day(9)
    repository.git("update-ref", ref, merge)
    assert ages(repository)["as_of"] == day(2)
    repository.git("update-ref", real, merge)
    assert (ages(repository)["as_of"], ages(repository)["history"]["notes"]) == (day(9), [])


@pytest.mark.parametrize(
    "pattern", ["dependabot[bot]", "49699333+dependabot[bot]@users.noreply.x", "DependaBot*"]
)
def test_authors_that_are_left_out_make_no_day(repository: GitRepository, pattern: str) -> None:
    bot = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.x>"
    keep(repository, 0, memory("A"))
    for number in (1, 2, 3):
        repository.commit(date=day(number), author=bot)
    repository.commit(date=day(2))
    assert active_days(ages(repository)) == {"A": 3}
    configure(repository, ignore_authors=("[bot]", "b", "o"))  # no sets of letters, no parts
    assert active_days(ages(repository)) == {"A": 3}
    configure(repository, ignore_authors=(pattern,))
    document = ages(repository)
    assert active_days(document) == {"A": 1}
    assert document["as_of"] == day(2)
    assert any(pattern in note for note in document["history"]["notes"])
    assert pattern in run(repository, "ages", FILE).out


@pytest.mark.parametrize("number", [-1, 2])
def test_as_of_before_the_file_existed(repository: GitRepository, number: int) -> None:
    repository.commit(date=day(0))
    live(repository, 1, 3)
    repository.checkout("main")
    keep(repository, 4, memory("A", "B", "C", lines=200))
    document = ages(repository, "--as-of", day(number))
    assert document["entries"] == []
    assert document["as_of"] == (None if number < 0 else day(number))
    assert document["last_consolidation"] is None
    assert run(repository, "ages", FILE, "--summary", "--as-of", day(number)).code == 0
    assert due(repository, "--as-of", day(number))["batch"] == []
    assert run(repository, "batch", FILE, "--as-of", day(number)).code == 0


def test_as_of_is_the_evening_of_that_day(repository: GitRepository) -> None:
    story = "0 o.md A; 2 o.md>learnings.md AB; 4 BC; 6 BCD; 8 BCDE; 10 CDEF; 11..13; now G"
    days = tell(repository, story)
    for commit, number in list(days.items())[2:6]:
        then = ages(repository, "--at", str(commit))
        for later in (0, 1):
            evening = ("--as-of", day(int(number) + later))
            assert ages(repository, "--at", str(commit), *evening) == then
    first = next(commit for commit in days if days[commit] == "0")
    assert active_days(ages(repository, "--at", str(first), file="o.md")) == {"A": 0}
    # At HEAD, only entries that are still there count, and nothing that came later.
    assert active_days(ages(repository)) == {"G": 0}
    repository.git("checkout", "--quiet", FILE)
    document = ages(repository, "--as-of", day(6))
    assert told(document, days) == "C4 D6 | 4:1"
    assert active_days(document) == {"C": 1, "D": 0}
    assert (document["as_of"], document["history"]["active_days"]) == (day(6), 4)
