"""From verdicts to the issues that there should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from learnings.app.consolidate.suggestions import Suggestions
from learnings.core.due.verdicts import DUE, NOT_DUE, Verdict
from learnings.core.settings.feature_tables import TITLES, IssueSettings
from learnings.core.text import printable
from learnings.forms.memory_form import FormStatus
from learnings.surfaces.github.issues import DesiredIssue, Issue, digest_of
from learnings.surfaces.render import issue_body
from learnings.surfaces.render.escape import span
from learnings.surfaces.render.issue_body import IssueTask, Stamp, TargetRoom

_LONGEST_TITLE = 256  # characters that GitHub accepts
_ROOM_FOR_DIGEST = 1_000_000  # the whole task, however much of it an issue has room for


class IssueContext(NamedTuple):
    """Values that the desired issues of a run share.

    suggestions is called for a file that is due. runs_url ends where the number of a run follows;
    empty if unknown. forms are the statuses of other memory that count there, too.
    """

    settings: IssueSettings
    targets: tuple[TargetRoom, ...]
    today: str
    moment: str
    run: int = 0
    run_url: str | None = None
    runs_url: str = ""
    suggestions: Callable[[Verdict], Suggestions] = lambda _verdict: Suggestions()
    forms: tuple[FormStatus, ...] = ()


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
    stamp = Stamp(verdict.report.history.head, context.moment, context.run_url)
    return DesiredIssue(
        file=file,
        verdict=verdict.verdict,
        title=printable(settings.title_for(file))[:_LONGEST_TITLE],
        labels=settings.labels,
        assignees=settings.assignees,
        text=partial(issue_body.content, task),
        digest=digest_of(issue_body.content(task, _ROOM_FOR_DIGEST)),
        closing_comment=issue_body.closing_comment(verdict, stamp),
        is_cleared=verdict.verdict == NOT_DUE,
        today=context.today,
        moment=context.moment,
        run=context.run,
        footer=issue_body.footer(stamp),
        is_footer=partial(issue_body.is_footer, runs_url=context.runs_url),
    )


def desired_for_removed(
    context: IssueContext, is_file: Callable[[str], bool], issues: Sequence[Issue]
) -> list[DesiredIssue]:
    """Return desired issues, closed ones, for the files that issues name and that do not exist."""
    files = sorted({issue.body.marker.file for issue in issues})
    return [_closed(file, context) for file in files if not is_file(file)]


def _closed(file: str, context: IssueContext) -> DesiredIssue:
    return DesiredIssue(
        file=file,
        verdict=NOT_DUE,
        title="",
        labels=(),
        assignees=(),
        text=lambda _room: "",
        digest="",
        closing_comment=f"There is no file {span(file)} any more, so there is nothing to "
        "consolidate.",
        is_cleared=True,
        today=context.today,
        moment=context.moment,
        run=context.run,
    )
