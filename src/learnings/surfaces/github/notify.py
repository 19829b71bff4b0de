"""Brings the consolidation issues up to date, or tells what that would send."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.consolidate.suggestions import Suggestions, suggestions_for
from learnings.app.due.query import FileQuery
from learnings.app.workspace.clock import moment
from learnings.app.workspace.disk import read_file
from learnings.app.workspace.workspace import Workspace
from learnings.core.due.triggers import Verdict
from learnings.core.errors import UntrustedHistory, UsageProblem
from learnings.core.settings.reader import issue_settings
from learnings.core.text import split_lines
from learnings.history.git.repository import current_branch
from learnings.surfaces.github.access import Token
from learnings.surfaces.github.client import Client
from learnings.surfaces.github.desired import Frame, desired_for, desired_for_gone
from learnings.surfaces.github.issues import Issue
from learnings.surfaces.github.permission import why_not
from learnings.surfaces.github.reconcile import Decision, DesiredIssue, orphans, reconcile
from learnings.surfaces.github.reconciler import ROOM, IssueReconciler, Outcome
from learnings.surfaces.github.requests import Request, requests_of
from learnings.surfaces.github.run import Run, checked_repository
from learnings.surfaces.render.issue_body import Target


class Job(NamedTuple):
    """What to notify about: the verdicts, and what the command line says about the issue.

    asked holds the inquiries that led to the verdicts, and to none; it is empty where there is no
    learnings file. all_files: they are on every learnings file there is. folder is where git is
    asked.
    """

    asked: Sequence[FileQuery]
    verdicts: Sequence[Verdict]
    overrides: dict[str, object]
    folder: Path
    all_files: bool

    @property
    def workspace(self) -> Workspace:
        """The repository that the files are in."""
        return self.asked[0].workspace if self.asked else Workspace.open(self.folder)

    def suggestions(self, verdict: Verdict) -> Suggestions:
        """What is known about the batch of a file; the issue can do without."""
        own = next(each for each in self.asked if each.name == verdict.report.file)
        try:
            return suggestions_for(own, verdict)
        except UntrustedHistory:
            return Suggestions()


class Told(NamedTuple):
    """What came of it. held says why nothing was sent; requests are those that would have been."""

    outcomes: list[Outcome]
    held: str | None = None
    requests: tuple[Request, ...] = ()


def notify(job: Job, run: Run, token: Token | None, *, dry_run: bool) -> Told:
    """Bring the issues up to date. Raises UsageProblem, BadSettings or GitHubError.

    A dry run, and one that is not about the default branch, sends nothing that changes anything;
    without a token, and for a pull request, it takes it that there is no issue yet.
    """
    frame = frame_of(job, run)
    if dry_run or run.is_pull_request:
        # That of a pull request may not even read; and a desk need not be about a repository.
        known = token if dry_run and run.repository else None
        reconciler = IssueReconciler(_client(run, known), frame.settings.label) if known else None
        why = "nothing is sent in a dry run" if dry_run else why_not(run, "", str)
        return _rehearse(job, frame, reconciler, str(why))
    if token is None:
        raise UsageProblem("there is no GITHUB_TOKEN in the environment; set it, or use --dry-run")
    client = _client(run, token)
    reconciler = IssueReconciler(client, frame.settings.label)
    held = why_not(run, current_branch(job.folder), lambda: _default_branch(client))
    if held is not None:
        return _rehearse(job, frame, reconciler, held)
    desired_issues = [desired_for(each, frame) for each in job.verdicts]
    return Told(reconciler.keep(desired_issues, gone=lambda issues: _gone(job, frame, issues)))


def frame_of(job: Job, run: Run) -> Frame:
    """What the wishes have in common. Raises BadSettings."""
    now = moment()
    return Frame(
        settings=issue_settings(job.workspace.settings, job.overrides),
        targets=tuple(_targets(job.workspace)),
        today=now[:10],
        moment=now,
        number=run.number,
        url=run.url,
        suggestions=job.suggestions,
    )


def _targets(workspace: Workspace) -> list[Target]:
    limit = workspace.settings.line_limit
    paths = [found.path for found in workspace.target_files() if found.included]
    texts = [(path, read_file(workspace.root / path, shown=path)) for path in paths]
    return [
        Target(os.fsencode(path).decode("utf-8", "surrogateescape"), _lines(data), limit)
        for path, data in texts
    ]


def _lines(data: bytes) -> int:
    return len(split_lines(data.decode("utf-8", "surrogateescape")))


def _default_branch(client: Client) -> str:
    return str(client.get("")["default_branch"])


def _gone(job: Job, frame: Frame, issues: Sequence[Issue]) -> list[DesiredIssue]:
    if not job.all_files:
        return []
    configured = {str(file.path) for file in job.workspace.settings.files}
    root = job.workspace.root
    return desired_for_gone(
        frame, lambda file: file in configured or _is_there(root / file), issues
    )


def _is_there(path: Path) -> bool:
    """Whether a path exists; one out of a mark that somebody wrote can be any text."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _client(run: Run, token: Token) -> Client:
    return Client(run.api, checked_repository(run), token)


def _rehearse(job: Job, frame: Frame, reconciler: IssueReconciler | None, held: str) -> Told:
    """What would be done; without a keeper no issue is known."""
    desired_issues = [desired_for(each, frame) for each in job.verdicts]
    issues = reconciler.issues() if reconciler else []
    desired_issues += _gone(job, frame, orphans(issues, desired_issues))
    decisions = [reconcile(issues, each, room=ROOM) for each in desired_issues]
    return Told(
        [_outcome(desired, each) for desired, each in zip(desired_issues, decisions, strict=True)],
        held if reconciler else f"{held}; the issues that are there are not looked at",
        tuple(
            request
            for decision in decisions
            for step in decision.steps
            for request in requests_of(step, frame.settings.label)
        ),
    )


def _outcome(desired: DesiredIssue, decision: Decision) -> Outcome:
    return Outcome(desired.file, decision.says, decision.number)
