"""From verdicts to what their issues should be like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from learnings.app.consolidate.suggestions import Suggestions
from learnings.core.due.triggers import DUE, NOT_DUE, Verdict
from learnings.core.settings.issue import TITLES, IssueSettings
from learnings.core.text import printable
from learnings.surfaces.github.issues import Issue
from learnings.surfaces.github.marker import digest_of
from learnings.surfaces.github.reconcile import DesiredIssue
from learnings.surfaces.render import issue_body
from learnings.surfaces.render.escape import span
from learnings.surfaces.render.issue_body import Stamp, Target, Task

_LONGEST_TITLE = 256  # characters that GitHub takes
_ROOM_FOR_DIGEST = 1_000_000  # the whole task, however much of it an issue has room for


class Frame(NamedTuple):
    """What the desired issues of a run share; `suggestions` knows more about a file that is due."""

    settings: IssueSettings
    targets: tuple[Target, ...]
    today: str
    moment: str
    number: int = 0
    url: str | None = None
    suggestions: Callable[[Verdict], Suggestions] = lambda _verdict: Suggestions()


def desired_for(verdict: Verdict, frame: Frame) -> DesiredIssue:
    """What the issue about a file should be like, by the verdict on it."""
    settings, file = frame.settings, verdict.report.file
    known = frame.suggestions(verdict) if verdict.verdict == DUE else Suggestions()
    task = Task(
        verdict,
        targets=frame.targets,
        sections=known.sections,
        destinations=known.destinations,
        mention=settings.mention,
        titles_only=settings.body == TITLES,
    )
    stamp = Stamp(verdict.report.history.head, frame.moment, frame.url)
    return DesiredIssue(
        file=file,
        verdict=verdict.verdict,
        title=printable(settings.title_for(file))[:_LONGEST_TITLE],
        labels=settings.labels,
        assignees=settings.assignees,
        ours=partial(_ours, task, stamp),
        digest=digest_of(issue_body.content(task, _ROOM_FOR_DIGEST)),
        cleared=issue_body.cleared(verdict, stamp),
        over=not verdict.triggered or verdict.switched_off,
        today=frame.today,
        moment=frame.moment,
        run=frame.number,
    )


def desired_for_gone(
    frame: Frame, is_there: Callable[[str], bool], issues: Sequence[Issue]
) -> list[DesiredIssue]:
    """The wish to close the issues about files that are not there any more."""
    files = sorted({each.body.marker.file for each in issues})
    return [_farewell(file, frame) for file in files if not is_there(file)]


def _farewell(file: str, frame: Frame) -> DesiredIssue:
    return DesiredIssue(
        file=file,
        verdict=NOT_DUE,
        title="",
        labels=(),
        assignees=(),
        ours=lambda _room: "",
        digest="",
        cleared=f"There is no file {span(file)} any more, so there is nothing to consolidate.",
        over=True,
        today=frame.today,
        moment=frame.moment,
        run=frame.number,
    )


def _ours(task: Task, stamp: Stamp, room: int) -> str:
    foot = issue_body.footer(stamp)
    return f"{issue_body.content(task, room - len(foot) - 2)}\n\n{foot}"
