"""`learnings doctor`: missing parts, and the commands that add them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from learnings import __version__
from learnings.app.setup.ci_steps import WORKFLOW, workflow_text
from learnings.app.setup.hooks import CHOSEN, HOOK_TYPES, lefthook_lines
from tests.support.command import Command, Completed, Program
from tests.support.frameworks import ORIGIN, REPOSITORY, REVISION
from tests.support.guard import ROOT
from tests.support.repository import GitRepository, environment

SCRIPTS = sysconfig.get_path("scripts")
MEMORY = "agents/learnings.md"
ENTRIES = "# Learnings\n\n## When a build hangs\n\nLook.\n\n## How to trace\n\nRead.\n"
pytestmark = pytest.mark.usefixtures("at_home")
PLUGIN = {"enabledPlugins": {"learnings@learnings": True}}
PRE_COMMIT = ".pre-commit-config.yaml"

Item = Mapping[str, Any]


@pytest.fixture(autouse=True)
def path_with_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put `learnings` and the managers on PATH, as an installation would."""
    monkeypatch.setenv("PATH", os.pathsep.join((SCRIPTS, os.environ["PATH"])))


@pytest.fixture
def remembered(repository: GitRepository) -> GitRepository:
    """Return a repository on GitHub with a memory and nothing set up."""
    repository.write(MEMORY, ENTRIES)
    repository.commit()
    repository.git("config", "remote.origin.url", "https://github.com/ada/parcels")
    return repository


def doctor(folder: Path, *words: str) -> Completed:
    return Command("learnings")("doctor", *words, cwd=folder)


def items(folder: Path) -> dict[str, Item]:
    done = doctor(folder, "--format", "json")
    assert (done.code, done.err) == (0, "")
    rows = done.json["items"]
    assert done.json["missing"] == len([row for row in rows if row["state"] == "no"])
    return {row["name"]: row for row in rows}


def carry_out(repository: GitRepository, command: str) -> None:
    """Run one of our commands at the root, those of others in a shell."""
    program, *words = shlex.split(command)
    if program == "learnings":
        assert Command("learnings")(*words, cwd=repository.path).code == 0
        return
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=repository.path,
        env=environment() | {"PATH": os.environ["PATH"]},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def executable(repository: GitRepository, path: str, text: str) -> None:
    repository.write(path, text).chmod(0o755)


def test_a_repository_in_which_nothing_is_set_up(remembered: GitRepository) -> None:
    done = doctor(remembered.path)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"memory            yes  {MEMORY}\n"
        "hooks configured  no   no hook configuration runs learnings-check; "
        "run: learnings init\n"
        "merge driver      no   no learnings file is configured; run: learnings init\n"
        "workflow          no   no workflow runs `learnings`; run: learnings init --github\n"
        "plugin            -    neither .claude nor CLAUDE.md found\n"
        f"memory loaded     no   no agent instructions lead to {MEMORY}; "
        f"run: echo '@{MEMORY}' >> CLAUDE.md\n"
        "history           yes  neither a shallow nor a partial clone\n"
        f"version           yes  learnings {__version__} ({REVISION[:12]})\n"
        "4 parts of the set-up are missing\n"
    )
    assert doctor(remembered.path, "--exit-code").code == 1


def test_it_changes_nothing_and_names_the_root(remembered: GitRepository) -> None:
    remembered.write("lefthook.yml", "{}\n")
    os.utime(remembered.path / MEMORY, (1, 1))  # what git would note in its index

    def state() -> dict[Path, bytes]:
        paths = (path for path in remembered.path.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in paths}

    before = state()
    done = doctor(remembered.path / "agents")
    assert f"run: echo '@{MEMORY}' >> CLAUDE.md\n" in done.out
    assert done.out.endswith(f"\nrun the commands in {remembered.path}\n")
    assert state() == before
    remembered.write("learnings.toml", "size-trigger = 'many'\n")
    done = doctor(remembered.path)
    assert (done.code, "learnings.toml:1" in done.err) == (2, True)


