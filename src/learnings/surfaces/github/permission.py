"""Whether this run may write issues: only one about the default branch may."""

from __future__ import annotations

from collections.abc import Callable

from learnings.surfaces.github.run import Run

SCHEDULE = "schedule"
_WRITING_EVENTS = ("", "push", SCHEDULE, "workflow_dispatch", "repository_dispatch", "workflow_run")


def why_not(run: Run, branch: str, default_branch: Callable[[], str]) -> str | None:
    """Why issues are not written, as the rest of a sentence; None where they are.

    branch is the one that is checked out, for runs outside of GitHub Actions; default_branch asks
    for the name of the default one, and is called only where nothing else tells.
    """
    if run.is_pull_request:
        return "this change is not merged yet; issues are written for the default branch only"
    if run.event not in _WRITING_EVENTS:
        return f"the event {run.event} is none that issues are written for"
    if run.event == SCHEDULE:  # which GitHub starts for the default branch alone
        return None
    here = run.branch or ("" if run.event else branch)
    if not here:
        return _no_branch(run)
    usual = run.default_branch or default_branch()
    if here != usual:
        return f"{here} is not the default branch, which is {usual}"
    return None


def _no_branch(run: Run) -> str:
    if run.ref.startswith("refs/tags/"):
        return (
            f"{run.ref.removeprefix('refs/')} is no branch; issues are written for the default one"
        )
    return "no branch is checked out; set GITHUB_REF=refs/heads/NAME to say which one it is"
