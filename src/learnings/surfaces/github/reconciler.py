"""Bring the issues into the desired state: read, compare, write, until no step is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import quote

from learnings.surfaces.github.client import Client
from learnings.surfaces.github.errors import GitHubError, UnknownOutcome
from learnings.surfaces.github.issues import DesiredIssue, Issue, as_issue
from learnings.surfaces.github.marker import Body
from learnings.surfaces.github.requests import (
    change_fields,
    comment_fields,
    create_fields,
    label_fields,
)
from learnings.surfaces.github.steps import (
    Change,
    Comment,
    Create,
    IssueSteps,
    Step,
    orphans,
    steps_for,
)

ROOM = 65_536  # characters of an issue body; GitHub refuses a longer one
# Chosen: two or three are needed where another run writes at the same time.
_MOST_ROUNDS = 8


class Outcome(NamedTuple):
    """What was done about one file, in words, and the number of its issue."""

    file: str
    result: str
    number: int | None


class IssueReconciler:
    """The issues of one label in one repository."""

    def __init__(self, client: Client, label: str) -> None:
        self._client = client
        self._label = label
        self._written: dict[int, Issue] = {}
        self._outcomes: dict[str, Outcome] = {}

    def reconcile(
        self,
        desired_issues: Sequence[DesiredIssue],
        *,
        for_removed: Callable[[Sequence[Issue]], Sequence[DesiredIssue]],
    ) -> list[Outcome]:
        """Bring the issues into the desired state, and return what that took, file by file.

        for_removed gives the desired issues about files that are not there any more. Raises
        GitHubError: what was done until then stands on its own, and the next run goes on from
        there.
        """
        for attempt in range(_MOST_ROUNDS):
            issues = self.issues()
            all_desired = [*desired_issues, *for_removed(orphans(issues, desired_issues))]
            planned = [steps_for(issues, desired, room=ROOM) for desired in all_desired]
            for desired, issue_steps in zip(all_desired, planned, strict=True):
                self._record(desired.file, issue_steps)
            steps = [step for issue_steps in planned for step in issue_steps.steps]
            if not steps:
                return list(self._outcomes.values())
            if not self._carry_out(steps):
                self._client.pause(attempt + 1)
        raise GitHubError("somebody else keeps changing the issues; run again when that is over")

    def issues(self) -> list[Issue]:
        """Return all issues with our label and marker, also those that lists do not show yet."""
        query = {"labels": self._label, "state": "all", "sort": "created", "direction": "asc"}
        listed = map(as_issue, self._client.pages("issues", query))
        by_number = {issue.number: issue for issue in listed if issue}
        return list((self._written | by_number).values())

    def _record(self, file: str, issue_steps: IssueSteps) -> None:
        """Keep the result of the first round about a file; later ones add the number."""
        known = self._outcomes.get(file)
        result = known.result if known else issue_steps.result
        self._outcomes[file] = Outcome(file, result, issue_steps.number)

    def _carry_out(self, steps: Sequence[Step]) -> bool:
        """Do the steps; return False where it is not known what came of one."""
        try:
            done = [self._do(step) for step in steps]
        except UnknownOutcome:
            return False
        return all(done)

    def _do(self, step: Step) -> bool:
        match step:
            case Create():
                return self._create(step)
            case Comment():
                return self._comment(step)
            case Change():
                return self._change(step)

    def _create(self, step: Create) -> bool:
        if self._client.get_or_none(f"labels/{quote(self._label, safe='')}") is None:
            self._client.post_unless_there("labels", label_fields(self._label))
        created = as_issue(self._client.post("issues", create_fields(step, self._label)))
        if created is None:
            raise GitHubError(
                "GitHub made another issue than was asked for; look at the newest one"
            )
        if not self._has_label(created):
            with suppress(UnknownOutcome):
                self._client.patch(f"issues/{created.number}", {"state": "closed"})
            raise GitHubError(
                f"the token may not label issues, so #{created.number} could not be found again; "
                "see that it is closed, and use a token with write access to the repository"
            )
        self._written[created.number] = created
        return True

    def _has_label(self, issue: Issue) -> bool:
        """Return True if an issue has our label; to GitHub, upper and lower case are the same."""
        return self._label.casefold() in map(str.casefold, issue.labels)

    def _comment(self, step: Comment) -> bool:
        path = f"issues/{step.issue.number}/comments"
        comments = self._client.pages(path, {})
        if not any(step.marker in (comment["body"] or "") for comment in comments):
            self._client.post(path, comment_fields(step))
        return True

    def _change(self, step: Change) -> bool:
        """Change an issue; return False, and change nothing, if it is not as it was read."""
        path = f"issues/{step.issue.number}"
        now = as_issue(self._client.get(path))
        if now is None or _version(now) != _version(step.issue):
            return False
        changed = as_issue(self._client.patch(path, change_fields(step)))
        if changed is not None:
            self._written[changed.number] = changed
        return True


def _version(issue: Issue) -> tuple[int, str, Body]:
    """Return what decides on the steps; labels and people may change meanwhile."""
    return issue.number, issue.state, issue.body