def test_outside_of_a_repository(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--exit-code")
    assert done.code == 1
    assert done.out == (
        "repository        no   this directory is not in a git repository; run: git init\n"
        "1 part of the set-up is missing\n"
    )


def test_a_repository_without_memory(repository: GitRepository) -> None:
    found = items(repository.path)
    assert found["memory"]["state"] == "no"
    assert found["memory"]["command"] == f"learnings init --memory {MEMORY}"
    waiting = ("merge driver", "workflow", "plugin", "memory loaded", "history")
    assert {found[name]["state"] for name in waiting} == {"not-needed"}
    assert found["history"]["message"] == "there are no commits yet"
    repository.write(".shaktra/memory/principles.yml", "[]\n")
    assert items(repository.path)["memory"]["state"] == "yes"


# --- hooks


MANAGERS = {
    "pre-commit": {PRE_COMMIT: "repos: []\n"},
    "prek": {"prek.toml": 'default_install_hook_types = ["pre-commit"]\n'},
    "lefthook": {"lefthook.yml": "\n".join(lefthook_lines("lefthook.yml", CHOSEN))},
}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the commands are for a POSIX shell")
@pytest.mark.parametrize(
    "manager", ["git", *(pytest.param(name, marks=pytest.mark.soak) for name in MANAGERS)]
)
def test_its_commands_set_everything_up(remembered: GitRepository, manager: str) -> None:
    if manager != "git" and not Program(manager).path.is_file():
        pytest.skip(f"{manager} is not installed")
    for path, text in MANAGERS.get(manager, {}).items():
        remembered.write(path, text)
    if manager == "git":
        hook = remembered.path / ".git" / "hooks" / "pre-commit"
        hook.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "hooks/git/pre-commit", hook)
        hook.chmod(0o644)
        remembered.write("learnings.toml", f'path = "{MEMORY}"\n')
    remembered.write(".claude/settings.json", json.dumps(PLUGIN))
    for _ in range(10):
        missing = [item for item in items(remembered.path).values() if item["state"] == "no"]
        if not missing:
            break
        carry_out(remembered, missing[0]["command"])
    done = doctor(remembered.path, "--exit-code")
    assert done.code == 0, done.out
    assert done.out.endswith("\neverything is set up\n")
    kinds = HOOK_TYPES if manager != "git" else HOOK_TYPES[:2]
    assert f"hooks installed   yes  {manager} runs at {', '.join(kinds)}\n" in done.out


@pytest.mark.parametrize(
    ("manager", "file", "other"),
    [
        ("pre-commit", PRE_COMMIT, 'call_lefthook run "pre-commit" "$@"\n'),
        ("prek", "prek.toml", "# File generated by pre-commit: https://pre-commit.com\n"),
        ("lefthook", "lefthook.yml", "# File generated by pre-commit: https://pre-commit.com\n"),
    ],
)
def test_hooks_of_another_program_are_not_installed(
    remembered: GitRepository, manager: str, file: str, other: str
) -> None:
    remembered.write(file, "# learnings-check\n")
    for kind in HOOK_TYPES:
        executable(remembered, f".git/hooks/{kind}", f"#!/bin/sh\n{other}")
    found = items(remembered.path)
    assert found["hooks configured"]["message"] == f"in {file}"
    assert found["hooks installed"]["state"] == "no"
    assert f"{manager} install" in found["hooks installed"]["command"]


def test_prek_can_run_the_configuration_of_pre_commit(remembered: GitRepository) -> None:
    config = remembered.write(".pre-commit-config.yml", "# learnings-check\n")
    found = items(remembered.path)
    assert found["hooks configured"]["message"] == "in .pre-commit-config.yml"
    assert found["hooks installed"]["command"].startswith("prek install ")
    config.rename(remembered.path / PRE_COMMIT)
    for kind in HOOK_TYPES:
        executable(remembered, f".git/hooks/{kind}", "#!/bin/sh\n# File generated by prek\n")
    assert items(remembered.path)["hooks installed"]["state"] == "yes"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such bit")
def test_a_hook_that_git_skips_is_not_installed(remembered: GitRepository) -> None:
    remembered.write(".git/hooks/pre-commit", "#!/bin/sh\nlearnings-check\n").chmod(0o644)
    found = items(remembered.path)
    assert found["hooks installed"]["state"] == "no"
    assert found["hooks installed"]["command"] == "chmod +x .git/hooks/pre-commit"


