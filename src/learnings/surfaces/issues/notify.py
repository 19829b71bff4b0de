"""Update the consolidation issues, or print what an update would send."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TextIO

from learnings.app.consolidate.inputs import TargetRoom, read_targets
from learnings.app.consolidate.suggestions import Suggestions, suggestions_for
from learnings.core.due.verdicts import DUE, NOT_DUE, Verdict
from learnings.core.errors import UsageProblem
from learnings.core.settings.reader import issue_settings
from learnings.core.settings.setting_values import IssueSettings
from learnings.core.text import printable, printable_lines
from learnings.forms.registry import others_here
from learnings.history.git.repository import current_branch, head_commit
from learnings.surfaces.actions import without_old_form
from learnings.surfaces.issues.client import Client, Token
from learnings.surfaces.issues.issues import (
    NOT_MERGED,
    OPEN,
    CiRun,
    DesiredIssue,
    Issue,
    Platform,
    PlatformError,
    digest_of,
    reason_not_to_write,
)
from learnings.surfaces.issues.reconciler import IssueOutcome, IssueReconciler, Steps
from learnings.surfaces.render import issue_body
from learnings.surfaces.render.issue_body import IssueTask
from learnings.surfaces.render.writing import joined_lines, span
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.workspace import Workspace

_LONGEST_TITLE = 255  # characters that GitLab accepts; GitHub one more
_ROOM_FOR_DIGEST = 1_000_000  # the whole task, regardless of the room in an issue


class NotifyInput(NamedTuple):
    """The verdicts to notify about, and overrides of the settings of the issue, by key.

    files also holds those without a verdict. all_files is True if these are all learnings files.
    """

    files: Sequence[MemoryFile]
    verdicts: Sequence[Verdict]
    overrides: dict[str, object]
    started_in: Workspace
    all_files: bool

    @property
    def workspace(self) -> Workspace:
        """The repository that the files are in."""
        return self.files[0].workspace if self.files else self.started_in


def desired_issues(
    job: NotifyInput, platform: Platform, run: CiRun, settings: IssueSettings
) -> Callable[[Sequence[Issue]], list[DesiredIssue]]:
    """Return the function that gives the desired issues beside the existing ones.

    These are the issues of all verdicts, and of missing files with an open issue.
    """
    workspace = job.workspace
    moment, targets = workspace.clock.moment(), tuple(_targets(workspace))
    statuses = (one for form in others_here(workspace) for one in form.statuses(workspace))
    forms = tuple(status for status in statuses if status.counts)
    files = {file.name: file for file in job.files}
    judged = {}
    for verdict in job.verdicts:
        file, is_due = verdict.report.file, verdict.verdict == DUE
        suggestions = suggestions_for(files[file], verdict) if is_due else Suggestions()
        task = IssueTask(verdict, targets, suggestions, settings, forms)
        judged[file] = DesiredIssue(
            file=file,
            verdict=verdict.verdict,
            title=printable(settings.title_for(file))[:_LONGEST_TITLE],
            labels=settings.labels,
            assignees=settings.assignees,
            text=partial(_text, task, platform),
            digest=digest_of(issue_body.content(task, _ROOM_FOR_DIGEST)),
            closing_comment=issue_body.closing_comment(verdict),
            moment=moment,
            run=run.number,
            footer=issue_body.footer(verdict.report.head, moment, run.url),
            is_footer=partial(issue_body.is_footer, runs_url=run.runs_url),
        )

    def for_issues(issues: Sequence[Issue]) -> list[DesiredIssue]:
        named = {one.body.file for one in issues if one.state == OPEN and job.all_files}
        named -= {*judged, *(str(file.path) for file in workspace.settings.files)}
        removed = []
        for file in sorted(named):
            if not _exists(workspace, file):
                why = f"There is no file {span(file)} any more, so there is nothing to consolidate."
                removed.append(DesiredIssue(file, NOT_DUE, why, moment, run=run.number))
        return [*judged.values(), *removed]

    return for_issues


def _targets(workspace: Workspace) -> list[TargetRoom]:
    """Return the target files in the order of configuration or discovery."""
    limit = workspace.settings.line_limit
    paths = [candidate.path for candidate in workspace.found.targets if candidate.included]
    lines = {target.path: target.lines for target in read_targets(workspace, paths)}
    return [
        TargetRoom(os.fsencode(path).decode("utf-8", "surrogateescape"), lines[path], limit)
        for path in paths
    ]


def _exists(workspace: Workspace, file: str) -> bool:
    """Return True if the repository has a file; a name in a marker can be any text."""
    path = PurePosixPath(file)
    try:
        return (
            not path.is_absolute() and ".." not in path.parts and (workspace.root / path).exists()
        )
    except (OSError, ValueError):
        return False


def _text(task: IssueTask, platform: Platform, room: int) -> str:
    """Return the task in at most `room` characters, without commands to the platform."""
    text = issue_body.content(task, room)
    harmless = platform.harmless(text)
    added = issue_body.length(harmless) - issue_body.length(text)
    if issue_body.length(harmless) <= room:
        return harmless
    return platform.harmless(issue_body.content(task, room - added))


class NotifyResult(NamedTuple):
    """The outcomes, or why none was sent; then base is the address that requests would go to."""

    outcomes: list[IssueOutcome]
    not_sent: str | None = None
    base: str = ""


def notify(
    job: NotifyInput, platform: Platform, run: CiRun, token: Token | None, *, dry_run: bool
) -> NotifyResult:
    """Update the issues. Raises UsageProblem, BadSettings or PlatformError.

    A dry run, and a run not about the default branch, changes nothing. A dry run without a token or
    repository, and a run about a pull request, does not read the issues either.
    """
    settings = issue_settings(job.workspace.settings, job.overrides)
    steps, issues = Steps(platform, settings.label), list[Issue]()
    if dry_run:
        reason = None if token and run.repository else "dry run"
    else:  # the token of a pull request may not even read
        reason = NOT_MERGED if run.is_pull_request else None
    if reason:
        reason += "; existing issues were not read"
    elif token is None:
        raise UsageProblem(platform.missing_token(os.environ))
    desired = desired_issues(job, platform, run, settings)
    if token and not reason:
        client = Client(platform, run.api, platform.checked_repository(run), token)
        folder = job.started_in.start
        steps = steps._replace(is_newest=cache(partial(is_newest, client, run, folder)))
        reconciler = IssueReconciler(client, steps)
        reason = "dry run"
        if not dry_run:
            branch, setting = current_branch(folder), platform.branch_setting
            reason = reason_not_to_write(run, branch, client.default_branch, setting=setting)
        if reason is None:
            return NotifyResult(reconciler.reconcile(desired))
        issues = reconciler.issues()
    outcomes = [steps.outcome_for(issues, one) for one in desired(issues)]
    base = platform.base(run.api.rstrip("/"), run.repository or platform.placeholder)
    return NotifyResult(outcomes, reason, base)


def is_newest(client: Client, run: CiRun, folder: Path) -> bool:
    """Return True if the checkout has the newest commit of the default branch, or if unknown.

    The token may not be able to read the branch; the next run corrects what an older one writes.
    """
    branch = run.default_branch or client.default_branch()
    try:
        newest = client.newest_commit(branch)
    except PlatformError:
        return True
    return newest is None or newest == head_commit(folder)


def write_result(result: NotifyResult, out: TextIO) -> None:
    out.write(outcomes_as_text(result))
    out.write(without_old_form(requests_as_text(result)))


@joined_lines
def outcomes_as_text(result: NotifyResult) -> Iterator[str]:
    if result.not_sent:
        yield f"not sent: {printable(result.not_sent)}"
    for outcome in result.outcomes:
        would = "would be " if result.not_sent and outcome.requests else ""
        issue = "issue" if outcome.number is None else f"issue #{outcome.number}"
        yield printable(f"{outcome.file}: {issue} {would}{outcome.result}")


@joined_lines
def requests_as_text(result: NotifyResult) -> Iterator[str]:
    """Return each unsent request with its fields; texts of several lines are indented."""
    unsent = result.outcomes if result.not_sent else ()
    for request in chain(*(outcome.requests for outcome in unsent)):
        condition = f"   (if {printable(request.condition)})" if request.condition else ""
        yield ""
        yield f"{request.method} {printable(f'{result.base}/{request.path}')}{condition}"
        for name, value in request.fields.items():
            text = printable_lines(", ".join(value) if isinstance(value, list) else str(value))
            if "\n" not in text:
                yield f"  {name}: {text}"
                continue
            yield f"  {name}:"
            yield from (f"    {line}".rstrip() for line in text.split("\n"))
