"""The reusable workflow has no more trust than it needs."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tests.support.checkout import pyproject
from tests.support.guard import ROOT

TEXT = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
JOBS: dict[str, dict[str, Any]] = yaml.safe_load(TEXT)["jobs"]


def test_actions_are_pinned_by_commit_with_their_version() -> None:
    used = re.findall(r"uses: (.*)", TEXT)
    assert used
    pinned = re.compile(r"\S+@[0-9a-f]{40} # v\d\S*")
    assert [action for action in used if not pinned.fullmatch(action)] == []


def test_jobs_end_only_read_and_leave_no_token_in_the_checkout() -> None:
    assert yaml.safe_load(TEXT)["permissions"] == {}
    for name, job in JOBS.items():
        assert job["permissions"] in ({}, {"contents": "read"}), name
        assert job["timeout-minutes"] > 0, name
        for step in job["steps"]:
            if "checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False, name


def test_all_green_waits_for_every_job() -> None:
    last = JOBS["all-green"]
    assert set(last["needs"]) == set(JOBS) - {"all-green"}
    assert last["if"] == "always()"


def test_every_python_we_claim_is_tried_on_every_system() -> None:
    classifiers = pyproject()["project"]["classifiers"]
    claimed = [name.split(" :: ")[2] for name in classifiers if ":: Python :: 3." in name]
    (suite,) = [step["with"] for step in JOBS["suite"]["steps"] if "setup-python@" in str(step)]
    matrix = JOBS["test"]["strategy"]["matrix"]
    assert [suite["python-version"], *matrix["python"]] == claimed
    others = {(row["os"].split("-")[0], row["python"]) for row in matrix["include"]}
    ends = (claimed[0], claimed[-1])
    assert others == {(system, end) for system in ("macos", "windows") for end in ends}
