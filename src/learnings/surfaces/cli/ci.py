"""Run the CI job: check, judge, summarise and, with --notify, keep the consolidation issue.

On pull requests the job checks only the changed files, else all files. It fails if a pull request
or a push loses an entry, as `learnings verify` does; it compares a push, even a forced one, with
the commit that the push replaced. A due file does not fail the job. Annotations, summary and
outputs go to GitHub Actions; on another system, or in a terminal, to standard output. FILE defaults
to every configured learnings file, else to every discovered one.

Exit code: 0 if all is well, 1 if a rule finds an error or an entry is lost, 2 if the history cannot
be trusted or the issue cannot be sent.
"""

from __future__ import annotations

import os

from learnings.app.inspection import Inspection, inspect
from learnings.core.errors import LearningsError
from learnings.core.text import printable, short_commit
from learnings.forms.registry import no_file, others_here
from learnings.history.git.merges import find_diff_base
from learnings.surfaces.cli.arguments import command_table, issue_overrides
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.hosts import GITHUB, PLATFORMS, platform_here
from learnings.surfaces.issues.client import token_from
from learnings.surfaces.issues.issues import CiRun, Platform
from learnings.surfaces.issues.notify import NotifyInput, notify
from learnings.surfaces.render import job_summary
from learnings.surfaces.render.outcomes import commit_lines
from learnings.surfaces.reporters import DryRunReporter, Reporter, outputs_for

ARGUMENTS = f"""
+files
--notify none|{"|".join(PLATFORMS)}  where to keep the issue (default: none)
--base REV    commit that the change starts from (default: from the event)
-n --dry-run  print what would be written and sent; do neither
--compact     first compact learning tiers if that is due
+issue
"""


def run(args: Args, context: Context) -> int:
    if args.compact:
        _maintain(context, dry_run=args.dry_run)
    platform = PLATFORMS.get(args.notify) or platform_here(os.environ)
    ci_run = platform.read_run(os.environ)
    inspection = _inspection(args, context, platform, ci_run)
    on_github = platform is GITHUB
    kind = DryRunReporter if args.dry_run and on_github else Reporter
    reporter = kind(context.out, context.err, os.environ if on_github else {})
    reporter.log(inspection)
    reporter.summary(job_summary.as_markdown(inspection))
    reporter.outputs(outputs_for(inspection.verdicts))
    code = 2 if inspection.problems else int(inspection.fails)
    token = token_from(os.environ, platform.token_variable)
    # Deleted files may still have issues, but only a token can find them.
    has_subject = inspection.verdicts or (token and not inspection.problems)
    if args.notify in (None, "none") or not has_subject:
        return code
    all_files = not args.files and not inspection.problems
    job = NotifyInput(
        inspection.files, inspection.verdicts, issue_overrides(args), context.workspace, all_files
    )
    try:
        result = notify(job, platform, ci_run, token, dry_run=args.dry_run)
    except LearningsError as error:
        reporter.problem(str(error))
        return 2
    reporter.issues(result)
    return code


def _inspection(args: Args, context: Context, platform: Platform, ci_run: CiRun) -> Inspection:
    """Return the inspection of a change or of all files, and note what is missing for it."""
    base = args.base or ci_run.base
    is_proposed = bool(args.base) or ci_run.is_pull_request
    changed = find_diff_base(context.folder, base, replaced=not is_proposed)
    inspection = inspect(
        args.files,
        context.workspace,
        changed=changed,
        only_changed=is_proposed,
        commands=command_table,
    )
    if base and changed is None and not is_proposed:
        problem = (
            f"cannot verify this push, because the commit {short_commit(base)} that it replaced is "
            f"missing here; run git fetch origin {base} first"
        )
        inspection = inspection._replace(problems=(*inspection.problems, problem))
    elif base and changed is None:
        context.note(
            f"the commit {short_commit(base)} that this change starts from is missing here, so the "
            f"change is not described; check out with {platform.history_setting}"
        )
    if not (inspection.verdicts or inspection.forms or inspection.problems):
        context.note(no_file(context.workspace))
    return inspection


def _maintain(context: Context, *, dry_run: bool) -> None:
    """Run and report the maintenance that needs no judgement."""
    for form in others_here(context.workspace):
        done = form.maintain(context.workspace, context.clock.instant(None), dry_run=dry_run)
        if done.note:
            context.note(done.note)
        lines = (*done.lines, *commit_lines([printable(path) for path in done.files]))
        context.err.writelines(f"{line}\n" for line in lines)
