"""The stand-ins that `tests/fuzz/api.py` attacks the client of, and what differs between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.forge import Forge, Issue
from tests.support.github import server as github
from tests.support.gitlab import server as gitlab


@dataclass(frozen=True)
class Side:
    """lines are for faults, as patterns of `METHOD /path`; fields are those of an issue."""

    name: str
    base: str
    token: str
    lines: tuple[str, ...]
    fields: tuple[str, ...]
    text: str
    server: Any
    variables: Mapping[str, str]
    address: str

    def forge(self, stand_in: Any) -> Forge:  # noqa: ANN401
        forge: Forge = stand_in.forge
        return forge

    def text_of(self, issue: Issue) -> str:
        return issue.body or ""


SIDES = {
    "github": Side(
        name="github",
        base=github.BASE,
        token=github.TOKEN,
        lines=(
            *("GET .*", ".*", f"GET {github.BASE}$", f"GET {github.BASE}/issues$"),
            *(f"GET {github.BASE}/issues/", "GET .*/comments", "GET .*/labels", "GET .*/git"),
            *("POST .*", f"POST {github.BASE}/issues$", "POST .*/comments", "POST .*/labels"),
            "PATCH .*",
        ),
        fields=("number", "state", "body", "labels", "state_reason", "title", "user"),
        text="body",
        server=github,
        variables={"GITHUB_TOKEN": github.TOKEN, "GITHUB_REPOSITORY": "ada/parcels"},
        address="GITHUB_API_URL",
    ),
    "gitlab": Side(
        name="gitlab",
        base=gitlab.BASE,
        token=gitlab.TOKEN,
        lines=(
            *("GET .*", ".*", f"GET {gitlab.BASE}$", f"GET {gitlab.BASE}/issues$"),
            *(f"GET {gitlab.BASE}/issues/", "GET .*/notes", "GET .*/members", "GET .*/branches"),
            *("POST .*", f"POST {gitlab.BASE}/issues$", "POST .*/notes", "PUT .*"),
        ),
        fields=("iid", "state", "description", "labels", "title", "author", "confidential"),
        text="description",
        server=gitlab,
        variables={"GITLAB_TOKEN": gitlab.TOKEN, "CI_PROJECT_ID": "42"},
        address="CI_API_V4_URL",
    ),
}
