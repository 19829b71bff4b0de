"""Update the consolidation issues, or print what an update would send."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TextIO

from learnings.app.consolidate.inputs import read_targets
from learnings.app.consolidate.suggestions import Suggestions, suggestions_for
from learnings.core.due.verdicts import DUE, NOT_DUE, Verdict
from learnings.core.errors import UsageProblem
from learnings.core.settings.feature_tables import TITLES, IssueSettings
from learnings.core.settings.reader import issue_settings
from learnings.core.text import printable, printable_lines
from learnings.forms.memory_form import FormStatus
from learnings.forms.registry import others_here
from learnings.history.git.repository import current_branch, head_commit
from learnings.surfaces.issues.access import CiRun, PlatformError, Token, reason_not_to_write
from learnings.surfaces.issues.client import Client
from learnings.surfaces.issues.issues import DesiredIssue, Issue, digest_of
from learnings.surfaces.issues.reconciler import IssueReconciler
from learnings.surfaces.issues.steps import IssueOutcome, Platform, Request, outcomes_for
from learnings.surfaces.render import issue_body
from learnings.surfaces.render.issue_body import IssueTask, Stamp, TargetRoom
from learnings.surfaces.render.lines import joined_lines, span
from learnings.surfaces.render.workflow_commands import without_old_form
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.workspace import Workspace

_LONGEST_TITLE = 255  # characters that GitLab accepts; GitHub one more
_ROOM_FOR_DIGEST = 1_000_000  # the whole task, regardless of the room in an issue


class IssueContext(NamedTuple):
    """Values that the desired issues of a run share.

    suggestions is called for a file that is due; forms are other memory that also counts.
    """

    platform: Platform
    settings: IssueSettings
    targets: tuple[TargetRoom, ...]
    moment: str
    run: CiRun
    suggestions: Callable[[Verdict], Suggestions]
    forms: tuple[FormStatus, ...]


def desired_issue(verdict: Verdict, context: IssueContext) -> DesiredIssue:
    settings, file = context.settings, verdict.report.file
    suggestions = context.suggestions(verdict) if verdict.verdict == DUE else Suggestions()
    task = IssueTask(
        verdict,
        targets=context.targets,
        sections=suggestions.sections,
        destinations=suggestions.destinations,
        mention=settings.mention,
        titles_only=settings.body == TITLES,
        forms=context.forms,
    )
    stamp = Stamp(verdict.report.history.head, context.moment, context.run.url)
    return DesiredIssue(
        file=file,
        verdict=verdict.verdict,
        title=printable(settings.title_for(file))[:_LONGEST_TITLE],
        labels=settings.labels,
        assignees=settings.assignees,
        text=partial(_text, task, context.platform),
        digest=digest_of(issue_body.content(task, _ROOM_FOR_DIGEST)),
        closing_comment=issue_body.closing_comment(verdict, stamp),
        is_cleared=verdict.verdict == NOT_DUE,
        today=context.moment[:10],
        moment=context.moment,
        run=context.run.number,
        footer=issue_body.footer(stamp),
        is_footer=partial(issue_body.is_footer, runs_url=context.run.runs_url),
    )


def _text(task: IssueTask, platform: Platform, room: int) -> str:
    """Return the task in at most `room` characters, without commands to the platform."""
    text = issue_body.content(task, room)
    harmless = platform.harmless(text)
    added = issue_body.length(harmless) - issue_body.length(text)
    if issue_body.length(harmless) <= room:
        return harmless
    return platform.harmless(issue_body.content(task, room - added))


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

    def suggestions(self, verdict: Verdict) -> Suggestions:
        file = next(file for file in self.files if file.name == verdict.report.file)
        return suggestions_for(file, verdict)


class NotifyResult(NamedTuple):
    """The outcomes, or why nothing was sent and the requests that would have been sent."""

    outcomes: list[IssueOutcome]
    not_sent: str | None = None
    requests: tuple[Request, ...] = ()


def notify(
    notify_input: NotifyInput,
    platform: Platform,
    run: CiRun,
    token: Token | None,
    *,
    dry_run: bool,
) -> NotifyResult:
    """Update the issues. Raises UsageProblem, BadSettings or PlatformError.

    A dry run, and a run not about the default branch, changes nothing. A dry run without a token or
    repository, and a run about a pull request, does not read the issues either.
    """
    context = issue_context(notify_input, platform, run)
    if run.is_pull_request and not dry_run:  # its token may not even read
        return _dry_run(
            notify_input, context, None, str(reason_not_to_write(run, "", str, setting=""))
        )
    if dry_run and not (token and run.repository):
        return _dry_run(notify_input, context, None, "dry run")
    if token is None:
        raise UsageProblem(platform.missing_token(os.environ))
    client = Client(platform, run.api, platform.checked_repository(run), token)
    folder = notify_input.started_in.start
    reconciler = IssueReconciler(
        platform,
        client,
        context.settings.label,
        is_newest=lambda: is_newest(platform, client, run, folder),
    )
    if dry_run:
        return _dry_run(notify_input, context, reconciler, "dry run")
    reason = reason_not_to_write(
        run,
        current_branch(folder),
        lambda: platform.default_branch(client),
        setting=platform.branch_setting,
    )
    if reason is not None:
        return _dry_run(notify_input, context, reconciler, reason)
    outcomes = reconciler.reconcile(
        [desired_issue(verdict, context) for verdict in notify_input.verdicts],
        for_removed=lambda issues: _for_removed(notify_input, context, issues),
    )
    return NotifyResult(outcomes)


def issue_context(notify_input: NotifyInput, platform: Platform, run: CiRun) -> IssueContext:
    workspace = notify_input.workspace
    statuses = (status for form in others_here(workspace) for status in form.statuses(workspace))
    return IssueContext(
        platform=platform,
        settings=issue_settings(workspace.settings, notify_input.overrides),
        targets=tuple(_targets(workspace)),
        moment=workspace.clock.moment(),
        run=run,
        suggestions=notify_input.suggestions,
        forms=tuple(status for status in statuses if status.counts),
    )


def _targets(workspace: Workspace) -> list[TargetRoom]:
    """Return the target files in the order of configuration or discovery."""
    limit = workspace.settings.line_limit
    paths = [candidate.path for candidate in workspace.target_files() if candidate.included]
    lines = {target.path: target.lines for target in read_targets(workspace, paths)}
    return [
        TargetRoom(os.fsencode(path).decode("utf-8", "surrogateescape"), lines[path], limit)
        for path in paths
    ]


def _for_removed(
    notify_input: NotifyInput, context: IssueContext, issues: Sequence[Issue]
) -> list[DesiredIssue]:
    """Return closed desired issues for files that issues name and that do not exist."""
    if not notify_input.all_files:
        return []
    configured = {str(file.path) for file in notify_input.workspace.settings.files}
    root = notify_input.workspace.root
    files = sorted({issue.body.marker.file for issue in issues} - configured)
    return [
        DesiredIssue(
            file=file,
            verdict=NOT_DUE,
            closing_comment=f"There is no file {span(file)} any more, so there is nothing to "
            "consolidate.",
            is_cleared=True,
            today=context.moment[:10],
            moment=context.moment,
            run=context.run.number,
        )
        for file in files
        if not _exists(root, file)
    ]


def _exists(root: Path, file: str) -> bool:
    """Return True if the repository has a file; a name in a marker can be any text."""
    path = PurePosixPath(file)
    try:
        return not path.is_absolute() and ".." not in path.parts and (root / path).exists()
    except (OSError, ValueError):
        return False


def _dry_run(
    notify_input: NotifyInput,
    context: IssueContext,
    reconciler: IssueReconciler | None,
    reason: str,
) -> NotifyResult:
    """Return what would be done; without a reconciler, no issue is known."""
    desired_issues = [desired_issue(verdict, context) for verdict in notify_input.verdicts]
    outcomes = outcomes_for(
        reconciler.issues() if reconciler else [],
        desired_issues,
        lambda issues: _for_removed(notify_input, context, issues),
        reconciler.is_newest if reconciler else lambda: False,
    )
    label = context.settings.label
    steps = (step for outcome in outcomes for step in outcome.steps)
    return NotifyResult(
        outcomes,
        reason if reconciler else f"{reason}; existing issues were not read",
        tuple(request for step in steps for request in context.platform.requests_for(step, label)),
    )


def is_newest(platform: Platform, client: Client, run: CiRun, folder: Path) -> bool:
    """Return True if the checkout has the newest commit of the default branch, or if unknown.

    The token may not be able to read the branch; the next run corrects what an older one writes.
    """
    branch = run.default_branch or platform.default_branch(client)
    try:
        newest = platform.newest_commit(client, branch)
    except PlatformError:
        return True
    return newest is None or newest == head_commit(folder)


def write_result(result: NotifyResult, platform: Platform, run: CiRun, out: TextIO) -> None:
    out.write(outcomes_as_text(result))
    if result.requests:
        out.write(without_old_form(requests_as_text(result, platform, run)))


@joined_lines
def outcomes_as_text(result: NotifyResult) -> Iterator[str]:
    if result.not_sent:
        yield f"not sent: {printable(result.not_sent)}"
    for outcome in result.outcomes:
        would = "would be " if result.not_sent and outcome.steps else ""
        issue = "issue" if outcome.number is None else f"issue #{outcome.number}"
        yield printable(f"{outcome.file}: {issue} {would}{outcome.result}")


@joined_lines
def requests_as_text(result: NotifyResult, platform: Platform, run: CiRun) -> Iterator[str]:
    """Return each request with its fields; texts of several lines are indented."""
    base = platform.base(run.api.rstrip("/"), run.repository or platform.placeholder)
    for request in result.requests:
        condition = f"   (if {printable(request.condition)})" if request.condition else ""
        yield ""
        yield f"{request.method} {printable(f'{base}/{request.path}')}{condition}"
        for name, value in request.fields.items():
            text = printable_lines(", ".join(value) if isinstance(value, list) else str(value))
            if "\n" not in text:
                yield f"  {name}: {text}"
                continue
            yield f"  {name}:"
            yield from (f"    {line}".rstrip() for line in text.split("\n"))
