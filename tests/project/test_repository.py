"""The builder of repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repository import GitError, GitRepository


def log(repository: GitRepository, form: str, *more: str) -> list[str]:
    return repository.git("log", f"--format={form}", *more).splitlines()


def test_commit_has_the_dates_and_the_people_asked_for(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Traps for the product, which do not catch the builder.
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_AUTHOR_DATE", "yesterday")
    repository.write("deep/file", "text\n")
    sha = repository.commit(
        "First", date="2026-03-01T23:30:00 -0800", committer_date="2026-04-01", author="B <b@x.y>"
    )
    assert log(repository, "%H|%ai|%ci|%an|%cn|%s") == [
        f"{sha}|2026-03-01 23:30:00 -0800|2026-04-01 12:00:00 +0000|B|Ada Tester|First"
    ]
    assert repository.git("status", "--porcelain") == ""


def test_commit_of_what_is_staged_only(repository: GitRepository) -> None:
    repository.write("staged", b"\xff\r\n")
    repository.write("deep/b", "more")
    repository.git("add", "staged", "deep/b")
    repository.write("left", "")
    repository.commit(all=False)
    assert repository.git("ls-files").split() == ["deep/b", "staged"]
    assert repository.read("staged") == b"\xff\r\n"
    repository.rename("staged", "other/c")
    repository.remove("deep/b")
    repository.commit(all=False)
    assert repository.git("ls-files") == "other/c"


def test_clean_merge_has_two_parents(repository: GitRepository) -> None:
    repository.write("a", "1")
    repository.commit()
    repository.branch("side")
    repository.write("b", "1")
    side = repository.commit()
    repository.checkout("main")
    assert repository.merge("side", no_ff=False) == side
    repository.git("reset", "--quiet", "--hard", "HEAD~1")
    repository.write("c", "1")
    main = repository.commit()
    merge = repository.merge("side", date="2026-03-09", resolve={"a": "evil", "c": None})
    assert log(repository, "%H %P %as", "-1") == [f"{merge} {main} {side} 2026-03-09"]
    assert repository.git("ls-files").split() == ["a", "b"]
    assert repository.git("show", "HEAD:a") == "evil"
    with pytest.raises(GitError, match="MERGE_HEAD"):
        repository.merge("side")
    with pytest.raises(GitError, match="nobody"):
        repository.merge("nobody")


def test_conflict_is_resolved_or_an_error(repository: GitRepository) -> None:
    repository.write("a", "base\n")
    repository.commit()
    repository.branch("side")
    for branch in ("side", "main"):
        repository.checkout(branch)
        repository.write("a", f"{branch}\n")
        repository.commit()
    with pytest.raises(GitError):
        repository.merge("side")
    repository.git("merge", "--abort")
    repository.merge("side", resolve={"a": "both\n"})
    assert repository.git("show", "HEAD:a") == "both"


def test_clones_and_worktrees(repository: GitRepository, tmp_path: Path) -> None:
    repository.commit()
    repository.commit()
    assert len(log(repository.clone(), "%H")) == 2
    shallow = repository.clone(depth=1)
    assert len(log(shallow, "%H")) == 1
    assert shallow.git("rev-parse", "--is-shallow-repository") == "true"
    linked = repository.worktree(tmp_path / "linked", branch="other")
    assert linked.git("rev-parse", "--abbrev-ref", "HEAD") == "other"
    assert (linked.path / ".git").is_file()
    assert repository.worktree(tmp_path / "detached").head() == repository.head()
