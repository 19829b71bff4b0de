"""The steps from the issues about a file to the desired one; sends nothing.

After any failure the issues are read and compared again; an issue in its desired state needs no
step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from learnings.core.due.verdicts import DUE
from learnings.surfaces.issues.issues import (
    CLOSED,
    COMPLETED,
    DUPLICATE,
    OPEN,
    Body,
    DesiredIssue,
    Issue,
    Marker,
    body_text,
    snoozed_until,
)
from learnings.surfaces.render.issue_body import length

ROOM = 65_536  # characters of an issue body; GitHub refuses a longer one, GitLab takes more
# Characters reserved for the other fields of the marker and for a footer with the address of a run,
# so that each run shows the same part of the task.
_SLACK = 250
_FOOTER_ROOM = 600
LOCKED = "its conversation is locked"
_BOT = "Bot"  # a type of accounts on GitHub
_CUT = "\n\n(The rest did not fit; see the edit history of this text.)\n"


class CreateIssue(NamedTuple):
    desired: DesiredIssue
    body: str


class ChangeIssue(NamedTuple):
    """Change the body of an issue, and its state with the reason if they are given."""

    issue: Issue
    body: str
    state: str | None = None
    reason: str | None = None


class CommentOnIssue(NamedTuple):
    """Comment on an issue, unless a comment already has the marker."""

    issue: Issue
    marker: str
    text: str


IssueStep = CreateIssue | ChangeIssue | CommentOnIssue


class IssueOutcome(NamedTuple):
    """The result for a file in words, and its steps; number is None if there is no issue yet."""

    result: str
    steps: tuple[IssueStep, ...] = ()
    number: int | None = None
    file: str = ""


def outcomes_for(
    issues: Sequence[Issue],
    desired_issues: Sequence[DesiredIssue],
    for_removed: Callable[[Sequence[Issue]], Sequence[DesiredIssue]],
    is_newest: Callable[[], bool] = lambda: False,
) -> list[IssueOutcome]:
    """Return the outcome of each desired issue and of the open issues about other files.

    for_removed takes these and gives the desired, closed issues of missing files. is_newest is
    called if an issue names a later run, since anybody who may edit the issue can write that.
    """
    files = {desired.file for desired in desired_issues}
    unmatched = [
        issue for issue in issues if issue.state == OPEN and issue.body.marker.file not in files
    ]
    return [
        outcome_for(issues, desired, is_newest)._replace(file=desired.file)
        for desired in (*desired_issues, *for_removed(unmatched))
    ]


def outcome_for(
    issues: Sequence[Issue],
    desired: DesiredIssue,
    is_newest: Callable[[], bool] = lambda: False,
) -> IssueOutcome:
    """Return the outcome of one desired issue; issues have our label and are about any file."""
    own = [
        issue
        for issue in issues
        if issue.body.marker.file == desired.file
        and not (issue.state == CLOSED and issue.body.marker.duplicate_of > 0)
    ]
    if not own:
        if desired.verdict != DUE:
            return IssueOutcome("not needed")
        return IssueOutcome("created", (CreateIssue(desired, _body(None, desired)),))
    # Open issues count first, the oldest of them; then the issue that was opened last.
    current, *duplicates = sorted(
        own, key=lambda issue: (0, issue.number) if issue.state == OPEN else (1, -issue.number)
    )
    marker, snoozed = current.body.marker, snoozed_until(current.labels)
    if desired.verdict == DUE and snoozed > desired.today:
        outcome = IssueOutcome(f"left alone until {snoozed}, as its label says")
    elif 0 < desired.run < marker.run and not is_newest():
        result = f"left as run {marker.run} has written it, which is a later one"
        outcome = IssueOutcome(result)
    else:
        outcome = (_due if desired.verdict == DUE else _not_due)(current, desired)
    text = f"Duplicate of #{current.number}, which learnings keeps up to date.\n"
    for issue in duplicates:
        if issue.state == OPEN:
            marker = issue.body.marker._replace(duplicate_of=current.number)
            body = body_text(issue.body._replace(marker=marker, generated=text))
            step = ChangeIssue(issue, body, CLOSED, DUPLICATE)
            outcome = outcome._replace(steps=(*outcome.steps, step))
    return outcome._replace(number=current.number)


def _due(issue: Issue, desired: DesiredIssue) -> IssueOutcome:
    if issue.state == OPEN:
        if _is_as_meant(issue, desired):
            return IssueOutcome("unchanged: already up to date")
        is_same_task = issue.body.marker.digest == desired.digest
        result = "restored: somebody had changed its text" if is_same_task else "updated"
        result += f"; {LOCKED}" if issue.is_locked else ""
        return IssueOutcome(result, (ChangeIssue(issue, _body(issue, desired)),))
    if issue.is_refused and issue.closed_by != _BOT and not issue.body.marker.cleared:
        return IssueOutcome("left closed as not planned until consolidation has not been due once")
    by_bot = issue.is_refused and issue.closed_by == _BOT
    result = "reopened, because only a bot had closed it" if by_bot else "reopened"
    return IssueOutcome(result, (ChangeIssue(issue, _body(issue, desired), OPEN),))


def _not_due(issue: Issue, desired: DesiredIssue) -> IssueOutcome:
    marker = issue.body.marker
    if issue.state == OPEN:
        mark = f"<!-- learnings:cleared {marker.since} -->"
        comment = CommentOnIssue(issue, mark, desired.closing_comment)
        close = ChangeIssue(issue, _marked(issue, run=desired.run), CLOSED, COMPLETED)
        if issue.is_locked:
            return IssueOutcome(f"closed without a comment: {LOCKED}", (close,))
        return IssueOutcome("closed with a comment", (comment, close))
    if issue.is_refused and desired.is_cleared and not marker.cleared:
        note = ChangeIssue(issue, _marked(issue, run=desired.run, cleared=True))
        return IssueOutcome("left closed, with a note that consolidation was not due once", (note,))
    return IssueOutcome("already closed")


def _is_as_meant(issue: Issue, desired: DesiredIssue) -> bool:
    """Return True if an issue has the desired text, from any run; the digest cannot tell.

    Line ends and spaces before them do not count, because an edit by hand changes them.
    """
    _, mark, rest = issue.body.generated.rpartition("\n\n---\n")
    footer = f"{mark}{rest}".strip()
    if not (mark and desired.is_footer(footer)):
        footer = desired.footer
    meant = _body(issue, desired._replace(run=issue.body.marker.run, footer=footer))
    there, wanted = (
        [line.rstrip() for line in text.rstrip().replace("\r\n", "\n").split("\n")]
        for text in (issue.text, meant)
    )
    return there == wanted


def _body(issue: Issue | None, desired: DesiredIssue) -> str:
    notes = issue.body.notes if issue else "\n"
    is_open = issue is not None and issue.state == OPEN
    since = (issue.body.marker.since if issue and is_open else "") or desired.moment
    longest = notes.replace("\r\n", "\n").replace("\n", "\r\n")  # as a page would send them
    fixed = length(body_text(Body(Marker(desired.file, desired.digest), "", longest)))
    text = desired.text(ROOM - fixed - _SLACK - max(_FOOTER_ROOM, length(desired.footer)))
    generated = f"{text}\n\n{desired.footer}" if desired.footer else text
    marker = Marker(desired.file, desired.digest, desired.run, since)
    excess = length(body_text(Body(marker, generated, notes))) + _SLACK - ROOM
    if excess > 0:  # the task needs room
        notes = notes[: max(0, len(notes) - excess - len(_CUT))] + _CUT
    return body_text(Body(marker, generated, notes))


def _marked(issue: Issue, **fields: object) -> str:
    """Return the body of an issue with the non-empty fields set in its marker."""
    changed = {name: value for name, value in fields.items() if value}
    marker = issue.body.marker._replace(**changed)  # type: ignore[arg-type]
    return body_text(issue.body._replace(marker=marker))
