"""The base of a diff: where a branch left another one, and what it has changed since."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.core.errors import UntrustedHistory
from learnings.history.git.merges import find_diff_base
from tests.support.repository import GitRepository


@pytest.fixture
def forked(repository: GitRepository) -> GitRepository:
    """Return a repository on a branch; the main one has moved on since."""
    repository.write("a.md", "one\n")
    repository.write("gone.md", "x\n")
    repository.write("same.md", "x\n")
    repository.commit()
    repository.branch("feature")
    repository.write("a.md", "two\n")
    repository.write("dir/ü new.md", "x\n")
    (repository.path / "gone.md").unlink()
    repository.commit()
    repository.checkout("main")
    repository.write("same.md", "changed on main\n")
    repository.commit()
    repository.checkout("feature")
    return repository


def test_only_the_changes_of_the_branch_count(forked: GitRepository) -> None:
    base = find_diff_base(forked.path / "dir", "main")
    assert base
    assert base.commit == forked.head("main~1")
    assert sorted(base.paths) == ["a.md", "dir/ü new.md"]
    assert base.content("a.md") == b"one\n"
    assert base.content("dir/ü new.md") is None


def test_what_is_not_committed_counts(forked: GitRepository) -> None:
    forked.write("same.md", "mine\n")
    base = find_diff_base(forked.path, "main")
    assert base
    assert "same.md" in base.paths


def test_a_merge_that_a_server_made_is_compared_with_its_base(forked: GitRepository) -> None:
    forked.git("checkout", "--quiet", "--detach", "main")
    forked.merge("feature")
    base = find_diff_base(forked.path, forked.head("main"))
    assert base
    assert sorted(base.paths) == ["a.md", "dir/ü new.md"]


@pytest.mark.parametrize("base", ["", "nowhere", "0" * 40, "--all"])
def test_a_base_that_is_not_here(forked: GitRepository, base: str) -> None:
    assert find_diff_base(forked.path, base) is None


def test_no_repository(tmp_path: Path) -> None:
    assert find_diff_base(tmp_path, "main") is None


def test_a_history_that_cannot_be_read_is_no_missing_base(forked: GitRepository) -> None:
    middle = forked.head()
    forked.commit("Empty")
    (forked.path / ".git" / "objects" / middle[:2] / middle[2:]).unlink()
    with pytest.raises(UntrustedHistory, match=middle):
        find_diff_base(forked.path, "main")


def test_histories_that_are_not_related_have_no_base(forked: GitRepository) -> None:
    forked.git("checkout", "--quiet", "--orphan", "other")
    forked.commit()
    assert find_diff_base(forked.path, "main") is None
