"""What a branch has changed since it left another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.history.git.diff_base import find_diff_base
from learnings.history.git.repository import current_branch
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
    found = find_diff_base(forked.path / "dir", "main")
    assert found
    assert found.commit == forked.head("main~1")
    assert sorted(found.paths) == ["a.md", "dir/ü new.md"]
    assert found.content("a.md") == b"one\n"
    assert found.content("dir/ü new.md") is None


def test_what_is_not_committed_counts(forked: GitRepository) -> None:
    forked.write("same.md", "mine\n")
    found = find_diff_base(forked.path, "main")
    assert found
    assert "same.md" in found.paths


def test_a_merge_that_a_server_made_is_held_against_its_base(forked: GitRepository) -> None:
    forked.git("checkout", "--quiet", "--detach", "main")
    forked.merge("feature")
    found = find_diff_base(forked.path, forked.head("main"))
    assert found
    assert sorted(found.paths) == ["a.md", "dir/ü new.md"]


@pytest.mark.parametrize("base", ["", "nowhere", "0" * 40, "--all"])
def test_a_base_that_is_not_here(forked: GitRepository, base: str) -> None:
    assert find_diff_base(forked.path, base) is None


def test_no_repository(tmp_path: Path) -> None:
    assert find_diff_base(tmp_path, "main") is None
    assert current_branch(tmp_path) == ""


def test_the_branch_that_is_checked_out(forked: GitRepository) -> None:
    assert current_branch(forked.path / "dir") == "feature"
    forked.git("checkout", "--quiet", "--detach")
    assert current_branch(forked.path) == ""
