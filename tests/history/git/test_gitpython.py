"""Staging, a file as a commit had it, and a commit on another branch."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from learnings.core.errors import UntrustedHistory, UsageProblem
from learnings.history.git.gitpython import (
    BranchCommit,
    NotCommitted,
    OlderFile,
    commit_to_branch,
    content_at_head,
    file_at,
    stage,
)
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
TASKS = BranchCommit("sub/tasks list.md", b"two\n", "tasks", "Say what is due")


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, "# L\r\n\xff")
    repository.commit()
    return repository


def staged(repository: GitRepository) -> list[str]:
    return repository.git("diff", "--cached", "--name-only").split()


def content_at_branch(repository: GitRepository) -> bytes:
    printed = repository.git("cat-file", "--batch", stdin=f"tasks:{TASKS.path}\n".encode())
    return os.fsencode(printed.partition("\n")[2])


def test_files_are_staged_as_git_add_does(memory: GitRepository) -> None:
    memory.write(".gitattributes", "*.md text=auto\n")
    memory.write("agents/a [1]*.md", "x\r\ny\r\n")
    memory.write("agents/a 1x.md", "not this one\n")
    memory.write(FILE, "new\n")
    stage(memory.path / "agents", ["a [1]*.md", "learnings.md"])
    names = memory.git("diff", "--cached", "--name-only", "-z").split("\0")
    assert names == ["agents/a [1]*.md", FILE, ""]
    assert memory.git("cat-file", "blob", ":agents/a [1]*.md") == "x\ny"


def test_staging_works_without_a_commit_and_keeps_what_is_staged(repository: GitRepository) -> None:
    for name in ("one", "two"):
        repository.write(name, name)
        stage(repository.path, [name])
    assert repository.git("ls-files").split() == ["one", "two"]


def test_files_outside_of_a_sparse_checkout_are_staged_with_the_others(
    memory: GitRepository,
) -> None:
    memory.git("sparse-checkout", "set", "--no-cone", "/agents/*", "!/agents/archive")
    memory.write(FILE, "less\n")
    memory.write("agents/archive/a.md", "what left\n")
    stage(memory.path, [FILE, "agents/archive/a.md"])
    assert staged(memory) == ["agents/archive/a.md", FILE]
    memory.commit()
    memory.git("sparse-checkout", "reapply")
    assert stage(memory.path, ["agents/archive/a.md"]) == []


def test_removals_are_staged_too_and_the_result_is_what_git_lists(memory: GitRepository) -> None:
    memory.write("agents/kept.md", "as it was\n")
    memory.commit()
    memory.remove(FILE)
    memory.write("agents/new.md", "new\n")
    paths = ["learnings.md", "never-there.md", "new.md", "kept.md"]
    assert stage(memory.path / "agents", paths) == ["learnings.md", "new.md"]
    assert staged(memory) == [FILE, "agents/new.md"]


def test_an_older_git_stages_without_an_option_that_it_lacks(
    memory: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "tools" / "git"
    old.parent.mkdir()
    real = shutil.which("git")
    is_old = '*" --sparse "*) exit 129;; *" version "*) echo git version 2.33.1; exit;;'
    old.write_text(
        f'#!/bin/sh\ncase " $* " in {is_old} esac\nexec "{real}" "$@"\n', encoding="utf-8"
    )
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(old.parent), prepend=os.pathsep)
    memory.write(FILE, "new\n")
    stage(memory.path, [FILE])
    assert staged(memory) == [FILE]


def test_a_tracked_file_below_an_ignored_folder_is_staged(memory: GitRepository) -> None:
    memory.write(".gitignore", "agents/\n")
    memory.write(FILE, "new\n")
    assert stage(memory.path, [FILE]) == [FILE]


@pytest.mark.parametrize("flag", ["assume-unchanged", "skip-worktree"])
def test_a_file_that_git_does_not_look_at_is_named(memory: GitRepository, flag: str) -> None:
    memory.git("update-index", f"--{flag}", FILE)
    memory.write(FILE, "less\n")
    memory.write("agents/archive/a.md", "what left\n")
    with pytest.raises(UsageProblem, match=f"run git update-index --no-{flag} -- {FILE} and"):
        stage(memory.path, [FILE, "agents/archive/a.md"])


def test_what_git_does_not_stage(memory: GitRepository, tmp_path: Path) -> None:
    memory.write(".gitignore", "archive/\n")
    memory.write("archive/x.md", "x\n")
    with pytest.raises(UsageProblem, match=r"cannot stage them \(.*ignore files: archive\)"):
        stage(memory.path, ["archive/x.md"])
    (tmp_path / "none").mkdir()
    with pytest.raises(UntrustedHistory, match="is not in a git repository"):
        stage(tmp_path / "none", ["x"])


def test_a_file_as_a_commit_has_it(memory: GitRepository) -> None:
    first = memory.head()
    memory.write(FILE, "two\n")
    memory.commit()
    data = "# L\r\n\xff".encode()
    assert file_at(memory.path, "HEAD~1", FILE) == OlderFile(first, FILE, data)
    assert file_at(memory.path / "agents", first[:8], "learnings.md") == OlderFile(
        first, FILE, data
    )
    assert file_at(memory.path, "HEAD", "agents/other.md") is None
    assert file_at(memory.path, "HEAD", "agents") is None


def test_a_file_of_a_repository_with_longer_ids(tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    subprocess.run(
        ["git", "init", "--quiet", "--object-format=sha256"], cwd=tmp_path / "long", check=True
    )
    memory = GitRepository(tmp_path / "long")
    memory.write(FILE, "one\n")
    commit = memory.commit()
    memory.write(FILE, "two\n")
    stage(memory.path, [FILE])
    assert staged(memory) == [FILE]
    assert len(commit) == 64
    assert file_at(memory.path, "HEAD", FILE) == OlderFile(commit, FILE, b"one\n")
    assert file_at(memory.path, "HEAD", "agents") is None
    assert file_at(memory.path, "HEAD", f"{FILE}/x") is None
    assert commit_to_branch(memory.path, TASKS)
    assert not commit_to_branch(memory.path, TASKS)
    assert memory.git("show", f"tasks:{TASKS.path}") == "two"
    assert memory.git("diff", "--name-only", "-z", commit, "tasks") == f"{TASKS.path}\0"
    memory.git("fsck", "--strict")


def test_a_commit_changes_its_file_alone(memory: GitRepository) -> None:
    others = "sub/\udcff b.md", "sub/x y/deep.md", "z"
    for path in others:
        memory.write(path, path)
    (memory.path / "z").chmod(0o755)
    (memory.path / "link").symlink_to("z")
    memory.commit()
    before = memory.git("ls-tree", "-rz", "HEAD")
    for content in (b"one\n", b"\xff no newline"):
        assert commit_to_branch(memory.path, TASKS._replace(content=content))
        rows = memory.git("ls-tree", "-rz", "tasks").split("\0")
        assert [row for row in rows if not row.endswith(TASKS.path)] == before.split("\0")
        assert content_at_branch(memory) == content
    assert content_at_head(memory.path, others[0], limit=99) == b"sub/\xff b.md"
    assert content_at_head(memory.path, TASKS.path, limit=99) is None
    assert content_at_head(memory.path, others[0], limit=3) == bytes(4)
    for path, words in (("link/x.md", "link is a link"), ("sub", "sub is not a regular file")):
        with pytest.raises(NotCommitted, match=words):
            commit_to_branch(memory.path, TASKS._replace(path=path))
    assert memory.git("status", "--porcelain") == ""
    memory.git("fsck", "--strict")


def test_a_branch_that_is_not_ours(memory: GitRepository, tmp_path: Path) -> None:
    commit_to_branch(memory.path, TASKS)
    tree = memory.worktree(tmp_path / "linked")
    tree.checkout("tasks")
    with pytest.raises(NotCommitted, match=r"is checked out in .*linked"):
        commit_to_branch(tree.path, TASKS._replace(content=b"three\n"))
    tree.git("commit", "--amend", "--quiet", "--message=Ours")
    with pytest.raises(NotCommitted, match="somebody else made or changed"):
        commit_to_branch(memory.path, TASKS)
    memory.git("branch", "taken")
    with pytest.raises(NotCommitted, match="because the branch taken exists; rename taken"):
        commit_to_branch(memory.path, TASKS._replace(branch="taken/tasks"))
    (memory.path / ".git/refs/heads/new.lock").touch()
    with pytest.raises(NotCommitted, match=r"cannot write to the branch new \(.*new.lock"):
        commit_to_branch(memory.path, TASKS._replace(branch="new"))


def test_a_disk_that_fails_is_named(memory: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("tempfile.TemporaryFile", fails)
    with pytest.raises(NotCommitted, match=r"the branch tasks \(Input/output error\); fix this"):
        commit_to_branch(memory.path, TASKS)


def test_a_locked_index_is_named_and_stays(memory: GitRepository) -> None:
    memory.write(FILE, "new\n")
    lock = memory.path / ".git/index.lock"
    lock.touch()
    with pytest.raises(UsageProblem, match=r"cannot stage them \(Unable to create .*index\.lock"):
        stage(memory.path, [FILE])
    assert commit_to_branch(memory.path, TASKS), "it needs no index"
    lock.unlink()
    assert stage(memory.path, [FILE]) == [FILE]


def test_paths_with_blanks_and_other_bytes(memory: GitRepository) -> None:
    paths = ["agents/-x.md", "agents/a  b.md", "agents/\udcff.md", ":x.md"]
    for path in paths:
        memory.write(path, f"{path}\n")
    assert stage(memory.path, paths) == paths
    memory.commit()
    for path in paths:
        older = file_at(memory.path, "HEAD", path)
        assert older is not None
        assert older.data == os.fsencode(f"{path}\n")


def test_settings_for_one_command_count(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'user.name=Given'")
    assert commit_to_branch(memory.path, TASKS)
    assert memory.git("log", "-1", "--format=%an", "tasks") == "Given"


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_file_that_was_renamed_since(memory: GitRepository, *, is_committed: bool) -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    memory.write(FILE, text)
    commit = memory.commit()
    memory.rename(FILE, "docs/lessons.md")
    memory.write("docs/lessons.md", text.replace("line 3\n", ""))
    if is_committed:
        memory.commit()
    assert file_at(memory.path, commit, "docs/lessons.md") == OlderFile(commit, FILE, text.encode())


@pytest.mark.parametrize("rev", ["", "-x", "nothing", "HEAD~5", "HEAD:agents", "--output=x"])
def test_what_names_no_commit(memory: GitRepository, rev: str) -> None:
    with pytest.raises(UsageProblem, match="is not a commit in this repository"):
        file_at(memory.path, rev, FILE)


def test_no_working_tree_no_repository_no_object(memory: GitRepository, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    memory.git("clone", "--quiet", "--bare", ".", str(bare))
    for step in (lambda: file_at(bare, "HEAD", FILE), lambda: commit_to_branch(bare, TASKS)):
        with pytest.raises(UntrustedHistory, match="is a bare repository"):
            step()
    with pytest.raises(UntrustedHistory, match="is not a folder"):
        stage(tmp_path / "gone", [FILE])
    with pytest.raises(UntrustedHistory, match="is not in a git repository"):
        file_at(tmp_path, "HEAD", FILE)
    blob = memory.git("rev-parse", f"HEAD:{FILE}")
    (memory.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UntrustedHistory, match="git cannot read this history"):
        file_at(memory.path, "HEAD", FILE)


def test_a_linked_worktree_and_a_shallow_clone(memory: GitRepository, tmp_path: Path) -> None:
    tree = memory.worktree(tmp_path / "linked")
    tree.write(FILE, "linked\n")
    stage(tree.path, [FILE])
    assert (staged(tree), staged(memory)) == ([FILE], [])
    memory.write(FILE, "two\n")
    memory.commit()
    clone = memory.clone(1)
    older = file_at(clone.path, "HEAD", FILE)
    assert older is not None
    assert older.data == b"two\n"


def test_variables_that_git_gives_to_hooks_do_not_count(
    memory: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GitRepository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    before = dict(os.environ)
    memory.write(FILE, "new\n")
    stage(memory.path, [FILE])
    assert file_at(memory.path, "HEAD", FILE) is not None
    assert commit_to_branch(memory.path, TASKS)
    assert memory.head("tasks")
    assert dict(os.environ) == before
    assert staged(memory) == [FILE]


@pytest.mark.skipif(os.name == "nt", reason="a script is no program there")
def test_no_git_of_the_repository_is_run(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = memory.write("git", f"#!{sys.executable}\nopen({str(memory.path / 'ran')!r}, 'w')\n")
    trap.chmod(0o755)
    memory.git("config", "core.fsmonitor", str(trap))
    (memory.path / "ran").unlink(missing_ok=True)
    monkeypatch.chdir(memory.path)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(memory.path), os.environ["PATH"]]))
    monkeypatch.setenv("GIT_PYTHON_GIT_EXECUTABLE", str(trap))
    memory.write(FILE, "new\n")
    stage(memory.path, [FILE])
    assert file_at(memory.path, "HEAD", FILE) is not None
    assert not (memory.path / "ran").exists()


def test_without_git(memory: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UntrustedHistory, match="cannot find git"):
        stage(memory.path, [FILE])
