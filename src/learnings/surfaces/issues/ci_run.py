"""The CI run that a command is part of, and whether it may write issues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

_MOST_DIGITS = 20  # of the number of a run; GitHub's have 11


class CiRun(NamedTuple):
    """The facts about a run; unknown text is empty and an unknown number 0.

    event is empty outside of CI. ref has the form refs/heads/NAME or refs/tags/NAME. base is the
    commit of the target branch for a pull request, and for a push the one that the branch pointed
    at before; empty for a new or deleted branch and for a tag. A run has its page at runs_url with
    its number appended. event_writes is False for events that write no issues, is_on_default True
    for those that exist on the default branch alone.
    """

    event: str
    ref: str
    repository: str
    number: int
    url: str | None
    api: str
    default_branch: str
    base: str
    in_actions: bool = False
    runs_url: str = ""
    is_pull_request: bool = False
    event_writes: bool = True
    is_on_default: bool = False

    @property
    def branch(self) -> str:
        """The branch of the run; empty for a tag or a pull request."""
        return self.ref.removeprefix("refs/heads/") if self.ref.startswith("refs/heads/") else ""


def known_commit(text: str) -> str:
    """Return the commit in an event or a variable, or "" for the zeros that stand for none."""
    return text if text.strip("0") else ""


def run_number(environ: Mapping[str, str], variable: str) -> str:
    """Return the digits of a run number, or "" if the variable has none."""
    text = environ.get(variable, "")
    return text if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else ""


def reason_not_to_write(
    run: CiRun, branch: str, default_branch: Callable[[], str], *, setting: str
) -> str | None:
    """Return why a run writes no issues, as the rest of a sentence, or None if it does.

    branch is the checked-out branch. default_branch is called if the event does not name it.
    setting is the option that names the branch of a detached HEAD.
    """
    if run.is_pull_request:
        return "this change is not merged; issues are updated only for the default branch"
    if not run.event_writes:
        return f"issues are not updated for the event {run.event}"
    if run.is_on_default:
        return None
    current = run.branch or ("" if run.event else branch)
    if current:
        default = run.default_branch or default_branch()
        is_default = current == default
        return None if is_default else f"{current} is not the default branch, which is {default}"
    if run.ref.startswith("refs/tags/"):
        tag = run.ref.removeprefix("refs/")
        return f"{tag} is not a branch; issues are updated only for the default branch"
    return f"no branch is checked out; set {setting} to name it"
