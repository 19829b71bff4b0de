"""The hooks that other repositories name: manifest, modules and commands agree."""

from __future__ import annotations

import inspect
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from identify.identify import tags_from_filename

from learnings.core.roles import Role, role_of
from learnings.core.settings.setting_values import Settings
from tests.support import documents
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
TAKEN = {  # tests of roles have more
    Role.LEARNINGS: ["learnings.md", "docs/lessons.md", ".context/LEARNINGS.md"],
    Role.TARGET: ["AGENTS.md", "agents/decisions/cli.md", "agent-core/fragments/how to.md"],
}
LEFT = [
    "README.md",
    "packages/api/agents/learnings.md",
    "agents/learnings.md.orig",
    "agents/decisions/cli.py",
    "agents/memory-index.md",
]
ALL_STAGES = ["pre-commit", "pre-merge-commit", "pre-push", "manual"]


def module_of(hook: str) -> str:
    return hook.replace("-", "_")


def test_every_module_of_hooks_is_in_the_manifest_and_the_other_way_round() -> None:
    stems = {path.stem for path in (ROOT / "hooks").glob("*.py")} - {"__init__"}
    assert {module_of(hook) for hook in HOOKS} == stems
    message = "add a new id to PUBLISHED above; one that is retired stays in the manifest"
    assert set(manifest()) == PUBLISHED, message
    for hook in RETIRED:  # says what to use instead
        assert set(manifest()) & set(manifest()[hook]["entry"].split())


@pytest.mark.parametrize("hook", HOOKS)
def test_hook_is_an_installed_command_that_runs_anywhere(hook: str) -> None:
    scripts = distribution("learnings").entry_points.select(group="console_scripts")
    declared = manifest()[hook]
    assert declared["entry"] == hook
    message = f"add {hook} to [project.scripts] in pyproject.toml, and run make dev"
    assert hook in scripts.names, message
    assert scripts[hook].value == f"learnings.hooks.{module_of(hook)}:main"
    assert Program(hook).path.is_file()
    (argv,) = inspect.signature(scripts[hook].load()).parameters.values()
    assert argv.default is None
    assert declared["language"] == "python"
    assert declared["minimum_pre_commit_version"] == "3.2.0"
    assert declared["description"].endswith(".")
    assert "additional_dependencies" not in declared
    due = hook == "learnings-due"
    # Otherwise the framework shows nothing of a hook that succeeds.
    assert declared.get("verbose", False) is due
    assert declared["stages"] == (["pre-push", "manual"] if due else ALL_STAGES)
    # A pattern here could not know how the other repository is configured.
    assert "files" not in declared
    if declared.get("always_run"):
        assert declared["pass_filenames"] is False
    else:
        assert {*declared["types"], *declared.get("types_or", [])} - {"symlink"} == {"markdown"}
    assert declared.get("pass_filenames", True) is (hook in ROLES)


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


def test_own_configuration_names_every_hook_first_and_as_declared() -> None:
    content = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert content["default_install_hook_types"] == ALL_STAGES[:3]
    first = content["repos"][0]["hooks"]
    assert [hook["id"] for hook in first] == [*manifest()]
    for hook in first:
        declared = manifest()[hook["id"]]
        same = set(declared) - {"entry", "description", "minimum_pre_commit_version"}
        assert {key: hook[key] for key in same} == {key: declared[key] for key in same}
        assert hook["args"] == [module_of(hook["id"])]
        assert hook["additional_dependencies"] == pyproject()["project"]["dependencies"]


@pytest.mark.slow
def test_the_framework_accepts_it(tmp_path: Path) -> None:
    (block,) = [block for block in documents.of("yaml") if "\nrepos:" in block.text]
    (tmp_path / "readme.yaml").write_text(block.text, encoding="utf-8")
    for kind, file in (
        ("manifest", ROOT / ".pre-commit-hooks.yaml"),
        ("config", ROOT / ".pre-commit-config.yaml"),
        ("config", tmp_path / "readme.yaml"),
    ):
        env = {"PRE_COMMIT_HOME": str(tmp_path)}
        run = Program("pre-commit")(f"validate-{kind}", file, cwd=tmp_path, env=env)
        assert (run.code, run.out) == (0, ""), file
