"""Keep an issue or a task open while consolidation is due.

github: keep one issue for each learnings file on GitHub. This needs GITHUB_TOKEN and
GITHUB_REPOSITORY. It writes only for the default branch; elsewhere it prints what it would do. FILE
defaults to every configured learnings file, else to every discovered one.

gitlab: do the same on GitLab. This needs GITLAB_TOKEN, and CI_PROJECT_ID or CI_PROJECT_PATH; the
token of a job cannot write issues.

file: keep one line for each learnings file in the Markdown task file FILE (default: TASKS.md).
"""

from __future__ import annotations

import os

from learnings.core.errors import UsageProblem
from learnings.forms.registry import no_file
from learnings.surfaces.cli.arguments import issue_overrides
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.hosts import PLATFORMS
from learnings.surfaces.issues.client import token_from
from learnings.surfaces.issues.notify import NotifyInput, notify, write_result
from learnings.surfaces.task_file import BRANCH, find_task_file, update
from learnings.workspace.memory_file import judge_all, memory_files

ARGUMENTS = f"""
place={"|".join(PLATFORMS)}|file  github, gitlab or file
files=FILE...  see above
-n --dry-run   print what would be sent or written; do neither
--commit       file: commit the file to its own branch (for CI)
+quiet
+issue
"""


def run(args: Args, context: Context) -> int:
    workspace, platform = context.workspace, PLATFORMS.get(args.place)
    task_file = None
    if platform is None:
        if len(args.files) > 1:
            raise UsageProblem("notify file takes one task file; name only that one")
        if os.environ.get("CI") and not (args.commit or args.dry_run):
            raise UsageProblem(
                "a CI run discards the file when it ends; add --commit to commit it to the "
                f"branch {BRANCH}, and push that"
            )
        task_file = find_task_file(next(iter(args.files), None), workspace)
    files = memory_files(args.files if platform else [], workspace)
    token = token_from(os.environ, platform.token_variable) if platform else None
    if not files:
        context.note(no_file(workspace), unless=args.quiet)
        if token is None:
            return 0  # with one, the issue of a deleted file is closed
    verdicts, errors = judge_all(files)
    context.note(*errors)
    if task_file is not None:
        context.out.write(
            update(workspace.root, task_file, verdicts, dry_run=args.dry_run, commit=args.commit)
        )
    if platform is not None:
        all_files = not args.files and not errors
        overrides = issue_overrides(args)
        job = NotifyInput(files, verdicts, overrides, workspace, all_files)
        run_here = platform.read_run(os.environ)
        result = notify(job, platform, run_here, token, dry_run=args.dry_run)
        write_result(result, context.out)
    return 2 if errors else 0
