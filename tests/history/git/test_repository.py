"""What a repository says of itself."""

from __future__ import annotations

from pathlib import Path

from learnings.history.git.repository import current_branch
from tests.support.repository import GitRepository


def test_the_branch_that_is_checked_out(repository: GitRepository) -> None:
    repository.write("dir/a.md", "x\n")
    repository.commit()
    repository.branch("feature")
    assert current_branch(repository.path / "dir") == "feature"
    repository.git("checkout", "--quiet", "--detach")
    assert current_branch(repository.path) == ""


def test_no_repository_has_no_branch(tmp_path: Path) -> None:
    assert current_branch(tmp_path) == ""
