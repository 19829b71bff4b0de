"""Bring the issues to the desired state: read, compare, write, until nothing is left.

After any failure the issues are read and compared again; an issue in its desired state needs no
request.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from learnings.core.due.verdicts import DUE, NOT_DUE
from learnings.surfaces.issues.client import Client, UnknownOutcome
from learnings.surfaces.issues.issues import (
    CLOSED,
    COMPLETED,
    DUPLICATE,
    OPEN,
    Body,
    DesiredIssue,
    Issue,
    LockedError,
    Platform,
    PlatformError,
    Request,
    body_text,
    snoozed_until,
)
from learnings.surfaces.render.issue_body import length

# Chosen: two or three are needed if another run writes at the same time.
_MOST_ROUNDS = 8
ROOM = 65_536  # characters of an issue body; GitHub refuses a longer one, GitLab takes more
# Characters reserved for the other fields of the marker and for a footer with the address of a run,
# so that each run shows the same part of the task.
_SLACK = 250
_FOOTER_ROOM = 600
LOCKED = "its conversation is locked"
_CUT = "\n\n(The rest did not fit; see the edit history of this text.)\n"


class IssueOutcome(NamedTuple):
    """The result for a file in words, and its requests; number is None without an issue."""

    result: str
    requests: tuple[Request, ...] = ()
    number: int | None = None
    file: str = ""


class Steps(NamedTuple):
    """What all outcomes of a run need.

    is_newest is called if an issue names a later run, since anybody who may edit it can write that.
    """

    platform: Platform
    label: str
    is_newest: Callable[[], bool] = lambda: False

    def outcome_for(self, issues: Sequence[Issue], desired: DesiredIssue) -> IssueOutcome:
        """Return the outcome of one desired issue; issues have our label and are about any file."""
        own = [
            issue
            for issue in issues
            if issue.body.file == desired.file
            and not (issue.state == CLOSED and issue.body.duplicate_of > 0)
        ]
        if not own and desired.verdict != DUE:
            return IssueOutcome("not needed", file=desired.file)
        if not own:
            new = self.platform.creation(desired, _body(None, desired), self.label)
            return IssueOutcome("created", tuple(new), file=desired.file)
        # Open issues count first, the oldest of them; then the issue that was opened last.
        current, *duplicates = sorted(
            own, key=lambda issue: (0, issue.number) if issue.state == OPEN else (1, -issue.number)
        )
        result, requests = self._judge(current, desired)
        text = f"Duplicate of #{current.number}, which learnings keeps up to date.\n"
        for issue in duplicates:
            if issue.state == OPEN:
                body = _marked(issue, generated=text, duplicate_of=current.number)
                requests += (self.platform.changing(issue, body, CLOSED, DUPLICATE),)
        return IssueOutcome(result, requests, current.number, desired.file)

    def _judge(self, issue: Issue, desired: DesiredIssue) -> tuple[str, tuple[Request, ...]]:
        is_due, run, snoozed = desired.verdict == DUE, issue.body.run, snoozed_until(issue.labels)
        if is_due and snoozed > desired.moment[:10]:
            return f"left alone until {snoozed}, as its label says", ()
        if 0 < desired.run < run and not self.is_newest():
            return f"left as run {run} has written it, which is a later one", ()
        return self._due(issue, desired) if is_due else self._not_due(issue, desired)

    def _due(self, issue: Issue, desired: DesiredIssue) -> tuple[str, tuple[Request, ...]]:
        body, change = _body(issue, desired), self.platform.changing
        if issue.state == OPEN:
            if _is_as_meant(issue, desired):
                return "unchanged: already up to date", ()
            is_same_task = issue.body.digest == desired.digest
            result = "restored: somebody had changed its text" if is_same_task else "updated"
            return result + (f"; {LOCKED}" if issue.is_locked else ""), (change(issue, body),)
        by_bot = issue.is_refused and issue.by_bot
        if issue.is_refused and not by_bot and not issue.body.cleared:
            return "left closed as not planned until consolidation has not been due once", ()
        result = "reopened, because only a bot had closed it" if by_bot else "reopened"
        return result, (change(issue, body, OPEN),)

    def _not_due(self, issue: Issue, desired: DesiredIssue) -> tuple[str, tuple[Request, ...]]:
        body, change = issue.body, self.platform.changing
        if issue.state == OPEN:
            mark = f"<!-- learnings:cleared {body.since} -->"
            comment = self.platform.comment(issue, mark, desired.closing_comment)
            close = change(issue, _marked(issue, run=desired.run), CLOSED, COMPLETED)
            if issue.is_locked:
                return f"closed without a comment: {LOCKED}", (close,)
            return "closed with a comment", (comment, close)
        if issue.is_refused and desired.verdict == NOT_DUE and not body.cleared:
            note = change(issue, _marked(issue, run=desired.run, cleared=True))
            return "left closed, with a note that consolidation was not due once", (note,)
        return "already closed", ()


def _is_as_meant(issue: Issue, desired: DesiredIssue) -> bool:
    """Return True if an issue has the desired text, from any run; the digest cannot tell.

    Line ends and spaces before them do not count, because an edit by hand changes them.
    """
    _, mark, rest = issue.body.generated.rpartition("\n\n---\n")
    footer = f"{mark}{rest}".strip()
    if not (mark and desired.is_footer(footer)):
        footer = desired.footer
    meant = _body(issue, desired._replace(run=issue.body.run, footer=footer))
    there, wanted = (
        [line.rstrip() for line in text.rstrip().replace("\r\n", "\n").split("\n")]
        for text in (issue.text, meant)
    )
    return there == wanted


def _body(issue: Issue | None, desired: DesiredIssue) -> str:
    notes = issue.body.notes if issue else "\n"
    is_open = issue is not None and issue.state == OPEN
    since = (issue.body.since if issue and is_open else "") or desired.moment
    longest = notes.replace("\r\n", "\n").replace("\n", "\r\n")  # as a page would send them
    fixed = length(body_text(Body(desired.file, desired.digest, notes=longest)))
    text = desired.text(ROOM - fixed - _SLACK - max(_FOOTER_ROOM, length(desired.footer)))
    generated = f"{text}\n\n{desired.footer}" if desired.footer else text
    body = Body(desired.file, desired.digest, desired.run, since, generated=generated, notes=notes)
    excess = length(body_text(body)) + _SLACK - ROOM
    if excess > 0:  # the task needs room
        body = body._replace(notes=notes[: max(0, len(notes) - excess - len(_CUT))] + _CUT)
    return body_text(body)


def _marked(issue: Issue, **fields: object) -> str:
    """Return the body of an issue with the non-empty fields set."""
    changed = {name: value for name, value in fields.items() if value}
    return body_text(issue.body._replace(**changed))  # type: ignore[arg-type]  # of several types


class IssueReconciler:
    """The issues of one label in one repository."""

    def __init__(self, client: Client, steps: Steps) -> None:
        self._client = client
        self._steps = steps
        self._platform = steps.platform
        self._written: dict[int, Issue] = {}
        self._locked: set[str] = set()  # paths of refused requests
        self._results: dict[int | None, str] = {}  # of issues with such a path

    def reconcile(
        self, desired_for: Callable[[Sequence[Issue]], Sequence[DesiredIssue]]
    ) -> list[IssueOutcome]:
        """Bring the issues into the desired state, and return the outcome for each file.

        desired_for takes all issues, which may be about other files. Raises PlatformError.
        """
        # The first round knows the result, the last the number.
        by_file: dict[str, IssueOutcome] = {}
        for attempt in range(_MOST_ROUNDS):
            issues = self.issues()
            outcomes = [self._steps.outcome_for(issues, one) for one in desired_for(issues)]
            for one in outcomes:
                by_file[one.file] = one._replace(result=by_file.get(one.file, one).result)
            todo = [one for one in outcomes if any(map(self._is_open, one.requests))]
            if not todo:
                said, rows = self._results, by_file.values()
                return [one._replace(result=said.get(one.number, one.result)) for one in rows]
            try:
                done = [
                    self._create(one.requests)
                    if one.number is None
                    else all(map(self._write, filter(self._is_open, one.requests)))
                    for one in todo
                ]
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
        for row in self._client.pages("issues", self._platform.query(self._steps.label)):
            issue = self._platform.as_issue(row)
            if issue and issue.is_refused and "closed_by" not in row:  # lists may leave it out
                single = self._client.get(f"issues/{issue.number}")
                issue = self._platform.as_issue(single) or issue
            if issue:
                by_number[issue.number] = issue
        return list(by_number.values())

    def _is_open(self, request: Request) -> bool:
        """Return False if a lock refuses it, or the platform has only normalized a text."""
        issue, is_text = request.issue, len(request.fields) == 1 and not request.marker
        written = self._written.get(issue.number) if issue else None
        is_same = written and issue and _version(written) == _version(issue)
        return request.path not in self._locked and not (is_same and is_text)

    def _write(self, request: Request) -> bool:
        """Change an issue or comment on it; return False if it has changed since it was read."""
        try:
            if request.marker:
                comments = self._client.pages(request.path, {})
                if not any(request.marker in str(comment.get("body")) for comment in comments):
                    self._client.write(*request[:3])
                return True
            now = self._platform.as_issue(self._client.get(request.path))
            if now is None or request.issue is None or _version(now) != _version(request.issue):
                return False
            changed = self._platform.as_issue(self._client.write(*request[:3]))
            if changed is not None:
                self._written[changed.number] = changed
        except LockedError:
            left = f"left as it was: {LOCKED}; unlock it"
            result = f"closed without a comment: {LOCKED}" if request.marker else left
            self._locked.add(request.path)
            self._results.setdefault(request.issue and request.issue.number, result)
        return True

    def _create(self, requests: Sequence[Request]) -> bool:
        platform, label = self._platform, self._steps.label
        created = platform.as_issue(self._client.create(requests, label))
        if created is None:
            raise PlatformError(
                f"{platform.name} did not create the issue as requested; check the newest issue"
            )
        # GitHub ignores the case of labels.
        if label.casefold() not in map(str.casefold, created.labels):
            with suppress(UnknownOutcome):
                self._client.write(*platform.changing(created, created.text, CLOSED)[:3])
            raise PlatformError(
                f"the token may not label issues, so #{created.number} could not be found again; "
                "close it if it is still open, and use a token with write access to the repository"
            )
        self._written[created.number] = created
        return True


def _version(issue: Issue) -> tuple[int, str, str]:
    return issue.number, issue.state, issue.text
