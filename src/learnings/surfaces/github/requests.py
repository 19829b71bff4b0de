"""The requests that write, as values; the dry run shows the same ones that are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from learnings.surfaces.github.reconcile import Change, Comment, Create, Step

_LOOK = {"color": "c5def5", "description": "kept by learnings: one issue for each memory file"}


class Request(NamedTuple):
    """One request: path below that of the repository, and the fields of its body."""

    method: str
    path: str
    fields: Mapping[str, Any]
    only_if: str = ""


def requests_of(step: Step, label: str) -> Iterator[Request]:
    """The requests that a step comes to; `only_if` says when one of them is left out."""
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
    """What the label is made of."""
    return {"name": label, **_LOOK}


def create_fields(step: Create, label: str) -> dict[str, Any]:
    """What a new issue is made of."""
    labels = list(dict.fromkeys((label, *step.desired.labels)))
    fields: dict[str, Any] = {"title": step.title, "body": step.body, "labels": labels}
    return fields | ({"assignees": list(step.desired.assignees)} if step.desired.assignees else {})


def change_fields(step: Change) -> dict[str, Any]:
    """What of an issue is changed; its title, labels and people are left as they are."""
    fields: dict[str, Any] = {"body": step.body}
    if step.state is not None:
        fields["state"] = step.state
    if step.reason is not None:
        fields["state_reason"] = step.reason
    return fields


def comment_fields(step: Comment) -> dict[str, Any]:
    """What a comment says."""
    return {"body": f"{step.text}\n\n{step.mark}"}
