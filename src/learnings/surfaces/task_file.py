"""The Markdown file with one task line for each learnings file, on disk or on a branch.

- [ ] Consolidate `a.md` with `learnings plan`, due since 2026-04-27 <!-- learnings:task … -->
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.due.verdicts import DUE, Verdict
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UsageProblem
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import lines_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, encode, newline_of, printable, printable_lines, split_lines
from learnings.history.git.gitpython import BranchCommit, commit_to_branch, content_at_head
from learnings.store.files import Change, target_of, write
from learnings.surfaces.render.changes_diff import diff
from learnings.surfaces.render.writing import comment, span
from learnings.workspace.disk import read_file, real_path, within_limit
from learnings.workspace.workspace import Workspace

# The marker of a list item, with the white space around it.
_BULLET = rf"\s*{LIST_MARKER}\s+"
_ITEM = lazy_pattern(_BULLET)
# A task line: the list marker, the box, and the rest; each may be missing.
_TASK_LINE = lazy_pattern(
    rf"(?P<lead>{_BULLET})?(?:\[(?P<box>[ xX])\]\s+)?(?P<rest>.*)", flags=re.DOTALL
)
_TASKS_HEADING = "# Tasks"
_MARKER_KIND = "learnings:task"
_MARKER_BEGIN = f"<!-- {_MARKER_KIND} "
# Removing a duplicate line that opens a fence, or ends at a carriage return, can reveal others: of
# 150,000 generated files seven took two passes, none three.
_MOST_PASSES = 8


class TaskLine(NamedTuple):
    """A learnings file, whether it is due, and since when (ISO date)."""

    file: str
    due: bool
    since: str


def with_tasks(text: str, tasks: Sequence[TaskLine]) -> str:
    """Return the updated text of a task file; other lines stay byte for byte.

    The line of a due file is added at the end, or its box is cleared; all others are ticked. A
    second line for one file is removed.
    """
    for _ in range(_MOST_PASSES):
        before, text = text, _after_one_pass(text, tasks)
        if text == before:
            break
    return text


def _after_one_pass(text: str, tasks: Sequence[TaskLine]) -> str:
    lines = split_lines(text)
    indexes_by_marker = _indexes(lines)
    new_tasks: list[TaskLine] = []
    for task in tasks:
        indexes = indexes_by_marker.get(_marker(task.file), [])
        if not indexes and task.due:
            new_tasks.append(task)
        for index in indexes[1:]:
            before = lines[index][: _task_start(lines[index])]
            has_end = before and lines[index].endswith("\n")
            lines[index] = f"{before}\n" if has_end else before
        if indexes:
            lines[indexes[0]] = _updated(lines[indexes[0]], task)
    lines = [line for line in lines if line]
    return "".join(_with_lines(lines, new_tasks, newline_of(text)) if new_tasks else lines)


def _marker(file: str) -> str:
    return comment(_MARKER_KIND, file)


def _indexes(lines: Sequence[str]) -> dict[str, list[int]]:
    """Return the indexes of the lines that end in each marker; examples in code do not count."""
    markers = {
        index: line.rstrip()[line.rfind(_MARKER_BEGIN) :]
        for index, line in enumerate(lines)
        if _MARKER_BEGIN in line
    }
    if not markers:
        return {}
    in_code = lines_of(outline_of(lines).fences)
    indexes: dict[str, list[int]] = {}
    for index, marker in markers.items():
        if index + 1 not in in_code:
            indexes.setdefault(marker, []).append(index)
    return indexes


def _with_lines(lines: Sequence[str], tasks: Sequence[TaskLine], newline: str) -> list[str]:
    """Return the lines with the tasks added, at the end or before a block that runs to the end."""
    blocks = outline_of(lines).hiding_blocks
    index = min((block.first - 1 for block in blocks if not block.closed), default=len(lines))
    before = list(lines[:index]) or [f"{_TASKS_HEADING}{newline}", newline]
    if not before[-1].endswith(newline[-1]):
        before[-1] += newline
    gap = [] if _ITEM.match(before[-1]) or not before[-1].strip() else [newline]
    after = [newline, *lines[index:]] if index < len(lines) else []
    # Two spaces before the block would make it part of the item, unless that is indented more.
    indent = "   " if after and lines[index][:2].isspace() else ""
    return [
        *before,
        *gap,
        *(f"{indent}- [ ] {_task_words(task)}{newline}" for task in tasks),
        *after,
    ]


def _updated(line: str, task: TaskLine) -> str:
    start = _task_start(line)
    content = line[start:].rstrip("\r\n")
    match = _TASK_LINE.fullmatch(content)
    assert match is not None  # every part may be missing
    if match["box"] is not None and (match["box"] == " ") == task.due:
        return line
    box, rest = (" ", _task_words(task)) if task.due else ("x", match["rest"])
    end = line[start + len(content) :]
    return f"{line[:start]}{match['lead'] or '- '}[{box}] {rest}{end}"


def _task_start(line: str) -> int:
    """Return the start of a task in a line: after a lone carriage return, if any."""
    return line.rstrip().rfind("\r") + 1


def _task_words(task: TaskLine) -> str:
    words = f"Consolidate {span(task.file)} with `learnings plan`, due since {task.since}"
    return f"{words} {_marker(task.file)}"


DEFAULT_TASK_FILE = "TASKS.md"
BRANCH = "learnings/tasks"
MESSAGE = "Say which learnings are due for consolidation"


def find_task_file(name: str | None, workspace: Workspace) -> str:
    """Return the path, from the root, of the file of this name, else TASKS.md at the root.

    The file need not exist. Raises UsageProblem for a file that cannot hold tasks, WriteError for a
    link out of the repository or into `.git`.
    """
    full = workspace.start / name if name else workspace.root / DEFAULT_TASK_FILE
    path = workspace.relative(full)
    if path is None:
        raise UsageProblem("the task file must be in this repository; give a path inside it")
    target = target_of(workspace.root, path).relative_to(real_path(workspace.root)).as_posix()
    for part in (path, target):  # a link must not bypass the refusal of its target
        if not part.lower().endswith((".md", ".markdown")):
            raise UsageProblem(
                f"{printable(part)} is not a Markdown file; give a path that ends in .md"
            )
        if workspace.role_of(part) is not None:
            raise UsageProblem(
                f"{printable(part)} is a memory file; give the path of a separate task file"
            )
    return path


def update(
    root: Path, path: str, verdicts: Sequence[Verdict], *, dry_run: bool, commit: bool
) -> str:
    """Update the tasks, and return a line that reports it, or a diff with dry_run.

    commit commits HEAD's version of the file to its own branch without touching the disk. Raises
    WriteError, NotCommitted or UntrustedHistory.
    """
    full = root / path
    if commit:
        data = content_at_head(root, path, limit=LARGEST_FILE)
        before = None if data is None else within_limit(data, shown=path)
    else:
        before = read_file(full, shown=path) if os.path.lexists(full) else None
    tasks = [
        TaskLine(verdict.report.file, verdict.verdict == DUE, verdict.due_since or "today")
        for verdict in verdicts
    ]
    change = Change(path, before, encode(with_tasks(decode(before or b""), tasks)))
    name = printable(path)
    is_same = change.after == (change.before or b"")
    if dry_run:
        return printable_lines("".join(diff([change]))) or f"{name}: unchanged\n"
    if commit:
        content = change.before if is_same else change.after
        moved = commit_to_branch(root, BranchCommit(path, content, BRANCH, MESSAGE))
        return f"{name}: {'committed to' if moved else 'unchanged on'} the branch {BRANCH}\n"
    if is_same:
        return f"{name}: unchanged\n"
    write(root, [change])
    return f"{name}: {'created' if change.before is None else 'updated'}\n"
