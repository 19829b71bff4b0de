"""Set up a repository: configuration, hooks for pre-commit or prek, and .gitignore.

The command writes the paths of the learnings files, including those in packages below the root, to
pyproject.toml if it exists, else to learnings.toml. It writes the hooks to prek.toml if it exists,
else to .pre-commit-config.yaml. It adds the plans and reports of consolidations, and the page and
the badge of `learnings report`, to .gitignore. It keeps comments and formatting. If it cannot edit
a file, it prints the lines to add and writes nothing at all; for lefthook it prints the lines to
add and writes the rest. A second run changes nothing.

The output lists each memory with the number of its entries, the next steps up to a first commit
that passes, and the steps to merge the files by entry. On a terminal, the command asks how to read
a file that can be read in two ways. --github also writes the workflow that checks every pull
request; --gitlab writes a job for merge requests.

Exit code: 0 if done, 2 if not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress

from learnings.app.consolidate.commit_files import archive_notes
from learnings.app.setup.ci_steps import PIPELINE, can_install, running_file, servers
from learnings.app.setup.next_steps import NextStep, is_on_path, missing_merge_steps, next_steps
from learnings.app.setup.setup_plan import Choice, SetupPlan, setup_plan_for
from learnings.app.setup.text_steps import ManualEditRequired
from learnings.core.entries.dialects import Dialect
from learnings.core.entries.document import Document
from learnings.core.errors import LearningsError, MissingFile, UnusableFile
from learnings.core.text import counted, printable, shortened
from learnings.forms.learnings_file import reading
from learnings.forms.registry import others_here
from learnings.store.files import refuse_targets, write
from learnings.surfaces.cli.arguments import command_table
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.output import print_patch
from learnings.surfaces.render.overview import read_as
from learnings.workspace.memory_file import memory_files
from learnings.workspace.workspace import Workspace

_TITLE = 30  # characters of a title in a question: two on a line


ARGUMENTS = """
-n --dry-run   print the changes as a diff; write nothing
--memory PATH  a learnings file to create, or a file or folder in an unusual place
--no-hooks     do not change the configuration of hooks
--github       also write a workflow for GitHub Actions
--gitlab       also write a job for GitLab CI/CD
"""


def run(args: Args, context: Context) -> None:
    try:
        plan = setup_plan_for(
            context.workspace,
            with_hooks=not args.no_hooks,
            with_workflow=args.github,
            with_gitlab_job=args.gitlab,
            memory=args.memory,
            choose=None if args.dry_run else _choice_at(context),
        )
    except ManualEditRequired as error:
        context.err.writelines(f"{printable(line)}\n" for line in (*error.lines, ""))
        raise
    if args.dry_run:
        refuse_targets(plan.root, plan.changes)
        print_patch(plan.changes, context.out)
        context.err.writelines(f"{printable(line)}\n" for line in _lines_to_add(plan))
    else:
        write(plan.root, plan.changes)
        lines = [*_report(plan, context.workspace)]
        context.say(*lines)
    notes = [*plan.notes]
    with suppress(LearningsError):  # the memory is listed with the reason
        for memory in memory_files([], context.workspace.at(plan.root)):
            notes += archive_notes(memory, context.clock.today())
    context.note(*notes)
    if not (plan.changes or plan.to_add):
        context.note("nothing to do")


def _choice_at(context: Context) -> Choice | None:
    """Return the question about a second reading, or None if nobody is there to answer."""
    if sys.stdin is None or not (sys.stdin.isatty() and context.out.isatty()):
        return None

    def choose(path: str, document: Document, other: Dialect) -> Dialect | None:
        readings = {"1": document, "2": document.read_as(other)}
        context.out.write(f"{printable(path)} can be read in two ways:\n")
        for key, one in readings.items():
            level = f" at level {one.dialect.level}" if one.dialect.level else ""
            count = counted(len(one.entries), "entry", "entries")
            titles = [shortened(printable(entry.heading), _TITLE) for entry in one.entries[:2]]
            context.out.write(
                f"  {key}  {count} ({one.dialect.name}{level}): {'; '.join(titles)}\n"
            )
        answer = ""
        while answer not in (*readings, "\n"):
            context.out.write("which are its entries? 1 or 2, or Enter to leave it open: ")
            context.out.flush()
            line = sys.stdin.readline()
            answer = line.strip() or "\n"
        return readings[answer].dialect if answer in readings else None

    return choose


def _report(plan: SetupPlan, workspace: Workspace) -> Iterator[str]:
    """Yield the changed files, the next commands, and those that can wait."""
    for change in plan.changes:
        yield f"{change.path}: {'created' if change.before is None else 'extended'}"
    is_work = bool(plan.changes or plan.to_add)
    memories = [*_memories(plan, workspace)] if is_work else []
    if memories:
        yield "memory:"
        yield from (f"  {line}" for line in memories)
    yield from _lines_to_add(plan)
    try:
        steps = next_steps(plan, workspace, commands=command_table) if is_work else []
        later = missing_merge_steps(workspace.at(plan.root)) if is_on_path(plan.root) else []
        jobs = [*_jobs_to_offer(plan)]
    except LearningsError as error:  # too late to refuse: everything is written
        steps, later, jobs = [NextStep("learnings init", str(error))], [], []
    merging = "to merge branches by entry, run at the root of the repository:"
    for title, rows in (("next:", steps), (merging, later)):
        if rows:
            yield title
            yield from (f"  {row.command}{row.reason and f'  # {row.reason}'}" for row in rows)
    yield from jobs


def _jobs_to_offer(plan: SetupPlan) -> Iterator[str]:
    is_asked = any(added.path == PIPELINE for added in plan.to_add)
    if is_asked or running_file(plan.root):
        return
    for server in servers(plan.root):
        if not can_install(server, plan.origin):
            continue
        change = "pull request on GitHub" if server == "github" else "merge request on GitLab"
        yield f"to check every {change} and keep an issue while a file is due:"
        yield f"  learnings init --{server}"


def _lines_to_add(plan: SetupPlan) -> Iterator[str]:
    for added in plan.to_add:
        yield f"add to {added.path}, {added.place}:"
        yield from (f"  {line}" for line in added.lines)


def _memories(plan: SetupPlan, workspace: Workspace) -> Iterator[str]:
    """Yield a line for each memory: how it is read, and the number of its entries."""
    try:
        workspace = workspace.at(plan.root)
        for file in memory_files([], workspace):
            try:
                found = reading(file)
            except (MissingFile, UnusableFile) as error:
                yield f"{file.name}: {error}"
                continue
            yield f"{file.name}: {read_as(found)}"
            if found.ambiguity:
                yield f"  doubtful: {found.ambiguity}"
        for form in others_here(workspace):
            yield from (f"{form.label}: {status.line}" for status in form.statuses(workspace))
    except LearningsError as error:  # too late to refuse: everything is written
        yield str(error)
