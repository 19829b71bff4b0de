"""The requests that write, as values; a dry run shows the same ones that are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


def requests_for(step: Step, label: str) -> Iterator[Request]:
    """Give the requests of a step, in order."""
    match step:
        case Create():
            yield Request("POST", "labels", label_fields(label), "there is no such label yet")
            yield Request("POST", "issues", create_fields(step, label))
        case Change():
            yield Request("PATCH", f"issues/{step.issue.number}", change_fields(step))
        case Comment():
            path = f"issues/{step.issue.number}/comments"
            yield Request("POST", path, comment_fields(step), "it has not been said there yet")


def label_fields(label: str) -> dict[str, Any]:
    """Return the fields of our label."""
    return {"name": label, **_LABEL}


def create_fields(step: Create, label: str) -> dict[str, Any]:
    """Return the fields of a new issue."""
    labels = list(dict.fromkeys((label, *step.desired.labels)))
    fields: dict[str, Any] = {"title": step.desired.title, "body": step.body, "labels": labels}
    return fields | ({"assignees": list(step.desired.assignees)} if step.desired.assignees else {})


def change_fields(step: Change) -> dict[str, Any]:
    """Return the fields of an issue that change; title, labels and people are left as they are."""
    fields = {"body": step.body, "state": step.state, "state_reason": step.reason}
    return {name: value for name, value in fields.items() if value is not None}


def comment_fields(step: Comment) -> dict[str, Any]:
    """Return the fields of a comment."""
    return {"body": f"{step.text}\n\n{step.marker}"}