def husky(repository: GitRepository, text: str) -> None:
    """Lay out files as version 9 of husky does."""
    for kind in HOOK_TYPES:
        executable(repository, f".husky/_/{kind}", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
    repository.write(".husky/pre-commit", text)
    repository.git("config", "core.hooksPath", ".husky/_")


def test_husky_runs_our_programs(remembered: GitRepository) -> None:
    husky(remembered, "learnings-check agents/learnings.md\n")
    found = items(remembered.path)
    assert found["hooks configured"]["message"] == "in .husky/pre-commit"
    assert found["hooks installed"]["message"] == "husky does not run at pre-merge-commit"
    assert found["hooks installed"]["command"] == "cp .husky/pre-commit .husky/pre-merge-commit"
    shutil.copy(remembered.path / ".husky/pre-commit", remembered.path / ".husky/pre-merge-commit")
    assert items(remembered.path)["hooks installed"]["state"] == "yes"
    remembered.git("config", "--unset", "core.hooksPath")
    assert items(remembered.path)["hooks installed"]["command"] == "npx husky"


@pytest.mark.skipif(os.name == "nt", reason="the commands are for a POSIX shell")
def test_husky_runs_pre_commit(remembered: GitRepository) -> None:
    remembered.write(PRE_COMMIT, "# learnings-check\n")
    husky(remembered, "npm test\n")
    item = items(remembered.path)["hooks installed"]
    assert item["message"] == f"pre-commit does not run at {', '.join(HOOK_TYPES)}"
    carry_out(remembered, item["command"])
    assert items(remembered.path)["hooks installed"]["state"] == "yes"
    text = remembered.read(".husky/pre-commit").decode()
    assert text == "npm test\npre-commit run --hook-stage pre-commit\n"
    made = remembered.read(".husky/pre-push").decode()
    assert made == "#!/bin/sh\npre-commit run --hook-stage pre-push\n"


# --- merging, workflow, plugin


@pytest.mark.skipif(os.name == "nt", reason="the commands are for a POSIX shell")
def test_the_driver_needs_the_program(
    remembered: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered.write("learnings.toml", f'path = "{MEMORY}"\n')
    item = items(remembered.path)["merge driver"]
    assert item["command"].count(" && ") == 2
    carry_out(remembered, item["command"])
    assert items(remembered.path)["merge driver"]["state"] == "yes"
    folders = os.environ["PATH"].split(os.pathsep)
    without = [folder for folder in folders if not [*Path(folder).glob("learnings*")]]
    monkeypatch.setenv("PATH", os.pathsep.join(without))
    item = items(remembered.path)["merge driver"]
    assert item["message"] == "git cannot find `learnings` on PATH"
    assert item["command"].startswith("pipx install git+https://")


@pytest.mark.skipif(os.name == "nt", reason="the commands are for a POSIX shell")
def test_what_runs_us_on_a_server(remembered: GitRepository) -> None:
    path = ".github/workflows/ci.yaml"
    remembered.write(path, "jobs:\n  x:\n    steps:\n    - run: learnings ci\n")
    item = items(remembered.path)["workflow"]
    assert (item["state"], item["message"]) == ("yes", path)
    shutil.rmtree(remembered.path / ".github")
    remembered.git("config", "remote.origin.url", "https://gitlab.com/ada/parcels")
    item = items(remembered.path)["workflow"]
    assert (item["state"], item["command"]) == ("no", "learnings init --gitlab")
    carry_out(remembered, item["command"])
    assert items(remembered.path)["workflow"]["message"] == ".gitlab-ci.yml"


def test_the_plugin_is_asked_for_where_there_is_its_host(
    remembered: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert items(remembered.path)["plugin"]["state"] == "not-needed"
    remembered.write("CLAUDE.md", f"@{MEMORY}\n")
    item = items(remembered.path)["plugin"]
    assert item["state"] == "no"
    assert item["command"].endswith("&& claude plugin install learnings@learnings")
    home = tmp_path / "of-claude"
    home.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    for broken in ("{", "[]", '{"enabledPlugins": 1}', json.dumps(PLUGIN).replace("true", "false")):
        (home / "settings.json").write_text(broken, "utf-8")
        assert items(remembered.path)["plugin"]["state"] == "no"
    (home / "settings.json").write_text(json.dumps(PLUGIN), "utf-8")
    assert items(remembered.path)["plugin"]["state"] == "yes"
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    remembered.write(".claude/skills/handoff/SKILL.md", "# Handoff\n")
    assert items(remembered.path)["plugin"]["message"] == "its skills are in .claude"


# --- history


@pytest.mark.parametrize(
    ("option", "message", "state"),
    [
        ("--depth=1", "this is a shallow clone; ages are unknown", "no"),
        (
            "--filter=blob:none",
            "this is a partial clone; git downloads old versions on demand",
            "no",
        ),
        ("--single-branch", "neither a shallow nor a partial clone", "yes"),
    ],
)
def test_a_clone_is_completed(
    remembered: GitRepository, tmp_path: Path, option: str, message: str, state: str
) -> None:
    for number in range(3):
        remembered.write("work.txt", f"{number}\n")
        remembered.commit()
    remembered.git("config", "uploadpack.allowFilter", "true")
    path = tmp_path / "clone"
    remembered.git("clone", "--quiet", option, remembered.path.resolve().as_uri(), str(path))
    clone = GitRepository(path)
    item = items(path)["history"]
    assert (item["message"], item["state"]) == (message, state)
    if state == "no" and os.name != "nt":
        carry_out(clone, item["command"])
        assert items(path)["history"]["state"] == "yes"
        listed = clone.git("rev-list", "--objects", "--all", "--missing=print")
        assert "?" not in listed
        assert clone.git("rev-list", "--count", "HEAD") == "4"


# --- versions


def version_item(repository: GitRepository, path: str, text: str) -> Item:
    repository.write(path, text)
    return items(repository.path)["version"]


HOOKS = "[{id: learnings-check}]"
COMMIT, TAG = "a" * 40, f"v{__version__}"
MOVING = TAG.partition(".")[0]


@pytest.mark.parametrize(
    ("revision", "in_config", "in_workflow"),
    [
        (REVISION, "yes", "yes"),
        (f"{COMMIT} # frozen: {TAG}", "yes", "no"),
        (f"{COMMIT} # {TAG}", "yes", "yes"),
        (f"{COMMIT} # frozen: v0.0.9", "no", "no"),
        (MOVING, "no", "yes"),
    ],
)
def test_a_pin_of_this_version_is_right(
    remembered: GitRepository, revision: str, in_config: str, in_workflow: str
) -> None:
    text = workflow_text("main", ORIGIN).replace(f"@{REVISION}", f"@{revision}")
    assert version_item(remembered, WORKFLOW, text)["state"] == in_workflow
    (remembered.path / WORKFLOW).unlink()
    config = f"repos:\n- repo: {REPOSITORY}.git\n  rev: {revision}\n  hooks: {HOOKS}\n"
    assert version_item(remembered, PRE_COMMIT, config)["state"] == in_config


def test_another_version_has_a_command_or_an_edit(remembered: GitRepository) -> None:
    text = workflow_text("main", ORIGIN).replace(f"@{REVISION}", "@v0.0.9")
    item = version_item(remembered, WORKFLOW, text)
    assert (item["state"], item["command"]) == ("no", None)
    assert item["message"].endswith(f"; change it there to {REVISION}")
    (remembered.path / WORKFLOW).unlink()
    for older in ("v0.0.9", "0" * 40):
        config = f"repos:\n- repo: {REPOSITORY}\n  rev: '{older}'\n  hooks: {HOOKS}\n"
        item = version_item(remembered, PRE_COMMIT, config)
        named = f"{PRE_COMMIT} names {older[:12]}, and this is learnings"
        assert item["message"].startswith(named)
        assert item["command"] == f"pre-commit autoupdate --repo {REPOSITORY}"
    config = f"repos:\n- repo: {REPOSITORY}\n  rev: v99.0.1\n  hooks: {HOOKS}\n"
    item = version_item(remembered, PRE_COMMIT, config)
    assert item["command"] == f"pipx install --force git+{REPOSITORY}@v99.0.1"
    toml = f'[[repos]]\nrepo = "{REPOSITORY}"\nrev = "v0.0.9"\nhooks = [{{ id = "agent-core" }}]\n'
    item = version_item(remembered, "prek.toml", toml)
    assert item["command"] == f"prek autoupdate --repo {REPOSITORY}"


@pytest.mark.parametrize(
    ("path", "text"),
    [(PRE_COMMIT, "repos: [\n"), (PRE_COMMIT, "- x\n"), ("prek.toml", "=\n"), (PRE_COMMIT, "{}")],
)
def test_a_configuration_that_cannot_be_read_has_no_pin(
    remembered: GitRepository, path: str, text: str
) -> None:
    assert version_item(remembered, path, text + "# learnings-check\n")["state"] == "yes"
    assert items(remembered.path)["hooks installed"]["state"] == "no"
