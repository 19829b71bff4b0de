"""Entries followed back where it is easy to lose them, each case in a repository of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.core.due.history_facts import Transfers
from learnings.core.errors import UntrustedHistory
from learnings.history.change_dates import transfers
from learnings.history.file_history import HistoryQuery, open_history
from tests.history.memory import FILE, added, ages, body, day, keep, memory
from tests.support.repository import GitRepository


def test_an_entry_that_an_open_fence_hid(repository: GitRepository) -> None:
    text = memory("A", "B")
    keep(repository, 0, text)
    keep(repository, 1, text.replace("## A\n", "## A\n\n```\n"))
    keep(repository, 2, text.replace("## A\n", "## A\n\n```\n").replace("## B", "```\n\n## B"))
    assert added(ages(repository)) == {"A": day(0), "B": day(0)}


def test_a_heading_that_a_body_shows_is_no_older_entry(repository: GitRepository) -> None:
    shown = "```\n## B\n```"
    keep(repository, 0, memory("A", A=shown))
    keep(repository, 1, memory("A", "B", A=shown))
    assert added(ages(repository)) == {"A": day(0), "B": day(1)}


def test_which_of_two_entries_with_one_heading_is_left(repository: GitRepository) -> None:
    first, second = f"## A\n\n{body('one')}\n\n", f"## A\n\n{body('two')}\n\n"
    keep(repository, 0, f"# L\n\n{first}")
    keep(repository, 1, f"# L\n\n{first}{second}")
    keep(repository, 2, f"# L\n\n{second}")
    assert added(ages(repository)) == {"A": day(1)}
    keep(repository, 3, f"# L\n\n## A\n\nNew words on top.\n\n{second}")
    assert [entry["added"] for entry in ages(repository)["entries"]] == [day(3), day(1)]


def test_another_dialect_on_the_way(repository: GitRepository) -> None:
    plain = f"# L\n\n## [2025-01-01-100000] A\n\n{body('A')}\n\n"
    keep(repository, 0, plain + "".join(f"## Topic {n}\n\n{body(f't{n}')}\n\n" for n in range(3)))
    keep(repository, 1, f"{plain}## [2025-01-02-100000] B\n\n{body('B')}\n")
    assert added(ages(repository)) == {"A": day(0), "B": day(1)}


def test_another_level_of_headings(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    groups = memory("A", "B").replace("## ", "### ").replace("---\n\n", "---\n\n## Builds\n\n")
    keep(repository, 1, groups)
    assert added(ages(repository)) == {"A": day(0), "B": day(0)}


def test_what_a_listed_commit_rewrote_is_paired_by_title_and_order(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory("How to cache", A="x"))
    keep(repository, 1, memory("How to cache", "When it breaks"))
    rewritten = "# L\n\n## When something breaks\n\np q\n\n## Caching\n\nr s\n"
    listed = keep(repository, 2, rewritten)
    assert set(added(ages(repository)).values()) == {day(2)}
    repository.write(".git-blame-ignore-revs", f"{listed}\n")
    repository.commit(date=day(3))
    expected = {"When something breaks": day(1), "Caching": day(0)}
    assert added(ages(repository)) == expected


def test_histories_that_have_no_commit_in_common(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C", "D"))
    repository.git("checkout", "--quiet", "--orphan", "other")
    keep(repository, 1, memory("X", "Y", "A"))
    repository.checkout("main")
    joined = memory("A", "B", "C", "D", "X", "Y")
    repository.git("merge", "--quiet", "--allow-unrelated-histories", "-s", "ours", "other")
    repository.write(FILE, joined)
    repository.git("add", FILE)
    stamp = f"{day(2)}T12:00:00Z"
    repository.git("commit", "--amend", "--no-edit", "-q", f"--date={stamp}")
    document = ages(repository)
    assert added(document) == {t: day(0) for t in "ABCD"} | {"X": day(1), "Y": day(1)}
    assert document["last_consolidation"] is None


CACHE, DEPLOY = "docs/cache.md", "docs/dé ploy.md"


def transfers_of(repository: GitRepository, *paths: str, file: str = FILE) -> Transfers:
    query = HistoryQuery(repository.path / file, repository.path, "2027-01-01")
    with open_history(query) as history:
        return transfers(history, [repository.path / path for path in paths])


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """Two entries came, one left for the cache file, which grew once more by itself."""
    repository = GitRepository(tmp_path / "r")
    repository.write(FILE, memory("Cache key", "Deploy time", "Third"))
    repository.write(CACHE, "# Cache\n\nold line\nold line\n")
    repository.write(DEPLOY, "# Deploy\n")
    repository.commit(date="2026-01-01")
    repository.write(FILE, memory("Deploy time", "Third"))
    repository.write(CACHE, "# Cache\n\n## Cache key\n\nold line\nold line\nold line\n")
    repository.commit(date="2026-01-05")
    repository.write(DEPLOY, "# Deploy\n\nunrelated\n")
    repository.commit(date="2026-01-07")
    return repository


def test_a_delivery_is_the_entries_that_left_and_the_lines_that_came(
    repository: GitRepository,
) -> None:
    result = transfers_of(repository, CACHE, DEPLOY)
    (transfer,) = result.transfers
    assert transfer.date == "2026-01-05"
    assert transfer.commit == repository.head("HEAD~1")
    assert [entry.title for entry in transfer.entries] == ["Cache key"]
    assert transfer.added == {CACHE: ("## Cache key\n", "\n", "old line\n")}


def test_each_target_has_the_date_of_its_last_commit(repository: GitRepository) -> None:
    dates = {DEPLOY: "2026-01-07", CACHE: "2026-01-05"}
    assert transfers_of(repository, CACHE, DEPLOY).last_commits == dates
    repository.write(CACHE, "# Cache\n")  # fewer lines are a change as well
    repository.commit(date="2026-01-09")
    assert transfers_of(repository, CACHE).last_commits == {CACHE: "2026-01-09"}


def test_a_target_that_is_new_or_ignored_or_elsewhere_has_no_past(
    repository: GitRepository, tmp_path: Path
) -> None:
    repository.write("docs/new.md", "# New\n")
    other = GitRepository(tmp_path / "other")
    path = other.write("a.md", "# A\n")
    other.commit()
    assert transfers_of(repository, "docs/new.md").last_commits == {}
    assert transfers_of(repository, str(path)) == Transfers()
    assert transfers_of(repository) == Transfers()


def test_a_consolidation_on_a_branch_counts_once(repository: GitRepository) -> None:
    repository.branch("side", "HEAD")
    repository.write(FILE, memory("Third"))
    repository.write(DEPLOY, "# Deploy\n\nunrelated\n\n## Deploy time\n")
    removing = repository.commit(date="2026-01-08")
    repository.checkout("main")
    repository.write(CACHE, "# Cache\n")
    repository.commit(date="2026-01-09")
    repository.merge("side", date="2026-01-10")
    result = transfers_of(repository, CACHE, DEPLOY)
    assert [transfer.commit for transfer in result.transfers] == [
        removing,
        repository.head("HEAD~1~2"),
    ]
    assert result.transfers[0].added == {DEPLOY: ("\n", "## Deploy time\n")}


def test_without_a_repository_there_is_no_history(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("## a\n", encoding="utf-8")
    query = HistoryQuery(tmp_path / FILE, tmp_path, "2027-01-01")
    with pytest.raises(UntrustedHistory), open_history(query) as history:
        transfers(history, [tmp_path / "a.md"])
