"""`learnings notify file` in a hostile repository: links, names, branches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitRepository
from tests.surfaces.memory import FILE

BRANCH = "learnings/tasks"
KEY = "-----BEGIN OPENSSH PRIVATE KEY-----"
WAYS: tuple[list[str], ...] = ([], ["--dry-run"], ["--commit"], ["--commit", "--dry-run"])
LINKS = pytest.mark.skipif(os.name == "nt", reason="on Windows, links need a right of their own")


def notify(repository: GitRepository, *words: str) -> Completed:
    return Command("learnings")("notify", "file", *words, cwd=repository.path)


def refusals(repository: GitRepository, *words: str, message: str) -> list[object]:
    """Return the runs, of every kind, that do not refuse with only the message."""
    runs = [notify(repository, *words, *way) for way in WAYS]
    failures: list[object] = [
        run for run in runs if (run.code, run.out) != (2, "") or message not in run.err
    ]
    failures += [run for run in runs if KEY in run.err]
    if repository.git("branch", "--list", BRANCH):
        failures.append("a branch was made")
    return failures


def link(repository: GitRepository, path: str, target: str) -> None:
    (repository.path / path).parent.mkdir(parents=True, exist_ok=True)
    (repository.path / path).symlink_to(target)


@LINKS
@pytest.mark.parametrize("committed", [True, False])
def test_a_link_out_of_the_repository(due: GitRepository, *, committed: bool) -> None:
    home = due.path.parent / "home"
    home.mkdir()
    (home / "key.md").write_text(f"{KEY}\n")
    link(due, "TASKS.md", "../home/key.md")
    link(due, "tasks.md", str(home / "key.md"))
    link(due, "docs", str(home))
    if committed:
        due.commit(date="2026-01-18")
    for path in ("TASKS.md", "tasks.md", "docs/key.md", "docs/new.md"):
        assert refusals(due, path, message=f"{path} leads out of the repository") == []
    assert [(path.name, path.read_text()) for path in home.iterdir()] == [("key.md", f"{KEY}\n")]


@pytest.mark.parametrize("folder", [".git", "GIT~1", "docs/.git", ".git.", ".Git "])
def test_the_folder_of_git_under_any_name(due: GitRepository, folder: str) -> None:
    assert refusals(due, f"{folder}/tasks.md", message="leads into .git") == []
    assert not (due.path / ".git" / "tasks.md").exists()


@LINKS
def test_a_link_into_the_folder_of_git(due: GitRepository) -> None:
    due.git("config", "http.extraHeader", KEY)
    link(due, "TASKS.md", ".git/config")
    before = due.read(".git/config")
    assert refusals(due, message="TASKS.md leads into .git") == []
    assert due.read(".git/config") == before


@LINKS
def test_a_link_to_what_holds_no_tasks(due: GitRepository) -> None:
    due.write("Makefile", "all:\n")
    link(due, "TASKS.md", "Makefile")
    assert refusals(due, message="Makefile is not a Markdown file") == []
    (due.path / "TASKS.md").unlink()
    link(due, "TASKS.md", FILE)
    assert refusals(due, message=f"{FILE} is a memory file") == []


@pytest.mark.slow
@LINKS
def test_a_link_inside_is_followed_on_disk_and_never_replaced_by_a_commit(
    due: GitRepository,
) -> None:
    due.write("docs/tasks.md", "# Ours\n")
    link(due, "TASKS.md", "docs/tasks.md")
    link(due, "notes", "docs")
    due.commit(date="2026-01-18")
    for path, entry in (
        ("TASKS.md", "TASKS.md"),
        ("notes/tasks.md", "notes"),
        ("notes/a.md", "notes"),
    ):
        for way in (["--commit"], ["--commit", "--dry-run"]):
            run = notify(due, path, *way)
            assert (run.code, run.out) == (2, "")
            assert f"{entry} is a link in HEAD" in run.err
    assert due.git("branch", "--list", BRANCH) == ""
    assert notify(due).out == "TASKS.md: updated\n"
    assert (due.path / "TASKS.md").is_symlink()
    assert due.read("docs/tasks.md").startswith(b"# Ours\n\n- [ ] Consolidate")


@pytest.mark.slow
def test_only_what_is_committed_is_committed(due: GitRepository) -> None:
    due.write("TASKS.md", "- [ ] open\n")
    due.write("docs/deep/tasks.md", "- [ ] deep\n")
    due.commit(date="2026-01-18")
    for path in ("TASKS.md", "docs/deep/tasks.md", "new/tasks.md"):
        due.write(path, f"{KEY}\n")
        assert KEY not in notify(due, path, "--commit", "--dry-run").out
        assert "committed to" in notify(due, path, "--commit").out
        assert KEY not in due.git("show", BRANCH)
        assert due.git("diff", "--name-only", "main", BRANCH) == path
        due.git("fsck", "--strict")
    assert "- [ ] open" in due.git("show", f"{BRANCH}:TASKS.md")


def test_a_file_that_is_no_file_in_head(due: GitRepository) -> None:
    due.write("TASKS.md/x.md", "x\n")
    due.write("docs", "x\n")
    due.write("large.md", b"x" * 4_100_000)
    due.commit(date="2026-01-18")
    for path, message in (
        ("TASKS.md", "TASKS.md is not a regular file in HEAD"),
        ("docs/tasks.md", "docs is not a regular file in HEAD"),
        ("large.md", "large.md has more than 4 MB"),
    ):
        (due.path / path.partition("/")[0]).rename(due.path.parent / path.partition("/")[0])
        run = notify(due, path, "--commit")
        assert (run.code, run.out) == (2, "")
        assert message in run.err
    assert due.git("branch", "--list", BRANCH) == ""


@pytest.mark.parametrize(
    "change",
    [
        ["--amend", "--message", "Better words"],
        ["--amend", "--no-edit", "--reset-author"],
        ["--message", "On top", "--allow-empty"],
    ],
)
def test_a_commit_that_somebody_changed_is_not_thrown_away(
    due: GitRepository, change: list[str]
) -> None:
    assert notify(due, "--commit").code == 0
    due.checkout(BRANCH)
    due.write("TASKS.md", "- [ ] call Grace\n")
    due.git("commit", "--quiet", *change, env={"GIT_COMMITTER_DATE": "2026-01-18T12:00:00 +0000"})
    tip = due.head(BRANCH)
    due.git("checkout", "--quiet", "--force", "main")
    run = notify(due, "--commit")
    assert (run.code, run.out) == (2, "")
    assert f"the branch {BRANCH} has a commit that somebody else made or changed" in run.err
    assert due.head(BRANCH) == tip


@pytest.mark.slow
def test_a_branch_that_is_checked_out_is_not_moved(due: GitRepository, tmp_path: Path) -> None:
    notify(due, "--commit")
    tip = due.head(BRANCH)
    due.git("worktree", "add", "--quiet", str(tmp_path / "other"), BRANCH)
    due.write(FILE, "# Learnings\n\n## When new\n\ntext\n")
    due.commit(date="2026-01-18")
    run = notify(due, "--commit")
    assert (run.code, run.out) == (2, "")
    assert f"the branch {BRANCH} is checked out in " in run.err
    assert due.head(BRANCH) == tip


def test_a_branch_that_cannot_be_created(due: GitRepository) -> None:
    due.write(f".git/refs/heads/{BRANCH}.lock", "")
    locked = notify(due, "--commit")
    (due.path / f".git/refs/heads/{BRANCH}.lock").unlink()
    (due.path / f".git/refs/heads/{BRANCH}").parent.rmdir()
    due.git("branch", "learnings")
    shadowed = notify(due, "--commit")
    assert [(run.code, run.out, run.err.count("\n")) for run in (locked, shadowed)] == [
        (2, "", 1)
    ] * 2
    assert locked.err.startswith(f"learnings: git cannot write to the branch {BRANCH} (")
    assert f"cannot create the branch {BRANCH} because the branch learnings exists" in shadowed.err
