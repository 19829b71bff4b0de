"""What target files were given when entries left a memory file."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.core.due.history_facts import Transfers
from learnings.core.errors import UntrustedHistory
from learnings.history.change_dates import transfers
from learnings.history.file_history import HistoryQuery, open_history
from tests.history.memory import FILE, memory
from tests.support.repository import GitRepository

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
