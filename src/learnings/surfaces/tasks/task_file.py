"""`learnings notify file`: one task line for each learnings file, in a Markdown file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from learnings.app.due.query import HistoryOptions, file_queries
from learnings.app.due.verdicts import NONE_FOUND, judge_all
from learnings.app.workspace.disk import read_file
from learnings.app.workspace.workspace import Workspace
from learnings.core.due.triggers import DUE, Verdict
from learnings.core.errors import UsageProblem
from learnings.core.text import decode, encode, printable
from learnings.history.git.task_branch import Commit, commit_to_branch
from learnings.store.files import Change, write
from learnings.surfaces.render.changes_diff import diff
from learnings.surfaces.tasks.task_line import Task, with_tasks

USUAL = "TASKS.md"
BRANCH = "learnings/tasks"
MESSAGE = "Say which learnings are due for consolidation"
IN_CI = (
    "what is written in a CI run is gone with it; add --commit, which commits it to the branch "
    f"{BRANCH}, and push that"
)


class Plan(NamedTuple):
    """The file with tasks: where it is, what it holds, what it should hold."""

    root: Path
    path: str
    before: bytes | None
    after: bytes


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Bring the file with tasks up to date; exit code 0, or 2 where a file cannot be judged."""
    if len(args.files) > 1:
        raise UsageProblem("notify file takes one file with tasks; name one of these")
    if os.environ.get("CI") and not (args.commit or args.dry_run):
        raise UsageProblem(IN_CI)
    workspace = Workspace.open(cwd)
    path = _checked(workspace, cwd / (args.files or [workspace.root / USUAL])[0])
    queries = file_queries([], HistoryOptions(), cwd)
    if not queries:
        err.write(f"learnings: {NONE_FOUND}\n")
        return 0
    verdicts, errors = judge_all(queries)
    err.writelines(f"learnings: {printable(str(error))}\n" for error in errors)
    plan = _plan(workspace, path, verdicts)
    out.write(_carried_out(plan, args))
    return 2 if errors else 0


def _checked(workspace: Workspace, full: Path) -> str:
    path = workspace.relative(full)
    if path is None:
        raise UsageProblem("the file with tasks has to lie in this repository; name one that does")
    if full.suffix.lower() not in (".md", ".markdown"):
        raise UsageProblem(f"{printable(path)} is no Markdown file; name one that ends in .md")
    if workspace.role_of(path) is not None:
        raise UsageProblem(f"{printable(path)} is a memory file itself; name one for tasks")
    return path


def _plan(workspace: Workspace, path: str, verdicts: Sequence[Verdict]) -> Plan:
    full = workspace.root / path
    before = read_file(full, shown=path) if os.path.lexists(full) else None
    text = with_tasks(decode(before or b""), [_task(each) for each in verdicts])
    return Plan(workspace.root, path, before, encode(text))


def _task(verdict: Verdict) -> Task:
    since = verdict.report.history.activity.as_of or "today"
    return Task(verdict.report.file, verdict.verdict == DUE, since)


def _carried_out(plan: Plan, args: argparse.Namespace) -> str:
    name = printable(plan.path)
    change = Change(plan.path, plan.before, plan.after)
    is_same = plan.after == (plan.before or b"")
    if args.dry_run:
        return "".join(diff([change])) or f"{name}: unchanged\n"
    if args.commit:
        content = plan.before if is_same else plan.after
        done = commit_to_branch(plan.root, Commit(plan.path, content, BRANCH, MESSAGE))
        return f"{name}: {'committed to' if done else 'unchanged on'} the branch {BRANCH}\n"
    if is_same:
        return f"{name}: unchanged\n"
    write(plan.root, [change])
    return f"{name}: {'created' if plan.before is None else 'updated'}\n"
