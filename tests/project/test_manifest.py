"""The hooks that other repositories name: manifest, modules and commands agree."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.metadata import distribution
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.support.checkout import manifest, pyproject
from tests.support.command import Command
from tests.support.guard import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HOOKS = sorted(manifest())
ALL_STAGES = ["pre-commit", "pre-merge-commit", "pre-push", "manual"]


def module_of(hook: str) -> str:
    return hook.replace("-", "_")


def own_configuration() -> dict[str, Any]:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def test_every_module_of_hooks_is_in_the_manifest_and_the_other_way_round() -> None:
    stems = {path.stem for path in (ROOT / "hooks").glob("*.py")} - {"__init__"}
    assert {module_of(hook) for hook in HOOKS} == stems


@pytest.mark.parametrize("hook", HOOKS)
def test_entry_is_an_installed_command_that_leads_to_the_module(hook: str) -> None:
    scripts = distribution("learnings").entry_points.select(group="console_scripts")
    entry = manifest()[hook]["entry"]
    assert entry == hook
    assert scripts[entry].value == f"learnings.hooks.{module_of(hook)}:main"
    assert Command(entry).path.is_file()


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
        assert declared["types"] == ["markdown"]


def test_stages() -> None:
    stages = {hook: declared["stages"] for hook, declared in manifest().items()}
    assert stages.pop("learnings-due") == ["pre-push", "manual"]
    assert all(named == ALL_STAGES for named in stages.values())
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
    run = Command("pre-commit")(
        check, ROOT / file, cwd=tmp_path, env={"PRE_COMMIT_HOME": str(tmp_path)}
    )
    assert (run.code, run.out) == (0, "")
