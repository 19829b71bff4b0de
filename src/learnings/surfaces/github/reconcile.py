"""What is to be done with the issues of a file: what is there and the verdict in, steps out.

Nothing is asked and nothing is sent here. The steps lead towards a state, so that after any
failure one looks again and decides again: a decision on what is already as it should be is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from learnings.core.due.triggers import DUE
from learnings.surfaces.github.issues import (
    CLOSED,
    COMPLETED,
    DUPLICATE,
    OPEN,
    Issue,
    snoozed_until,
)
from learnings.surfaces.github.marker import Body, Marker, written

_SLACK = 100  # characters by which a marker can grow later


class DesiredIssue(NamedTuple):
    """What the issue of a file should be like now.

    ours(room) gives the part of the body that is ours with at most so many characters; digest says
    whether its content is another one. cleared is the comment for when consolidation is not due
    any more; over says that no trigger holds. run is the number of this run, 0 outside of one.
    """

    file: str
    verdict: str
    title: str
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    ours: Callable[[int], str]
    digest: str
    cleared: str
    over: bool
    today: str
    moment: str
    run: int = 0


class Create(NamedTuple):
    """Open a new issue."""

    desired: DesiredIssue
    title: str
    body: str


class Change(NamedTuple):
    """Change an issue as it was seen: its body, or its state with the reason, or both."""

    issue: Issue
    does: str
    body: str
    state: str | None = None
    reason: str | None = None


class Comment(NamedTuple):
    """Say something below an issue, once: a comment with the mark in it has said it already."""

    issue: Issue
    mark: str
    text: str


Step = Create | Change | Comment


class Decision(NamedTuple):
    """The steps, and what the issue is after them; number is that of the issue that counts."""

    says: str
    steps: tuple[Step, ...] = ()
    number: int | None = None


def reconcile(issues: Sequence[Issue], desired: DesiredIssue, *, room: int) -> Decision:
    """Decide about one file; `issues` are those with our label, room the longest body allowed."""
    own = [
        each for each in issues if each.body.marker.file == desired.file and not _is_put_away(each)
    ]
    current, *others = _ranked(own) or [None]
    if current is None:
        return _first(desired, room)
    found = _due(current, desired, room) if desired.verdict == DUE else _not_due(current, desired)
    extra = [_duplicate(each, current.number) for each in others if each and each.state == OPEN]
    return found._replace(steps=(*found.steps, *extra), number=current.number)


def _ranked(issues: Sequence[Issue]) -> list[Issue | None]:
    """The issue that counts, then the others: open before closed, then oldest or last closed."""
    still_open = [each for each in issues if each.state == OPEN]
    closed = [each for each in issues if each.state != OPEN]
    return [
        *sorted(still_open, key=lambda each: each.number),
        *sorted(closed, key=lambda each: -each.number),
    ]


def _is_put_away(issue: Issue) -> bool:
    return issue.state == CLOSED and issue.body.marker.duplicate_of > 0


def _first(desired: DesiredIssue, room: int) -> Decision:
    if desired.verdict != DUE:
        return Decision("none, and none is needed")
    return Decision("created", (Create(desired, desired.title, _body(None, desired, room)),))


def _due(issue: Issue, desired: DesiredIssue, room: int) -> Decision:
    marker = issue.body.marker
    snoozed = snoozed_until(issue.labels)
    if snoozed > desired.today:
        return Decision(f"left alone until {snoozed}, as its label says")
    if _is_outdated(desired, marker):
        return Decision(f"left as run {marker.run} has written it, which is a later one")
    body = _body(issue, desired, room)
    if issue.state == OPEN:
        if marker.digest == desired.digest:
            return Decision("unchanged: it says all of it already")
        return Decision("updated", (Change(issue, "update", body),))
    if issue.reason in (None, COMPLETED) or marker.cleared:
        again = Change(issue, "reopen", body, OPEN)
        return Decision("reopened", (again,))
    return Decision("left closed as not planned, which holds until consolidation is not due once")


def _not_due(issue: Issue, desired: DesiredIssue) -> Decision:
    marker = issue.body.marker
    if _is_outdated(desired, marker):
        return Decision(f"left as run {marker.run} has written it, which is a later one")
    if issue.state == OPEN:
        said = Comment(issue, f"<!-- learnings:cleared {marker.since} -->", desired.cleared)
        close = Change(issue, "close", _marked(issue, run=desired.run), CLOSED, COMPLETED)
        return Decision("closed with a comment that says why", (said, close))
    refused = issue.reason not in (None, COMPLETED)
    if refused and desired.over and not marker.cleared:
        note = Change(issue, "note in", _marked(issue, run=desired.run, cleared=True))
        return Decision("left closed, with a note that consolidation was not due once", (note,))
    return Decision("closed already")


def _duplicate(issue: Issue, number: int) -> Change:
    said = f"Duplicate of #{number}, which is kept up to date.\n"
    marker = issue.body.marker._replace(duplicate_of=number)
    body = written(issue.body._replace(marker=marker, ours=said))
    return Change(issue, "close", body, CLOSED, DUPLICATE)


def _is_outdated(desired: DesiredIssue, marker: Marker) -> bool:
    """Whether this run is older than the one that wrote last: it was repeated, or overtaken."""
    return 0 < desired.run < marker.run


def _body(issue: Issue | None, desired: DesiredIssue, room: int) -> str:
    notes = issue.body.notes if issue else "\n"
    since = issue.body.marker.since if issue and issue.state == OPEN else desired.moment
    marker = Marker(desired.file, desired.digest, desired.run, since)
    frame = len(written(Body(marker, "", notes)))
    return written(Body(marker, desired.ours(room - frame - _SLACK), notes))


def _marked(issue: Issue, **changed: object) -> str:
    known = {name: value for name, value in changed.items() if value}
    marker = issue.body.marker._replace(**known)  # type: ignore[arg-type]
    return written(issue.body._replace(marker=marker))


def orphans(issues: Sequence[Issue], desired_issues: Sequence[DesiredIssue]) -> list[Issue]:
    """The open issues of ours that are about none of the files that were looked at."""
    known = {each.file for each in desired_issues}
    return [each for each in issues if each.state == OPEN and each.body.marker.file not in known]
