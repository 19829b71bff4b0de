"""The requests that write, as values: those that a run sends are those that a dry run shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from learnings.surfaces.github.steps import Change, Comment, Create, Step

_LABEL = {"color": "c5def5", "description": "kept by learnings: one issue for each memory file"}


class Request(NamedTuple):
    """One request: path below that of the repository, and the fields of its body.

    condition says when it is sent; empty for always.
    """

    method: str
    path: str
    fields: Mapping[str, Any]
    condition: str = ""


def requests_for(step: Step, label: str) -> list[Request]:
    """Return the requests of a step, in order.

    A change leaves the title, the labels and the people of an issue as they are.
    """
    match step:
        case Create(desired, body):
            fields = {"name": label, **_LABEL}
            labels = list(dict.fromkeys((label, *desired.labels)))
            issue = {"title": desired.title, "body": body, "labels": labels}
            people = {"assignees": list(desired.assignees)} if desired.assignees else {}
            return [
                Request("POST", "labels", fields, "there is no such label yet"),
                Request("POST", "issues", issue | people),
            ]
        case Change(issue, body, state, reason):
            changes = {"body": body, "state": state, "state_reason": reason}
            fields = {name: value for name, value in changes.items() if value is not None}
            return [Request("PATCH", f"issues/{issue.number}", fields)]
        case Comment(issue, marker, text):
            path = f"issues/{issue.number}/comments"
            fields = {"body": f"{text}\n\n{marker}"}
            return [Request("POST", path, fields, "it has not been said there yet")]
