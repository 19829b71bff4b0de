"""Keeps the issues as they should be: look, decide, do, and look again until nothing is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from learnings.surfaces.github.client import Client
from learnings.surfaces.github.errors import GitHubError, UnknownOutcome
from learnings.surfaces.github.issues import Issue, as_issue
from learnings.surfaces.github.reconcile import (
    Change,
    Comment,
    Create,
    Decision,
    DesiredIssue,
    Step,
    orphans,
    reconcile,
)
from learnings.surfaces.github.requests import (
    change_fields,
    comment_fields,
    create_fields,
    label_fields,
)

ROOM = 65_536  # characters of an issue body
_MOST_ROUNDS = 8


class Outcome(NamedTuple):
    """What was done about one file, in words, and the number of its issue."""

    file: str
    says: str
    number: int | None


class IssueReconciler:
    """The issues of one label in one repository."""

    def __init__(self, client: Client, label: str) -> None:
        self._client = client
        self._label = label
        self._known: dict[int, Issue] = {}
        self._said: dict[str, Outcome] = {}

    def keep(
        self,
        desired_issues: Sequence[DesiredIssue],
        *,
        gone: Callable[[Sequence[Issue]], Sequence[DesiredIssue]],
    ) -> list[Outcome]:
        """Bring the issues into the state that is wished for, and say what that took.

        gone gives the wishes about issues of files that are not there any more. Raises GitHubError:
        what was done until then stands on its own, and the next run goes on from there.
        """
        for attempt in range(_MOST_ROUNDS):
            issues = self.issues()
            all_wishes = [*desired_issues, *gone(orphans(issues, desired_issues))]
            decisions = [reconcile(issues, each, room=ROOM) for each in all_wishes]
            for desired, decision in zip(all_wishes, decisions, strict=True):
                self._note(desired.file, decision)
            steps = [step for decision in decisions for step in decision.steps]
            if not steps:
                return list(self._said.values())
            if not self._carry_out(steps):
                self._client.pause(attempt + 1)
        raise GitHubError("somebody else keeps changing the issues; run again when that is over")

    def issues(self) -> list[Issue]:
        """Look at all issues that are ours; those just written are known before lists show them."""
        query = {"labels": self._label, "state": "all", "sort": "created", "direction": "asc"}
        listed = [as_issue(each) for each in self._client.pages("issues", query)]
        found = {each.number: each for each in listed if each}
        for number in self._known.keys() - found.keys():
            found[number] = self._known[number]
        return list(found.values())

    def _note(self, file: str, decision: Decision) -> None:
        """What a file took is told by the first look at it; later ones add the number."""
        said = self._said.get(file)
        says = said.says if said else decision.says
        self._said[file] = Outcome(file, says, decision.number)

    def _carry_out(self, steps: Sequence[Step]) -> bool:
        """Do what was decided; False where it is not known what came of it."""
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
        if self._client.get_or_none(f"labels/{_in_path(self._label)}") is None:
            self._client.post_unless_there("labels", label_fields(self._label))
        made = as_issue(self._client.post("issues", create_fields(step, self._label)))
        if made is None:
            raise GitHubError(
                "GitHub made another issue than was asked for; look at the newest one"
            )
        if not self._is_found_again(made):
            with suppress(UnknownOutcome):
                self._client.patch(f"issues/{made.number}", {"state": "closed"})
            raise GitHubError(
                f"the token may not label issues, so #{made.number} could not be found again; see "
                "that it is closed, and use a token with write access to the repository"
            )
        self._known[made.number] = made
        return True

    def _is_found_again(self, made: Issue) -> bool:
        """Whether it has our label, which GitHub may write in other case: to it both are one."""
        return self._label.casefold() in map(str.casefold, made.labels)

    def _comment(self, step: Comment) -> bool:
        path = f"issues/{step.issue.number}/comments"
        said = any(step.mark in (each["body"] or "") for each in self._client.pages(path, {}))
        if not said:
            self._client.post(path, comment_fields(step))
        return True

    def _change(self, step: Change) -> bool:
        """Change an issue unless it is another one than was decided about."""
        path = f"issues/{step.issue.number}"
        now = as_issue(self._client.get(path))
        seen = step.issue
        if now is None or (now.number, now.state, now.body) != (seen.number, seen.state, seen.body):
            return False
        changed = as_issue(self._client.patch(path, change_fields(step)))
        if changed is not None:
            self._known[changed.number] = changed
        return True


def _in_path(name: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415  (one label in a lifetime is made)

    return quote(name, safe="")
