"""`learnings notify file`: in a real repository, on disk and on a branch."""

from __future__ import annotations

import os

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitRepository
from tests.surfaces.memory import FILE, memory

LINE = f"- [ ] Consolidate `{FILE}` with `learnings plan`, due since 2026-01-15 "
BRANCH = "learnings/tasks"


def notify(
    learnings: Command, repository: GitRepository, *words: str, folder: str = ".", **env: str
) -> Completed:
    return learnings("notify", "file", *words, cwd=repository.path / folder, env=env)


def consolidate(repository: GitRepository) -> None:
    repository.write(FILE, memory("When new"))
    repository.commit(date="2026-01-18")


@pytest.mark.slow
def test_a_task_is_added_and_ticked_off(learnings: Command, due: GitRepository) -> None:
    first = notify(learnings, due)
    assert (first.code, first.out, first.err) == (0, "TASKS.md: created\n", "")
    text = due.read("TASKS.md").decode()
    assert text.startswith(f"# Tasks\n\n{LINE}")
    assert notify(learnings, due).out == "TASKS.md: unchanged\n"
    due.commit(date="2026-01-18")
    assert notify(learnings, due).out == "TASKS.md: unchanged\n"
    consolidate(due)
    assert notify(learnings, due).out == "TASKS.md: updated\n"
    assert due.read("TASKS.md").decode() == text.replace("[ ]", "[x]")


def test_another_file_from_another_folder(learnings: Command, due: GitRepository) -> None:
    due.write("notes/session.md", "# Session\n\n- [ ] call Grace\n")
    done = notify(learnings, due, "session.md", folder="notes")
    assert done.out == "notes/session.md: updated\n"
    lines = due.read("notes/session.md").decode().splitlines()
    assert lines[:3] == ["# Session", "", "- [ ] call Grace"]
    assert lines[3].startswith(LINE)


def test_a_dry_run_shows_the_diff(learnings: Command, due: GitRepository) -> None:
    done = notify(learnings, due, "--dry-run", CI="true")
    assert done.code == 0
    assert done.out.startswith("--- /dev/null\n+++ b/TASKS.md\n")
    assert f"\n+{LINE}" in done.out
    assert not (due.path / "TASKS.md").exists()
    consolidate(due)
    assert notify(learnings, due, "--dry-run").out == "TASKS.md: unchanged\n"
    assert "unchanged on" in notify(learnings, due, "--commit").out
    assert due.git("branch", "--list", BRANCH) == ""


def test_in_ci_it_is_refused_without_a_commit(learnings: Command, due: GitRepository) -> None:
    done = notify(learnings, due, CI="true")
    assert (done.code, done.out) == (2, "")
    assert "a CI run discards the file when it ends; add --commit" in done.err
    assert not (due.path / "TASKS.md").exists()


def test_it_is_committed_to_a_branch_of_its_own(learnings: Command, due: GitRepository) -> None:
    due.write("new.txt", "not committed\n")
    head, status = due.head(), due.git("status", "--porcelain")
    done = notify(learnings, due, "--commit", CI="true")
    assert (done.code, done.out) == (0, f"TASKS.md: committed to the branch {BRANCH}\n")
    assert (due.head(), due.git("status", "--porcelain")) == (head, status)
    assert due.git("rev-parse", f"{BRANCH}^") == head
    assert due.git("diff", "--name-status", head, BRANCH) == "A\tTASKS.md"
    assert LINE in due.git("show", f"{BRANCH}:TASKS.md")
    tip = due.head(BRANCH)
    again = notify(learnings, due, "--commit", CI="true")
    assert again.out == f"TASKS.md: unchanged on the branch {BRANCH}\n"
    assert due.head(BRANCH) == tip


@pytest.mark.slow
def test_the_branch_follows_the_default_one(learnings: Command, due: GitRepository) -> None:
    due.write("docs/my tasks.md", "- [ ] other\n")
    due.git("add", "--all")
    due.git("update-index", "--chmod=+x", "docs/my tasks.md")
    due.commit(date="2026-01-17", all=False)
    notify(learnings, due, "docs/my tasks.md", "--commit")
    assert LINE in due.git("show", f"{BRANCH}:docs/my tasks.md")
    assert due.git("ls-tree", BRANCH, "docs/my tasks.md").startswith("100755 ")
    (due.path / "docs/my tasks.md").chmod(0o755)
    consolidate(due)
    done = notify(learnings, due, "docs/my tasks.md", "--commit")
    assert done.out == f"docs/my tasks.md: committed to the branch {BRANCH}\n"
    assert due.git("show", f"{BRANCH}:docs/my tasks.md") == "- [ ] other"
    assert due.git("rev-parse", f"{BRANCH}^") == due.head()


@pytest.mark.slow
def test_a_task_that_never_came_to_the_default_branch_is_taken_back(
    learnings: Command, due: GitRepository
) -> None:
    notify(learnings, due, "--commit")
    consolidate(due)
    assert "committed to" in notify(learnings, due, "--commit").out
    assert due.git("diff", "--name-status", "main", BRANCH) == ""
    assert "unchanged on" in notify(learnings, due, "--commit").out


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such names")
def test_a_path_with_everything_in_it(learnings: Command, due: GitRepository) -> None:
    path = 'a "quoted" ümläut\\.md'
    notify(learnings, due, path, "--commit")
    assert LINE in due.git("show", f"{BRANCH}:{path}")


def test_without_a_name_in_git_the_program_commits(learnings: Command, due: GitRepository) -> None:
    due.git("config", "user.useConfigOnly", "true")
    done = notify(
        learnings, due, "--commit", GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull
    )
    assert done.code == 0, done.err
    assert due.git("log", "-1", "--format=%cn", BRANCH) == "learnings"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.md", "b.md"], "takes one task file"),
        (["../x.md"], "must be in this repository"),
        (["tasks.txt"], "is not a Markdown file"),
        ([FILE], "is a memory file"),
        (["docs"], "is not a Markdown file"),
    ],
)
def test_what_cannot_hold_tasks(
    learnings: Command, due: GitRepository, words: list[str], message: str
) -> None:
    done = notify(learnings, due, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_history_that_cannot_be_trusted(learnings: Command, due: GitRepository) -> None:
    due.write("docs/lessons.md", memory("When a"))
    done = notify(learnings, due)
    assert done.code == 2
    assert "git does not track docs/lessons.md" in done.err
    assert done.out == "TASKS.md: created\n"
