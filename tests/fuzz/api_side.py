"""The stand-ins that `tests/fuzz/api.py` attacks the client of, and what differs between them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.support.github import server as github
from tests.support.github.forge import Forge
from tests.support.gitlab import server as gitlab
from tests.support.gitlab.forge import Project
from tests.support.stand_in import StandIn


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
    state: str
    fresh: type[Any]
    variables: Mapping[str, str]
    address: str

    def serving(self) -> AbstractContextManager[Any]:
        serving: AbstractContextManager[Any] = self.server.serving()
        return serving

    def renew(self, stand_in: StandIn) -> None:
        """Reset the stand-in to a state without issues."""
        setattr(stand_in, self.state, self.fresh(address=self.forge(stand_in).address))

    def forge(self, stand_in: StandIn) -> Any:  # noqa: ANN401
        return getattr(stand_in, self.state)

    def text_of(self, issue: Any) -> str:  # noqa: ANN401
        return getattr(issue, self.text) or ""


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
        state="forge",
        fresh=Forge,
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
        state="project",
        fresh=Project,
        variables={"GITLAB_TOKEN": gitlab.TOKEN, "CI_PROJECT_ID": "42"},
        address="CI_API_V4_URL",
    ),
}
