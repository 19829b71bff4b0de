"""Compare requests with the API as python-gitlab, a third-party client, knows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gitlab.v4.objects import (
    ProjectBranchManager,
    ProjectIssueManager,
    ProjectIssueNoteManager,
    ProjectManager,
    ProjectMemberAllManager,
)

from tests.support.stand_in import Request

PAGES = {"page", "per_page", "order_by", "sort"}
"""The client adds it to every list; the documentation has it for each of ours."""
# Not declared, but documented: https://docs.gitlab.com/api/project_members/
SEARCH = {ProjectMemberAllManager: {"query"}}
MANAGERS: tuple[Any, ...] = (
    ProjectBranchManager,
    ProjectIssueManager,
    ProjectIssueNoteManager,
    ProjectManager,
    ProjectMemberAllManager,
)


def wrong_request(path: str, request: Request) -> Iterator[str]:
    """Yield requests that python-gitlab would not send; path is relative to the API version."""
    manager, is_list = _manager_of(path)
    line = f"{request.method} {path}"
    if manager is None:
        yield f"{line} is nothing that python-gitlab knows"
        return
    if not request.headers.get("user-agent", "").startswith(("learnings/", "python-gitlab/")):
        yield f"{line} does not say who sends it"
    known = {*manager._list_filters, *PAGES, *SEARCH.get(manager, ())} if is_list else set()
    yield from (f"{line} has a query for {name}" for name in {*request.query} - known)
    attributes = {"POST": "_create_attrs", "PUT": "_update_attrs"}.get(request.method)
    fields = request.body or {}
    if attributes is None:
        yield from (f"{line} has the field {name}" for name in fields)
        return
    declared = getattr(manager, attributes)
    unknown = {*fields} - {*declared.required, *declared.optional}
    yield from (f"{line} has the field {name}" for name in unknown)
    yield from (f"{line} lacks the field {name}" for name in {*declared.required} - {*fields})


def _manager_of(path: str) -> tuple[Any, bool]:
    """Return the manager of a path, and whether the path is a list."""
    for manager in MANAGERS:
        pattern = re.sub(r"\{\w+\}", "[^/]+", manager._path)
        match = re.fullmatch(rf"{pattern}(/[^/]+)?", path)
        if match is not None:
            return manager, match[1] is None
    return None, False
