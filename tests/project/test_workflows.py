"""Workflows on the server are valid, pinned, and have no more rights than needed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import learnings
from release import names
from tests.support import documents
from tests.support.checkout import files, pyproject
from tests.support.guard import ROOT

WORKFLOWS = [*sorted((ROOT / ".github/workflows").glob("*.yml"))]
EXAMPLES = [*sorted((ROOT / "examples/workflows").glob("*.yml"))]
ACTION = ROOT / "action.yml"
ALL = [*WORKFLOWS, *EXAMPLES, ACTION]
DEPENDABOT = ROOT / ".github/dependabot.yml"
# The first major version of each action that runs on Node 24: runners retire Node 20.
ON_NODE_24 = {
    "attest": 3,
    "checkout": 5,
    "download-artifact": 7,
    "setup-python": 6,
    "upload-artifact": 6,
}
SCRIPTS = Path(sysconfig.get_path("scripts"))
ADDRESS = learnings.HOME.removeprefix("https://github.com/") or names.SERVER
OURS = rf"{ADDRESS}(/\.github/workflows/learnings\.yml)?@{learnings.REVISION}"
# Whatever is granted beyond reading the repository, by file and job.
GRANTED = {
    ("learnings.yml", "keep"): {"contents": "read", "issues": "write"},
    ("release.yml", "publish"): {"contents": "write", "id-token": "write", "attestations": "write"},
    ("release.yml", "index"): {"id-token": "write"},
}
READS = {"contents": "read"}
EVENTS = '["pull_request", "pull_request_target", "merge_group"]'


def load(path: Path) -> dict[Any, Any]:
    content: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content


def jobs(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from load(path)["jobs"].items()


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPTS / program, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["actions", "workflows", "dependabot"])
def test_they_are_valid(kind: str) -> None:
    paths = {"actions": [ACTION], "dependabot": [DEPENDABOT]}.get(kind, [*WORKFLOWS, *EXAMPLES])
    schema = "vendor.dependabot" if kind == "dependabot" else f"vendor.github-{kind}"
    done = run("check-jsonschema", "--builtin-schema", schema, *map(str, paths))
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("persona", ["regular", "pedantic", "auditor"])
def test_the_auditor_has_nothing_to_say_at_any_level(persona: str) -> None:
    words = ("--offline", "--no-progress", "--persona", persona, "--config")
    done = run("zizmor", *words, ".github/zizmor.yml", *map(str, (*ALL, DEPENDABOT)))
    assert done.returncode == 0, done.stdout
    assert "No findings to report" in done.stdout


def test_what_others_made_is_pinned_once_and_ours_by_this_version() -> None:
    pinned = rf"(?:actions|pypa)/\S+@[0-9a-f]{{40}} # v\d\S*|{OURS}"
    texts = {path: path.read_text(encoding="utf-8") for path in ALL}
    for path, text in texts.items():
        used = re.findall(r"uses: (.*)", text)
        assert used, path
        assert [action for action in used if not re.fullmatch(pinned, action)] == [], path
    pins = set(re.findall(r"uses: (actions/[^@]+)@\S+ # (v\S+)", "".join(texts.values())))
    versions = dict(pins)
    assert len(pins) == len(versions)
    major = {name: int(version[1:].partition(".")[0]) for name, version in pins}
    assert [name for name in major if major[name] < ON_NODE_24[name.partition("/")[2]]] == []
    shown = [
        (page.name, action, version)
        for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
        for action, version in re.findall(r"(actions/[\w-]+)@(\S+)", page.read_text("utf-8"))
    ]
    assert shown
    assert [row for row in shown if f"v{major[row[1]]}" != row[2]] == []


def test_every_folder_with_pins_is_updated_and_the_page_shows_the_example() -> None:
    page = next(block for block in documents.of("yaml") if block.page == "docs/ci.md")
    example = (ROOT / "examples/workflows/learnings.yml").read_text(encoding="utf-8")
    assert page.text == example[example.index("name:") :]
    (update,) = load(DEPENDABOT)["updates"]
    assert update["package-ecosystem"] == "github-actions"
    folders = {path.parent.relative_to(ROOT).as_posix() for path in ALL}
    assert {"/"} | {f"/{name}" for name in folders - {".", ".github/workflows"}} == {
        *update["directories"]
    }
    assert update["groups"] == {"actions": {"patterns": ["*"]}}


def test_nobody_has_more_rights_than_needed() -> None:
    for path in (*WORKFLOWS, *EXAMPLES):
        assert load(path)["permissions"] == {}, path
        for name, job in jobs(path):
            reads = {} if (path.stem, name) == ("learnings-fleet", "merge") else READS
            if path in EXAMPLES:  # it grants what the reusable workflow asks for
                asked = GRANTED["learnings.yml", "keep"] if "uses" in job else reads
                assert job["permissions"] == asked, path
                continue
            assert job["permissions"] in ({}, GRANTED.get((path.name, name), READS)), path
            assert job["timeout-minutes"] > 0, path
            for step in job["steps"]:
                if "checkout@" in step.get("uses", ""):
                    assert step["with"]["persist-credentials"] is False, path


def test_each_push_is_tested_each_night_soaked_and_the_schedule_stands_alone() -> None:
    triggers = {path.name: set(load(path)[True]) for path in EXAMPLES}
    assert triggers == {
        "learnings.yml": {"push", "pull_request", "merge_group"},
        "learnings-schedule.yml": {"schedule", "workflow_dispatch"},
        "learnings-verify.yml": {"pull_request", "merge_group"},
        "learnings-fleet.yml": {"schedule", "workflow_dispatch"},
    }
    assert set(load(ROOT / ".github/workflows/learnings.yml")[True]) == {"workflow_call"}
    ci, night, release = (
        load(ROOT / f".github/workflows/{name}.yml") for name in ("ci", "soak", "release")
    )
    assert "push" in ci[True]
    assert {"run": "make test"} in ci["jobs"]["suite"]["steps"]
    assert "schedule" in night[True]
    for workflow in (night, release):
        assert {"run": "make soak"} in workflow["jobs"]["soak"]["steps"]
    assert all("soak" in release["jobs"][name]["needs"] for name in ("publish", "index"))


def test_one_job_of_the_reusable_workflow_runs_for_each_event() -> None:
    by_name = dict(jobs(ROOT / ".github/workflows/learnings.yml"))
    assert by_name["check"]["if"].strip() == f"contains(fromJSON('{EVENTS}'), github.event_name)"
    assert by_name["keep"]["if"].strip() == f"!contains(fromJSON('{EVENTS}'), github.event_name)"
    assert "notify" not in by_name["check"]["steps"][-1]["with"]
    for job in by_name.values():  # calls for several folders do not cancel each other
        group = job["concurrency"]["group"]
        assert "${{ inputs.working-directory }} ${{ inputs.files }}" in group


def test_inputs_and_outputs_reach_the_action() -> None:
    action, workflow = load(ACTION), load(ROOT / ".github/workflows/learnings.yml")
    call = workflow[True]["workflow_call"]
    assert set(action["inputs"]) == {*call["inputs"], "unshallow", "token"}
    assert set(action["outputs"]) == {*call["outputs"], "report-path"}
    for name, job in workflow["jobs"].items():
        step = job["steps"][-1]
        assert step["id"] == "learnings"
        known = {key for key in step["with"] if key != "token"}
        assert all(step["with"][key] == f"${{{{ inputs.{key} }}}}" for key in known)
        if name == "keep":
            assert known == set(call["inputs"])
            assert set(job["outputs"]) == set(call["outputs"])


def test_no_input_is_pasted_into_a_script() -> None:
    texts = [step.get("run", "") for step in load(ACTION)["runs"]["steps"]]
    for path in WORKFLOWS:
        texts += [step.get("run", "") for _, job in jobs(path) for step in job["steps"]]
    assert [text for text in texts if "${{" in text] == []


def test_all_green_waits_for_every_job_and_every_python_we_claim_is_tried() -> None:
    by_name = dict(jobs(ROOT / ".github/workflows/ci.yml"))
    last = by_name["all-green"]
    assert set(last["needs"]) == set(by_name) - {"all-green"}
    assert last["if"] == "always()"
    classifiers = pyproject()["project"]["classifiers"]
    claimed = [name.split(" :: ")[2] for name in classifiers if ":: Python :: 3." in name]
    steps = by_name["suite"]["steps"]
    (suite,) = [step["with"] for step in steps if "setup-python@" in str(step)]
    matrix = by_name["test"]["strategy"]["matrix"]
    assert [suite["python-version"], *matrix["python"]] == claimed
    others = {(row["os"].split("-")[0], row["python"]) for row in matrix["include"]}
    ends = (claimed[0], claimed[-1])
    assert others == {(system, end) for system in ("macos", "windows") for end in ends}


@pytest.mark.skipif(os.name == "nt", reason="the script runs on Linux only")
@pytest.mark.parametrize("version", ["0.1.0", "12.0.3"])
def test_notes_of_a_release_are_those_of_its_version(version: str, tmp_path: Path) -> None:
    """Run the release script on a test changelog."""
    steps = load(ROOT / ".github/workflows/release.yml")["jobs"]["build"]["steps"]
    script = next(step["run"] for step in steps if "notes.md" in step.get("run", ""))
    (tmp_path / "pyproject.toml").write_text(f'version = "{version}"\n', encoding="utf-8")
    log = tmp_path / "CHANGELOG.md"

    def released(text: str) -> int:
        log.write_text(text, encoding="utf-8")
        return bash(script, tmp_path, GITHUB_REF_NAME=f"v{version}")

    rest = "## [0.0.9] - 2026-01-01\n\n- Old.\n"
    assert released(f"# C\n\n## [{version}] - 2026-12-01\n\n### Added\n\n- New.\n\n{rest}") == 0
    assert (tmp_path / "notes.md").read_text("utf-8").split() == ["###", "Added", "-", "New."]
    assert released(f"# C\n\n## [{version}] - unreleased\n\n- New.\n") != 0
    assert released(f"# C\n\n## [{version}] - 2026-12-01\n\n{rest}") != 0
    assert released(rest) != 0


def bash(script: str, folder: Path, **env: str) -> int:
    """Run a step as the runner does, with an otherwise empty environment; return its exit code."""
    words = ["bash", "-e", "-o", "pipefail", "-c", script]
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", **env}
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, check=False).returncode


@pytest.mark.skipif(os.name == "nt", reason="the scripts run on Linux only")
def test_only_what_was_built_is_published(tmp_path: Path) -> None:
    """Run the release scripts that print and compare the digest on test files."""
    release = load(ROOT / ".github/workflows/release.yml")["jobs"]
    prints = next(step["run"] for step in release["build"]["steps"] if step.get("id") == "digest")
    steps = release["publish"]["steps"]
    at = next(number for number, step in enumerate(steps) if "DIGEST" in step.get("env", {}))
    uses = [step.get("uses", "").partition("@")[0] for step in steps]
    assert "gh release create" in "".join(step.get("run", "") for step in steps[at:])
    assert uses[: at + 2] == ["actions/download-artifact", "", "actions/attest"]
    # What goes to the index is compared in the same way, and goes there without the sums.
    download, compares, moves, upload = release["index"]["steps"]
    assert (download, compares) == tuple(steps[: at + 1])
    assert upload["uses"].startswith("pypa/gh-action-pypi-publish@")
    assert upload["with"] == {"packages-dir": "packages"}

    built, output = tmp_path / "built", tmp_path / "output"
    (built / "dist").mkdir(parents=True)
    for name in ("dist/a.whl", "dist/a.tar.gz", "notes.md"):
        (built / name).write_text(name, encoding="utf-8")
    assert bash(prints, built, GITHUB_OUTPUT=str(output)) == 0
    digest = output.read_text("utf-8").strip().removeprefix("digest=")
    sums = (built / "dist" / "SHA256SUMS").read_text("utf-8")
    assert [line.split()[1] for line in sums.splitlines()] == ["a.tar.gz", "a.whl"]

    assert bash(steps[at]["run"], built, DIGEST=digest) == 0
    shutil.copytree(built, tmp_path / "index")
    assert bash(moves["run"], tmp_path / "index") == 0
    packages = sorted(path.name for path in (tmp_path / "index/packages").iterdir())
    assert packages == ["a.tar.gz", "a.whl"]
    for name in ("dist/a.whl", "dist/more.whl", "dist/SHA256SUMS", "notes.md"):
        path = built / name
        before = path.read_bytes() if path.exists() else None
        path.write_text("other", encoding="utf-8")
        assert bash(steps[at]["run"], built, DIGEST=digest) != 0
        path.unlink() if before is None else path.write_bytes(before)


def all_steps() -> Iterator[tuple[Path, dict[str, Any]]]:
    yield from ((ACTION, step) for step in load(ACTION)["runs"]["steps"])
    for path in (*WORKFLOWS, *EXAMPLES):
        yield from ((path, step) for _, job in jobs(path) for step in job.get("steps", ()))


def test_no_step_with_a_token_runs_what_others_made() -> None:
    """It calls git, gh and the shell; only our action passes its token to learnings."""
    for path in (*WORKFLOWS, *EXAMPLES):
        wide = [load(path), *(job for _, job in jobs(path))]
        assert not any("token" in str(part.get("env", {})).lower() for part in wide), path
    others = re.compile(r"(?:^|[\s/\"(])(?:pip|python3?|make|uvx?|pre-commit|learnings)\"? ")
    wrong = [
        (path.name, step.get("name"))
        for path, step in all_steps()
        if re.search(r"secrets\.|github\.token|inputs\.token", str(step.get("env", {})))
        and others.search(step["run"])
    ]
    assert wrong == [("action.yml", "Check, judge and notify")]


def test_others_install_only_what_has_a_known_hash() -> None:
    installs = [
        command
        for path, step in all_steps()
        if path in (ACTION, *EXAMPLES)
        for command in step.get("run", "").replace("\\\n", " ").splitlines()
        if re.search(r"\binstall (?!\(\))", command) and "pip install --quiet" not in command
    ]
    assert len(installs) == 2 * 5
    for first, second in zip(installs[::2], installs[1::2], strict=True):
        assert "--require-hashes --only-binary :all:" in first
        assert "/action-requirements.txt" in first
        assert "--no-index --no-deps --no-build-isolation" in second


@pytest.mark.outside
def test_no_other_workflow_is_overlooked() -> None:
    found = {
        path
        for path in files()
        if path.suffix in (".yml", ".yaml") and b"runs-on" in (ROOT / path).read_bytes()
    }
    assert {ROOT / path for path in found} <= set(ALL)
