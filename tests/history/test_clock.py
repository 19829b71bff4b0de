"""Which days count: author dates in the author's zone, merges, skewed clocks, left-out authors."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta

import pytest

from tests.history.memory import (
    FILE,
    Json,
    active_days,
    added,
    ages,
    configure,
    consolidation,
    count_every_removal,
    day,
    due,
    keep,
    live,
    memory,
    run,
)
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow


@pytest.fixture(name="repository")
def every_removal_counts(repository: GitRepository) -> GitRepository:
    """Return a repository in which one removed entry makes a consolidation."""
    return count_every_removal(repository)


def test_a_day_with_many_commits_is_one_day_and_days_without_are_none(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory("A"))
    for number in (5, 5, 5, 40):
        repository.commit(date=day(number))
    keep(repository, 40, memory("A", "B"))
    document = ages(repository)
    assert active_days(document) == {"A": 2, "B": 0}
    assert document["as_of"] == day(40)
    assert document["history"]["active_days"] == 3


def test_the_calendar_is_the_authors(repository: GitRepository) -> None:
    repository.write(FILE, memory("A"))
    repository.commit(date="2025-01-01T23:30:00 -0800")
    repository.write(FILE, memory("A", "B"))
    repository.commit(date="2025-01-02T00:30:00 +1400")
    document = ages(repository)
    assert added(document) == {"A": "2025-01-01", "B": "2025-01-02"}
    assert active_days(document) == {"A": 1, "B": 0}


def test_a_zone_of_half_an_hour_west_of_greenwich(repository: GitRepository) -> None:
    repository.write(FILE, memory("A"))
    repository.commit(date="2025-01-01T20:45:00 -0330")
    assert added(ages(repository)) == {"A": "2025-01-01"}


def test_a_rebased_commit_is_as_old_as_its_author_says(repository: GitRepository) -> None:
    repository.write(FILE, memory("A", "B"))
    repository.commit(date=day(0), committer_date=day(50))
    repository.write(FILE, memory("A"))
    repository.commit(date=day(3), committer_date=day(51))
    repository.commit(date=day(4), committer_date=day(51))
    document = ages(repository)
    assert added(document) == {"A": day(0)}
    assert active_days(document) == {"A": 2}
    assert document["as_of"] == day(4)
    assert document["last_consolidation"]["date"] == day(3)
    assert document["last_consolidation"]["active_days"] == 1


def test_author_dates_that_go_back_and_forth(repository: GitRepository) -> None:
    for number, titles in ((30, "A"), (10, "AB"), (20, "ABC")):
        keep(repository, number, memory(*titles))
    document = ages(repository)
    assert active_days(document) == {"A": 0, "B": 2, "C": 1}
    assert document["as_of"] == day(30)


def test_a_day_on_a_branch_counts_once_it_is_merged(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.branch("work")
    repository.commit(date=day(1))
    repository.checkout("main")
    repository.commit(date=day(2))
    assert active_days(ages(repository)) == {"A": 1}
    repository.merge("work", date=day(5))
    document = ages(repository)
    assert active_days(document) == {"A": 3}
    assert document["as_of"] == day(5)


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


def test_tomorrow_is_no_skew(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.commit(date=datetime.now(UTC).strftime("%Y-%m-%dT12:00:00 +0000"))
    document = ages(repository)
    assert document["history"]["skewed_commits"] == 0
    assert active_days(document) == {"A": 1}


def test_a_skewed_clock_takes_out_and_adds_nothing(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    removing = keep(repository, 1, memory("A", "B"))
    later = (datetime.now(UTC) + timedelta(days=9)).strftime("%Y-%m-%dT12:00:00 +0000")
    repository.write(FILE, memory("B", "D"))
    repository.commit(date=later)
    repository.commit(date=day(3))
    for _ in ("cold", "warm"):
        document = ages(repository)
        assert document["history"]["skewed_commits"] == 1
        assert consolidation(document) == (removing, 1)
        assert active_days(document) == {"B": 2, "D": 0}


def test_a_commit_from_before_the_epoch_of_git(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.commit(date="@0 +0000")
    document = ages(repository)
    assert active_days(document) == {"A": 0}
    assert document["history"]["active_days"] == 2


@pytest.fixture
def pull_request(repository: GitRepository) -> tuple[GitRepository, str, str]:
    """A repository with an open pull request; its base and head."""
    keep(repository, 0, memory("A"))
    repository.branch("work")
    head = keep(repository, 1, memory("A", "B"))
    repository.checkout("main")
    base = repository.commit(date=day(2))
    return repository, base, head


def test_a_pull_request_merge_at_head_adds_no_day(
    pull_request: tuple[GitRepository, str, str],
) -> None:
    repository, base, head = pull_request
    repository.git("checkout", "--quiet", "--detach")
    repository.merge(head, date=day(9), message=f"Merge {head} into {base}")
    for _ in ("cold", "warm"):
        document = ages(repository)
        assert document["as_of"] == day(2)
        assert active_days(document) == {"A": 2, "B": 1}
        assert document["history"]["active_days"] == 3
        assert any("made by a server" in note for note in document["history"]["notes"])


@pytest.mark.parametrize(
    "ref",
    [
        "refs/pull/12/merge",
        "refs/remotes/pull/12/merge",
        "refs/remotes/origin/pull/12/merge",
        "refs/heads/gh-readonly-queue/main/pr-12-0123456",
        "refs/remotes/origin/gh-readonly-queue/main/pr-12-0123456",
        "refs/merge-requests/12/merge",
    ],
)
def test_a_merge_under_a_servers_ref_adds_no_day(
    pull_request: tuple[GitRepository, str, str], ref: str
) -> None:
    repository, _, head = pull_request
    repository.git("checkout", "--quiet", "--detach")
    merge = repository.merge(head, date=day(9), message="Merge pull request #12 from x/work")
    assert ages(repository)["as_of"] == day(9)
    repository.git("update-ref", ref, merge)
    assert ages(repository)["as_of"] == day(2)


@pytest.mark.parametrize(
    "real", ["refs/heads/main", "refs/remotes/origin/main", "refs/tags/v1", "refs/heads/pull/x"]
)
def test_a_ref_left_over_from_a_merge_queue_takes_no_day_from_a_branch(
    pull_request: tuple[GitRepository, str, str], real: str
) -> None:
    repository, _, head = pull_request
    repository.git("checkout", "--quiet", "--detach")
    merge = repository.merge(head, date=day(9), message="Merge pull request #12 from x/work")
    queue = "gh-readonly-queue/main/pr-12-0123456"
    repository.git("update-ref", f"refs/remotes/origin/{queue}", merge)
    repository.git("update-ref", "refs/pull/12/head", merge)
    assert ages(repository)["as_of"] == day(2)
    repository.git("update-ref", real, merge)
    assert ages(repository)["as_of"] == day(9)
    assert ages(repository)["history"]["notes"] == []


def test_a_merge_that_people_made_adds_its_day(
    pull_request: tuple[GitRepository, str, str],
) -> None:
    repository, base, head = pull_request
    repository.merge(head, date=day(9), message=f"Merge {base} into {head}")
    assert ages(repository)["as_of"] == day(9)
    repository.commit(date=day(10))
    document = ages(repository)
    assert document["history"]["active_days"] == 5
    assert document["history"]["notes"] == []


def test_a_pull_request_merge_below_head_adds_its_day(
    pull_request: tuple[GitRepository, str, str],
) -> None:
    repository, base, head = pull_request
    repository.merge(head, date=day(9), message=f"Merge {head} into {base}")
    repository.commit(date=day(10))
    assert ages(repository)["history"]["active_days"] == 5


@pytest.mark.parametrize(
    "pattern",
    ["dependabot[bot]", "49699333+dependabot[bot]@users.noreply.x", "DependaBot*"],
)
def test_authors_that_are_left_out_make_no_day(repository: GitRepository, pattern: str) -> None:
    keep(repository, 0, memory("A"))
    bot = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.x>"
    for number in (1, 2, 3):
        repository.commit(date=day(number), author=bot)
    repository.commit(date=day(2))
    assert active_days(ages(repository)) == {"A": 3}
    configure(repository, ignore_authors=(pattern,))
    document = ages(repository)
    assert active_days(document) == {"A": 1}
    assert document["as_of"] == day(2)
    assert any(pattern in note for note in document["history"]["notes"])
    assert pattern in run(repository, "ages", FILE).out


def test_a_bracket_in_a_pattern_is_no_set_of_letters(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.commit(date=day(1), author="bot <o@x>")
    configure(repository, ignore_authors=("[bot]", "b", "o"))
    assert active_days(ages(repository)) == {"A": 1}


def test_an_entry_of_a_left_out_author_still_has_its_day(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.write(FILE, memory("A", "B"))
    repository.commit(date=day(1), author="bot <o@x>")
    repository.commit(date=day(2))
    configure(repository, ignore_authors=("bot",))
    document = ages(repository)
    assert added(document) == {"A": day(0), "B": day(1)}
    assert active_days(document) == {"A": 1, "B": 1}


def test_as_of_is_the_evening_of_that_day(repository: GitRepository) -> None:
    evenings: dict[int, str] = {}
    for number, titles in enumerate(["A", "AB", "BC", "BCD", "BCDE", "CDEF"]):
        evenings[2 * number] = keep(repository, 2 * number, memory(*titles))
    for number, commit in evenings.items():
        then = ages(repository, "--at", commit)
        as_of_day = ages(repository, "--at", commit, "--as-of", day(number))
        assert then == as_of_day
        assert ages(repository, "--at", commit, "--as-of", day(number + 1)) == as_of_day


def test_at_a_commit_whose_folder_is_gone(repository: GitRepository) -> None:
    then = keep(repository, 0, memory("A"), file="old/folder/learnings.md")
    repository.rename("old/folder/learnings.md", FILE)
    repository.commit(date=day(1))
    shutil.rmtree(repository.path / "old", ignore_errors=True)
    for number in (0, 1):
        options = ("--at", then, "--as-of", day(number))
        assert active_days(ages(repository, *options, file="old/folder/learnings.md")) == {"A": 0}


def test_as_of_leaves_out_what_came_later(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "X", "Y"))
    first = keep(repository, 2, memory("A", "B", "Y"))
    evening = keep(repository, 4, memory("A", "B", "Y", "C"))
    keep(repository, 6, memory("A", "B", "C", "D"))
    live(repository, 7, 9)
    then, as_of_day = ages(repository, "--at", evening), ages(repository, "--as-of", day(4))
    assert consolidation(as_of_day) == consolidation(then) == (first, 1)
    assert as_of_day["as_of"] == then["as_of"] == day(4)
    assert as_of_day["history"]["active_days"] == then["history"]["active_days"] == 3
    here = {title: age for title, age in active_days(then).items() if title != "Y"}
    assert active_days(as_of_day) == here == {"A": 2, "B": 2, "C": 0}


def test_as_of_ignores_what_is_not_committed(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    live(repository, 1, 3)
    repository.write(FILE, memory("A", "B"))
    assert active_days(ages(repository)) == {"A": 3, "B": 0}
    assert active_days(ages(repository, "--as-of", day(2))) == {"A": 2}


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


def test_as_of_after_today_is_today(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    live(repository, 1, 3)
    now: Json = ages(repository)
    assert ages(repository, "--as-of", "2999-01-01") == now
