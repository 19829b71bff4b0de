"""The reusable workflow has no more trust than it needs."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from tests.support.checkout import pyproject
from tests.support.guard import ROOT

TEXT = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
JOBS: dict[str, dict[str, Any]] = yaml.safe_load(TEXT)["jobs"]


def test_actions_are_pinned_by_commit_with_their_version() -> None:
    used = re.findall(r"uses: (.*)", TEXT)
    assert used
    assert [
        action for action in used if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d\S*", action)
    ] == []


def test_nothing_is_permitted_but_reading() -> None:
    assert yaml.safe_load(TEXT)["permissions"] == {}
    granted = [job["permissions"] for job in JOBS.values()]
    assert [
        permissions for permissions in granted if permissions not in ({}, {"contents": "read"})
    ] == []


@pytest.mark.parametrize("job", sorted(JOBS))
def test_job_ends_and_leaves_no_token_in_the_checkout(job: str) -> None:
    assert JOBS[job]["timeout-minutes"] > 0
    for step in JOBS[job]["steps"]:
        if "checkout@" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_all_green_waits_for_every_job() -> None:
    last = JOBS["all-green"]
    assert set(last["needs"]) == set(JOBS) - {"all-green"}
    assert last["if"] == "always()"


def test_every_python_we_claim_is_tried_on_every_system() -> None:
    classifiers = pyproject()["project"]["classifiers"]
    claimed = [name.split(" :: ")[2] for name in classifiers if ":: Python :: 3." in name]
    matrix = JOBS["test"]["strategy"]["matrix"]
    assert matrix["python"] == claimed
    others = {
        (combination["os"].split("-")[0], combination["python"])
        for combination in matrix["include"]
    }
    ends = (claimed[0], claimed[-1])
    assert others == {(system, end) for system in ("macos", "windows") for end in ends}
