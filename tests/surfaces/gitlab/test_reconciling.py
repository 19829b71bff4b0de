"""The issues on GitLab reach the desired state, whatever goes wrong on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from learnings.core.due.verdicts import DUE
from learnings.surfaces.gitlab import GITLAB
from learnings.surfaces.issues.access import BUDGET, PlatformError, Token
from learnings.surfaces.issues.client import Client
from learnings.surfaces.issues.issues import DesiredIssue, Issue, read_body
from learnings.surfaces.issues.reconciler import IssueReconciler
from learnings.surfaces.issues.steps import IssueOutcome
from tests.support.forge import Issue as Kept
from tests.support.forge import refused
from tests.support.gitlab.server import BASE, TOKEN, GitLab, serving
from tests.support.stand_in import Answer, Fault
from tests.surfaces.issues.clock import Standing
from tests.surfaces.issues.test_reconciler import desired

ISSUES, ISSUE = f"POST {BASE}/issues", f"PUT {BASE}/issues/1"


def none_removed(_issues: Sequence[Issue]) -> list[DesiredIssue]:
    return []


def reconcile(
    gitlab: GitLab, *desired_issues: DesiredIssue, time: Standing | None = None
) -> list[IssueOutcome]:
    clock = (time or Standing()).clock
    client = Client(GITLAB, gitlab.url, "42", Token(TOKEN, "GITLAB_TOKEN"), clock=clock)
    reconciler = IssueReconciler(GITLAB, client, "learnings")
    return reconciler.reconcile(desired_issues, for_removed=none_removed)


def about(gitlab: GitLab, file: str = "a.md") -> list[Kept]:
    """Return the open issues about a file."""
    bodies = ((issue, read_body(issue.body)) for issue in gitlab.forge.open_issues())
    return [issue for issue, body in bodies if body and body.marker.file == file]


def test_the_whole_life_of_an_issue(gitlab: GitLab) -> None:
    def step(*desired_issues: DesiredIssue) -> tuple[str, list[str]]:
        gitlab.forget()
        (outcome,) = reconcile(gitlab, *desired_issues)
        return outcome.result, gitlab.writes

    assert step(desired(due=False)) == ("not needed", [])
    assert step(desired("one")) == ("created", [ISSUES])
    (issue,) = about(gitlab)
    assert (issue.title, issue.labels) == ("Consolidate a.md", ["learnings", "bug"])
    assert issue.assignees == [7]
    assert step(desired("one")) == ("unchanged: already up to date", [])
    assert step(desired("two")) == ("updated", [ISSUE])
    assert "Task two." in (issue.body or "")
    result, writes = step(desired(due=False))
    assert result == "closed with a comment"
    assert writes == [f"POST {BASE}/issues/1/notes", ISSUE]
    assert (issue.state, len(issue.comments)) == ("closed", 1)
    assert issue.comments[0].startswith("Not due any more.\n")
    assert step(desired(due=False)) == ("already closed", [])
    assert step(desired("two")) == ("reopened", [ISSUE])
    assert issue.state == "opened"
    issue.labels.append("snooze:2026-05-02")
    assert step(desired("four")) == ("left alone until 2026-05-02, as its label says", [])
    issue.state = "closed"
    assert step(desired("four")) == ("left alone until 2026-05-02, as its label says", [])
    issue.labels.remove("snooze:2026-05-02")
    assert step(desired("four")) == ("reopened", [ISSUE])
    assert list(gitlab.forge.issues) == [1]


def test_what_people_do_to_an_issue_stays(gitlab: GitLab) -> None:
    reconcile(gitlab, desired("one"))
    (issue,) = about(gitlab)
    issue.title, issue.assignees, issue.confidential = "Ours", [8], True
    issue.labels.append("soon")
    issue.body = f"{issue.body}\n\nWait for the release."
    reconcile(gitlab, desired("two"))
    assert (issue.title, issue.assignees, issue.confidential) == ("Ours", [8], True)
    assert issue.labels == ["learnings", "bug", "soon"]
    assert "Task two." in issue.body
    assert issue.body.endswith("-->\n\nWait for the release.")
    sent = [seen.body for seen in gitlab.seen if seen.method in ("POST", "PUT")]
    assert not any("confidential" in body for body in sent)


def test_an_assignee_is_looked_up_by_the_whole_account(gitlab: GitLab) -> None:
    reconcile(gitlab, desired()._replace(assignees=("Ada2", "grace")))
    (issue,) = about(gitlab)
    assert issue.assignees == [9, 8]


def test_an_assignee_who_is_no_member_is_named_before_anything_is_written(gitlab: GitLab) -> None:
    with pytest.raises(
        PlatformError, match="ad is not a member of project 42; correct `assignees`"
    ):
        reconcile(gitlab, desired()._replace(assignees=("ad",)))
    assert gitlab.writes == []


@pytest.mark.parametrize("row", [{"username": "ada"}, {"username": 3, "id": 7}])
def test_a_member_of_another_shape(gitlab: GitLab, row: dict[str, object]) -> None:
    gitlab.faults = [Fault("members", Answer(200, [row]))]
    with pytest.raises(PlatformError, match="does not respond like GitLab"):
        reconcile(gitlab, desired())
    assert gitlab.writes == []


def test_a_token_that_may_not_label_leaves_no_issue_open(gitlab: GitLab) -> None:
    gitlab.forge.may_label = False
    with pytest.raises(PlatformError, match="may not label issues, so #1 could not be found"):
        reconcile(gitlab, desired())
    assert gitlab.forge.open_issues() == []


def test_issues_that_are_switched_off(gitlab: GitLab) -> None:
    gitlab.forge.has_issues = False
    with pytest.raises(PlatformError, match="enable issues there, or use `learnings notify"):
        reconcile(gitlab, desired())
    assert gitlab.forge.issues == {}


def test_duplicates_are_closed_for_the_oldest(gitlab: GitLab) -> None:
    reconcile(gitlab, desired())
    (issue,) = about(gitlab)
    for _ in range(2):
        gitlab.forge.add("Again", issue.body or "", labels=["learnings"])
    reconcile(gitlab, desired())
    assert about(gitlab) == [issue]
    assert "Duplicate of #1" in (gitlab.forge.issues[3].body or "")
    gitlab.forget()
    reconcile(gitlab, desired())
    assert gitlab.writes == []


def test_other_issues_with_the_label_are_left_alone(gitlab: GitLab) -> None:
    theirs = gitlab.forge.add("By hand", "A text", labels=["learnings"])
    reconcile(gitlab, desired())
    assert (theirs.body, theirs.state) == ("A text", "opened")
    assert [issue.number for issue in about(gitlab)] == [2]


def test_an_issue_that_a_list_does_not_show_yet_is_not_made_again(gitlab: GitLab) -> None:
    gitlab.forge.lag = 1
    reconcile(gitlab, desired())
    assert list(gitlab.forge.issues) == [1]


FAULTS = {
    "502": Fault("", refused(502, "Bad Gateway")),
    "502 after it was done": Fault("", refused(502, "Bad Gateway"), handled=True),
    "dropped": Fault(""),
    "dropped after it was done": Fault("", handled=True),
    "429": Fault("", refused(429, "Too many", Retry_After="5")),
    "broken off": Fault("", handled=True, breaks_off=True),
}
LIVES = {
    "open": (desired("one"),),
    "change": (desired("one"), desired("two")),
    "close": (desired("one"), desired(due=False)),
    "reopen": (desired("one"), desired(due=False), desired("two")),
}


@pytest.mark.slow
@pytest.mark.parametrize("life", LIVES)
def test_one_fault_leaves_one_issue(life: str) -> None:
    requests = ("GET .*/issues$", "GET .*/issues/", "GET .*/members", "POST", "PUT")
    failures = [
        f"{name} of {matching}: {problem}"
        for matching, name in product(requests, FAULTS)
        for problem in wrong_after(FAULTS[name]._replace(matching=matching), life)
    ]
    assert failures == []


def wrong_after(fault: Fault, life: str) -> Iterator[str]:
    """Yield the errors after the last run of a history with one fault."""
    *before, last = LIVES[life]
    time = Standing()
    with serving() as gitlab:
        for earlier in before:
            reconcile(gitlab, earlier)
        gitlab.faults = [fault]
        try:
            reconcile(gitlab, last, time=time)
        except PlatformError as error:
            yield str(error)
        yield from gitlab.problems
    texts = [issue.body or "" for issue in about(gitlab)]
    comments = sum(len(issue.comments) for issue in gitlab.forge.issues.values())
    if last.verdict == DUE and not (len(texts) == 1 and last.text(0) in texts[0]):
        yield f"open: {texts}"
    if last.verdict != DUE and (texts or comments != 1):
        yield f"open: {texts}, comments: {comments}"
    if list(gitlab.forge.issues) != [1]:
        yield f"issues {list(gitlab.forge.issues)}"
    if sum(time.waits) > BUDGET:
        yield f"waits {time.waits}"
