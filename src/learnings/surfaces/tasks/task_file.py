"""The Markdown file with one task line for each learnings file, on disk or on a branch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.disk import read_file, real_path, within_limit
from learnings.app.workspace.workspace import Workspace
from learnings.core.due.triggers import DUE, Verdict
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UsageProblem
from learnings.core.text import decode, encode, printable, printable_lines
from learnings.history.git.task_branch import BranchCommit, commit_to_branch, content_at_head
from learnings.store.files import Change, target_of, write
from learnings.surfaces.render.changes_diff import diff
from learnings.surfaces.tasks.task_line import Task, with_tasks

DEFAULT = "TASKS.md"
BRANCH = "learnings/tasks"
MESSAGE = "Say which learnings are due for consolidation"


class TaskFile(NamedTuple):
    """Where the tasks are: a path below the root of a repository. The file need not exist."""

    root: Path
    path: str


def find_task_file(name: str | None, cwd: Path) -> TaskFile:
    """Return the file of that name or, without one, TASKS.md at the root of the repository.

    Raises UsageProblem for a file that cannot hold tasks, WriteError for one that leads out of the
    repository or into `.git`.
    """
    workspace = Workspace.open(cwd)
    full = cwd / name if name else workspace.root / DEFAULT
    path = workspace.relative(full)
    if path is None:
        raise UsageProblem("the file with tasks has to lie in this repository; name one that does")
    target = target_of(workspace.root, path)
    for part in (path, target.relative_to(real_path(workspace.root)).as_posix()):
        _refuse(part, workspace)  # a link is no way around what its target is
    return TaskFile(workspace.root, path)


def _refuse(path: str, workspace: Workspace) -> None:
    if not path.lower().endswith((".md", ".markdown")):
        raise UsageProblem(f"{printable(path)} is not a Markdown file; name one that ends in .md")
    if workspace.role_of(path) is not None:
        raise UsageProblem(f"{printable(path)} is a memory file itself; name one for tasks")


def update(file: TaskFile, verdicts: Sequence[Verdict], *, dry_run: bool, commit: bool) -> str:
    """Bring the tasks up to date, and return a line that says what that took.

    dry_run: nothing is written, and the text is a diff. commit: the file is read from HEAD and
    written to a commit on a branch of its own, so that nothing of it comes from the disk. Raises
    WriteError, NotCommitted or UntrustedHistory.
    """
    change = _change(file, _content_at_head(file) if commit else _content(file), verdicts)
    name = printable(file.path)
    is_same = change.after == (change.before or b"")
    if dry_run:
        return printable_lines("".join(diff([change]))) or f"{name}: unchanged\n"
    if commit:
        content = change.before if is_same else change.after
        moved = commit_to_branch(file.root, BranchCommit(file.path, content, BRANCH, MESSAGE))
        return f"{name}: {'committed to' if moved else 'unchanged on'} the branch {BRANCH}\n"
    if is_same:
        return f"{name}: unchanged\n"
    write(file.root, [change])
    return f"{name}: {'created' if change.before is None else 'updated'}\n"


def _content(file: TaskFile) -> bytes | None:
    full = file.root / file.path
    return read_file(full, shown=file.path) if os.path.lexists(full) else None


def _content_at_head(file: TaskFile) -> bytes | None:
    data = content_at_head(file.root, file.path, limit=LARGEST_FILE)
    return None if data is None else within_limit(data, shown=file.path)


def _change(file: TaskFile, before: bytes | None, verdicts: Sequence[Verdict]) -> Change:
    text = with_tasks(decode(before or b""), [_task(verdict) for verdict in verdicts])
    return Change(file.path, before, encode(text))


def _task(verdict: Verdict) -> Task:
    since = verdict.due_since or "today"
    return Task(verdict.report.file, verdict.verdict == DUE, since)
