"""Bring the issues to the desired state: read, compare, write, until no step is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

from learnings.surfaces.issues.client import Client, UnknownOutcome
from learnings.surfaces.issues.issues import CLOSED, DesiredIssue, Issue
from learnings.surfaces.issues.platform import LockedError, Platform, PlatformError, Request
from learnings.surfaces.issues.steps import (
    LOCKED,
    ChangeIssue,
    CommentOnIssue,
    CreateIssue,
    IssueOutcome,
    IssueStep,
    outcomes_for,
)

# Chosen: two or three are needed if another run writes at the same time.
_MOST_ROUNDS = 8


class IssueReconciler:
    """The issues of one label in one repository."""

    def __init__(
        self,
        platform: Platform,
        client: Client,
        label: str,
        *,
        is_newest: Callable[[], bool] = lambda: False,
    ) -> None:
        """is_newest tells if this run is about the newest commit of the default branch."""
        self._platform = platform
        self._client = client
        self._label = label
        self.is_newest = cache(is_newest)
        self._written: dict[int, Issue] = {}
        self._refused: dict[tuple[int, type[IssueStep]], str] = {}  # by locks, in words

    def reconcile(
        self,
        desired_issues: Sequence[DesiredIssue],
        *,
        for_removed: Callable[[Sequence[Issue]], Sequence[DesiredIssue]],
    ) -> list[IssueOutcome]:
        """Bring the issues into the desired state, and return the outcome for each file.

        for_removed gives the desired issues about missing files. Raises PlatformError.
        """
        by_file: dict[str, IssueOutcome] = {}
        for attempt in range(_MOST_ROUNDS):
            outcomes = outcomes_for(self.issues(), desired_issues, for_removed, self.is_newest)
            for outcome in outcomes:  # the first round knows the steps, the last the number
                result = by_file.get(outcome.file, outcome).result
                for (number, _), refused in self._refused.items():
                    result = refused if number == outcome.number else result
                by_file[outcome.file] = outcome._replace(result=result)
            all_steps = (step for outcome in outcomes for step in outcome.steps)
            steps = [step for step in all_steps if not self._is_done(step)]
            if not steps:
                return list(by_file.values())
            try:
                done = [self._do(step) for step in steps]
            except UnknownOutcome:
                done = [False]
            if not all(done):
                self._client.pause(attempt + 1)
        raise PlatformError(
            f"somebody else changed the issues during each of {_MOST_ROUNDS} attempts; "
            "find out who, and run again"
        )

    def issues(self) -> list[Issue]:
        """Return all issues with our label and marker, including those not listed yet."""
        by_number = dict(self._written)
        for row in self._client.pages("issues", self._platform.query(self._label)):
            issue = self._platform.as_issue(row)
            if issue and issue.is_refused and "closed_by" not in row:  # lists may leave it out
                row = self._client.get(f"issues/{issue.number}")  # noqa: PLW2901
                issue = self._platform.as_issue(row) or issue
            if issue:
                by_number[issue.number] = issue
        return list(by_number.values())

    def _is_done(self, step: IssueStep) -> bool:
        """Return True if a lock refuses the step, or the platform has only normalized a text."""
        if not isinstance(step, CreateIssue) and (step.issue.number, type(step)) in self._refused:
            return True
        if not isinstance(step, ChangeIssue) or step.state is not None:
            return False
        written = self._written.get(step.issue.number)
        return written is not None and _version(written) == _version(step.issue)

    def _do(self, step: IssueStep) -> bool:
        """Send a step; return False if it has to be looked at again."""
        requests = self._platform.requests_for(step, self._label)
        if isinstance(step, CreateIssue):
            return self._create(requests)
        try:
            if isinstance(step, ChangeIssue):
                return self._change(step.issue, *requests)
            comments = self._client.pages(requests[0].path, {})
            if not any(step.marker in str(comment.get("body")) for comment in comments):
                self._client.write(*requests[0][:3])
        except LockedError:
            self._refused[step.issue.number, type(step)] = (
                f"closed without a comment: {LOCKED}"
                if isinstance(step, CommentOnIssue)
                else f"left as it was: {LOCKED}; unlock it"
            )
        return True

    def _create(self, requests: Sequence[Request]) -> bool:
        platform = self._platform
        created = platform.as_issue(self._client.create(requests, self._label))
        if created is None:
            raise PlatformError(
                f"{platform.name} did not create the issue as requested; check the newest issue"
            )
        # GitHub ignores the case of labels.
        if self._label.casefold() not in map(str.casefold, created.labels):
            close = ChangeIssue(created, created.text, CLOSED)
            with suppress(UnknownOutcome):
                self._client.write(*platform.requests_for(close, self._label)[0][:3])
            raise PlatformError(
                f"the token may not label issues, so #{created.number} could not be found "
                f"again; close it if it is still open, and use a token with write access to "
                f"the repository"
            )
        self._written[created.number] = created
        return True

    def _change(self, issue: Issue, request: Request) -> bool:
        """Change an issue, unless it has changed since it was read; then return False."""
        now = self._platform.as_issue(self._client.get(request.path))
        if now is None or _version(now) != _version(issue):
            return False
        changed = self._platform.as_issue(self._client.write(*request[:3]))
        if changed is not None:
            self._written[changed.number] = changed
        return True


def _version(issue: Issue) -> tuple[int, str, str]:
    return issue.number, issue.state, issue.text
