"""The parts of issues that differ between platforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from learnings.surfaces.issues.access import Api
from learnings.surfaces.issues.ci_run import CiRun
from learnings.surfaces.issues.client import Client, JsonObject
from learnings.surfaces.issues.issues import Issue
from learnings.surfaces.issues.steps import IssueStep, Request


class Platform(Api, Protocol):
    """A platform; placeholder replaces an unknown repository in a dry run."""

    placeholder: str
    branch_setting: str
    history_setting: str

    def read_run(self, environ: Mapping[str, str]) -> CiRun:
        """Return the run of the environment. Raises UsageProblem if it cannot be read."""

    def checked_repository(self, run: CiRun) -> str:
        """Return the repository of a run. Raises UsageProblem if the environment names none."""

    def missing_token(self, environ: Mapping[str, str]) -> str:
        """Return a sentence about an environment without a token."""

    def query(self, label: str) -> Mapping[str, str]:
        """Return the query for all issues with a label, the oldest first."""

    def as_issue(self, document: Mapping[str, object]) -> Issue | None:
        """Return an issue of the API, or None for one without our marker.

        Raises PlatformError for another shape: skipping it could create a second issue.
        """

    def requests_for(self, step: IssueStep, label: str) -> list[Request]:
        """Return the requests of a step, in order; a change keeps title, labels and assignees."""

    def create(self, client: Client, requests: Sequence[Request], label: str) -> JsonObject:
        """Send the requests that create an issue, and return it."""

    def harmless(self, text: str) -> str:
        """Return text of an issue without commands that the platform would carry out."""

    def default_branch(self, client: Client) -> str:
        """Return the name of the default branch."""

    def newest_commit(self, client: Client, branch: str) -> str | None:
        """Return the newest commit of a branch, or None if it cannot be seen."""
