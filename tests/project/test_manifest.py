"""The hooks that other repositories name: manifest, modules and commands agree."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from identify.identify import tags_from_filename

from learnings.core.roles import Role, role_of
from learnings.core.settings.setting_values import Settings
from tests.support.checkout import manifest, pyproject
from tests.support.command import Program
from tests.support.guard import ROOT

# Every id that was ever published. None is ever removed from the manifest: whoever names it in a
# configuration would be told by the framework that it is not there, and not what took its place.
# A retired one keeps `language: fail`, with an `entry` that says what to use instead.
PUBLISHED = {
    "learnings-check",
    "learnings-fix",
    "target-line-limit",
    "memory-index",
    "memory-index-fix",
    "agent-core",
    "learnings-due",
    "learnings-lossless",
    "learning-tiers",
    "confidence-memory",
}
RETIRED = {hook for hook, declared in manifest().items() if declared["language"] == "fail"}
HOOKS = sorted(set(manifest()) - RETIRED)
ROLES = {
    "learnings-check": Role.LEARNINGS,
    "learnings-fix": Role.LEARNINGS,
    "target-line-limit": Role.TARGET,
}
TAKEN = {
    Role.LEARNINGS: [
        "learnings.md",
        "LESSONS.md",
        "agents/learnings.md",
        "docs/lessons.md",
        ".claude/learnings.md",
        ".claude/memory/LEARNINGS.md",
        ".context/LEARNINGS.md",
    ],
    Role.TARGET: [
        "AGENTS.md",
        "CLAUDE.md",
        "agents/decisions/cli.md",
        "agent-core/fragments/how to.md",
        "docs/decisions/0001-use-git.md",
        ".context/conventions/naming.md",
    ],
}
LEFT = [
    "README.md",
    "notes/learnings.md",
    "packages/api/agents/learnings.md",
    "agents/Learnings.md",
    "agents/my-learnings.md",
    "agents/learnings.md/index.html",
    "agents/learnings.txt",
    "agents/learnings.mdx",
    "agents/learnings.md.orig",
    "agents/decisions/deep/cli.md",
    "agents/decisions/.hidden.md",
    "agents/decisions/cli.py",
    "docs/GEMINI.md",
    "agents/memory-index.md",
]
ALL_STAGES = ["pre-commit", "pre-merge-commit", "pre-push", "manual"]


def module_of(hook: str) -> str:
    return hook.replace("-", "_")


def own_configuration() -> dict[str, Any]:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return content


def test_every_module_of_hooks_is_in_the_manifest_and_the_other_way_round() -> None:
    stems = {path.stem for path in (ROOT / "hooks").glob("*.py")} - {"__init__"}
    assert {module_of(hook) for hook in HOOKS} == stems


@pytest.mark.parametrize("hook", HOOKS)
def test_entry_is_an_installed_command_that_leads_to_the_module(hook: str) -> None:
    scripts = distribution("learnings").entry_points.select(group="console_scripts")
    entry = manifest()[hook]["entry"]
    assert entry == hook
    message = f"add {entry} to [project.scripts] in pyproject.toml, and run make dev"
    assert entry in scripts.names, message
    assert scripts[entry].value == f"learnings.hooks.{module_of(hook)}:main"
    assert Program(entry).path.is_file()


@pytest.mark.parametrize("hook", HOOKS)
def test_main_takes_arguments_and_gives_an_exit_code(hook: str) -> None:
    main = import_module(f"learnings.hooks.{module_of(hook)}").main
    (argv,) = inspect.signature(main).parameters.values()
    assert argv.default is None
    assert inspect.signature(main).return_annotation == "int"


@pytest.mark.parametrize("hook", HOOKS)
def test_hook_explains_itself_and_runs_anywhere(hook: str) -> None:
    declared = manifest()[hook]
    assert declared["language"] == "python"
    assert declared["minimum_pre_commit_version"] == "3.2.0"
    assert declared["description"].endswith(".")
    assert declared["name"] == declared["name"].strip()
    assert "additional_dependencies" not in declared


@pytest.mark.parametrize("hook", HOOKS)
def test_hook_gets_changed_files_by_type_or_always_runs(hook: str) -> None:
    declared = manifest()[hook]
    # A pattern here could not know how the other repository is configured.
    assert "files" not in declared
    if declared.get("always_run"):
        assert declared["pass_filenames"] is False
    else:
        assert {*declared["types"], *declared.get("types_or", [])} - {"symlink"} == {"markdown"}


def takes(hook: str, path: str) -> bool:
    """Return True if a hook reads a path: the framework passes its type, and it has the role."""
    tags, declared = tags_from_filename(path), manifest()[hook]
    is_passed = tags.issuperset(declared["types"]) and not tags.isdisjoint(
        declared.get("types_or", tags)
    )
    return is_passed and role_of(path, Settings()) is ROLES[hook]


@pytest.mark.parametrize("hook", ROLES)
def test_hook_takes_the_files_of_its_role_and_no_other(hook: str) -> None:
    accepted = {path for role in TAKEN for path in TAKEN[role] if takes(hook, path)}
    assert accepted == set(TAKEN[ROLES[hook]])
    assert [path for path in LEFT if takes(hook, path)] == []


def test_hooks_that_get_files_are_those_with_a_role() -> None:
    assert set(ROLES) == {hook for hook in HOOKS if manifest()[hook].get("pass_filenames", True)}


def test_no_published_id_is_gone() -> None:
    message = "add a new id to PUBLISHED above; one that is retired stays in the manifest"
    assert set(manifest()) == PUBLISHED, message
    for hook in RETIRED:
        assert set(manifest()) & set(manifest()[hook]["entry"].split())


def test_stages() -> None:
    stages = {hook: manifest()[hook]["stages"] for hook in HOOKS}
    assert stages.pop("learnings-due") == ["pre-push", "manual"]
    assert stages == dict.fromkeys(stages, ALL_STAGES)
    # Otherwise the framework shows nothing of a hook that succeeds.
    assert manifest()["learnings-due"]["verbose"] is True


def test_own_configuration_names_every_hook_first_and_as_declared() -> None:
    first = own_configuration()["repos"][0]["hooks"]
    assert [hook["id"] for hook in first] == [*manifest()]
    for hook in first:
        declared = manifest()[hook["id"]]
        same = set(declared) - {"entry", "description", "minimum_pre_commit_version"}
        assert {key: hook[key] for key in same} == {key: declared[key] for key in same}
        assert hook["args"] == [module_of(hook["id"])]
        assert hook["additional_dependencies"] == pyproject()["project"]["dependencies"]


def test_own_configuration_installs_every_hook_type_used() -> None:
    types = own_configuration()["default_install_hook_types"]
    assert types == ["pre-commit", "pre-merge-commit", "pre-push"]


@pytest.mark.parametrize(
    ("check", "file"),
    [
        ("validate-manifest", ".pre-commit-hooks.yaml"),
        ("validate-config", ".pre-commit-config.yaml"),
    ],
)
def test_the_framework_accepts_it(check: str, file: str, tmp_path: Path) -> None:
    run = Program("pre-commit")(
        check, ROOT / file, cwd=tmp_path, env={"PRE_COMMIT_HOME": str(tmp_path)}
    )
    assert (run.code, run.out) == (0, "")
