"""The hooks that other repositories name: manifest, modules and commands agree."""

from __future__ import annotations

import inspect
import os
import re
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from learnings.core.file_names import (
    DEFAULT_TARGETS,
    FOLDER_PLACES,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    LOADED_INDEXES,
    MEMORY_PLACES,
)
from learnings.core.settings.setting_values import Settings
from tests.support import documents
from tests.support.checkout import manifest, pyproject
from tests.support.command import Program
from tests.support.frameworks import Framework
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

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
TAKING_FILES = {"learnings-check", "learnings-fix", "target-line-limit"}
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
        fixes = hook.endswith("-fix")  # a fixer follows no link
        links = [] if fixes else ["symlink"]
        assert declared["types_or"] == ["text", "markdown", *links]
        assert declared.get("types", ["file"]) == (["file"] if fixes else [])
    assert declared.get("pass_filenames", True) is (hook in TAKING_FILES)


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


EVERY = ("--all-files", "--verbose", "--hook-stage", "manual", "--color", "never")
PROBLEMS = {
    "learnings-check": "duplicate-entry",
    "learnings-fix": "Fixing agents/learnings.md",
    "target-line-limit": "line-limit",
    "memory-index": "index-missing-row",
    "memory-index-fix": "Fixing agents/memory-index.md",
    "agent-core": "agent-unknown-command",
    "learnings-due": "learnings.md: due",
    "learnings-lossless": "nothing is staged and no range is given",
    "learning-tiers": "tiers-missing-row",
    "confidence-memory": "memory-wrong-value",
}


class Outcome(NamedTuple):
    passed: bool
    output: str


def outcomes(said: str) -> dict[str, Outcome]:
    """Return the outcome of each hook from the verbose output of the framework."""
    blocks = re.split(r"^(.*\.(?:\(.*\))?(?:Passed|Failed|Skipped))$", said, flags=re.MULTILINE)
    found = {
        hook: Outcome(head.endswith("Passed"), body)
        for head, body in zip(blocks[1::2], blocks[2::2], strict=True)
        for hook in re.findall(r"^- hook id: (\S+)$", body, flags=re.MULTILINE)
    }
    assert set(found) == set(manifest()), said
    return found


def memory(*titles: str) -> str:
    return "# Learnings\n" + "".join(f"\n## {title}\n\nWhat we learned.\n" for title in titles)


def try_repo(source: GitRepository, consumer: GitRepository, home: Path) -> dict[str, Outcome]:
    # The settings of pip may be in the home directory, and its cache is.
    env = {"PRE_COMMIT_HOME": str(home), "HOME": os.environ["REAL_HOME"]}
    env["PATH"] = f"{Program('learnings').path.parent}{os.pathsep}{os.environ['PATH']}"
    words = ("try-repo", source.path, "--ref", "HEAD", *EVERY)
    return outcomes(Program("pre-commit")(*words, cwd=consumer.path, env=env).out)


@pytest.fixture
def installed_hooks(tmp_path: Path) -> GitRepository:
    """Return a repository whose manifest is ours, but uses the hooks that are installed here."""
    repository = GitRepository(tmp_path / "hooks")
    hooks = [{**hook, "language": "system"} for hook in manifest().values()]
    repository.write(".pre-commit-hooks.yaml", yaml.safe_dump(hooks))
    repository.commit()
    return repository


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    ["installed_hooks", pytest.param("published", marks=[pytest.mark.soak, pytest.mark.network])],
)
def test_bad_repository_is_told_by_every_hook(
    source: str, request: pytest.FixtureRequest, repository: GitRepository, tmp_path: Path
) -> None:
    titles = [f"When case {number} comes up" for number in range(60)]
    repository.write("agents/learnings.md", memory(*titles, titles[0]).rstrip("\n"))
    repository.write("agents/decisions/cli.md", "# Decisions\n" + "A line.\n" * 400)
    repository.write(
        "agents/decisions/builds.md", "## When builds hang\n\n## How to cache\n\n## X\n"
    )
    rows = "/how cache\n/when builds hang\n"
    repository.write("agents/memory-index.md", f"## agents/decisions/builds.md\n\n{rows}")
    repository.write(".claude/agents/curator.md", "Run `learnings chek`.\n")
    repository.write(".specwright/learnings/themes/caches.md", "# Caches\n")
    repository.write(".shaktra/memory/principles.yml", "principles: some\n")
    repository.write("docs/unrelated.md", "# Title\n\n## Twice\n\n## Twice\n\nno newline")
    repository.commit("Memory", date="2026-01-01")
    repository.work("2026-01-02", days=29)
    results = try_repo(request.getfixturevalue(source), repository, tmp_path / "home")
    # The verdict is news, no mistake: it is shown, and nothing is stopped.
    passed = {hook for hook, result in results.items() if result.passed}
    assert passed == {"learnings-due", "learnings-lossless"}
    told = {hook for hook, problem in PROBLEMS.items() if problem in results[hook].output}
    assert told == set(manifest())
    assert "unrelated" not in results["learnings-check"].output
    changed = ["agents/learnings.md", "agents/memory-index.md"]
    assert repository.git("diff", "--name-only").split() == changed
    assert repository.git("diff", "--cached", "--name-only") == ""


DOUBLED = "# Learnings\n\n## When a build hangs\n\nLook.\n\n## When a build hangs\n\nKill.\n"
LONG = "# Decisions\n\n" + "A line.\n" * 400
LINKS = "- [One](gone-one.md): one\n- [Two](gone-two.md): two\n- [Three](gone-three.md): three\n"
PACKAGE = "packages/api"


def path_in(place: str) -> str:
    return place.replace("**/", "deep/").replace("*", "cache")


def discovered_places() -> dict[str, dict[str, str]]:
    """Return a faulty file for each place of discovery, by the hook that has to find it."""
    folders = [f"{root}{folder}" for root in ("", f"{PACKAGE}/") for folder in LEARNINGS_FOLDERS]
    memories = [(Path(folder) / name).as_posix() for folder in folders for name in LEARNINGS_NAMES]
    memories += map(path_in, MEMORY_PLACES)
    targets = [*map(path_in, DEFAULT_TARGETS), f"{PACKAGE}/CLAUDE.md", "docs/decisions/a.md"]
    indexes = {path_in(LOADED_INDEXES.replace("**", "commands")): LINKS}
    for folder in map(path_in, FOLDER_PLACES):
        indexes |= {f"{folder}/INDEX.md": LINKS, f"{folder}/one.md": "# One\n\nText.\n"}
    indexes[Settings().index[0]] = "## agents/decisions/gone.md\n\n/gone\n"
    return {
        "learnings-check": {
            path: DOUBLED for path in memories if not path.startswith(".claude/deep/")
        },
        "target-line-limit": dict.fromkeys(targets, LONG),
        "memory-index": indexes,
    }


def configured_places() -> dict[str, dict[str, str]]:
    """Return a faulty file of each configured kind, with endings that are not Markdown's."""
    return {
        "learnings-check": dict.fromkeys(
            ("notes/memory.rst", "notes/lessons", "linked.md"), DOUBLED
        ),
        "target-line-limit": dict.fromkeys(("notes/rules.adoc", "notes/rules/a.txt"), LONG),
        "memory-index": {"notes/index.txt": "## notes/rules/gone.md\n\n/gone\n"},
    }


CONFIGURED = """\
targets = ["notes/rules.adoc", "notes/rules/*.txt"]
index = "notes/index.txt"
[[file]]
path = "notes/memory.rst"
[[file]]
path = "notes/lessons"
[[file]]
path = "linked.md"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("places", "settings"),
    [
        (discovered_places(), ""),
        (configured_places(), CONFIGURED),
    ],
    ids=["discovered", "configured"],
)
def test_every_place_of_discovery_is_passed_and_selected(
    places: dict[str, dict[str, str]],
    settings: str,
    installed_hooks: GitRepository,
    repository: GitRepository,
    tmp_path: Path,
) -> None:
    texts = {path: text for files in places.values() for path, text in files.items()}
    for path, text in texts.items():
        repository.write("real.md" if path == "linked.md" else path, text)
    repository.write(f"{PACKAGE}/package.json", "{}")
    repository.write("learnings.toml", settings)
    (repository.path / "linked.md").symlink_to("real.md")
    repository.git("add", "--all")
    results = try_repo(installed_hooks, repository, tmp_path / "home")
    for hook, files in places.items():
        silent = [path for path in files if f"\n{path}:" not in results[hook].output]
        assert silent == [], results[hook].output


@pytest.mark.soak
@pytest.mark.network
def test_good_repository_passes_every_hook(framework: Framework, repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory("When the build is slow", "How to read a trace"))
    repository.write("agents/decisions/cli.md", "# Decisions\n" + "A line.\n" * 99)
    repository.commit("Memory", date="2026-01-01")
    repository.work("2026-01-02", days=4)
    framework.install(repository, *manifest())
    results = outcomes(framework("run", *EVERY, cwd=repository.path).out)
    assert {hook for hook, result in results.items() if not result.passed} == set()
    assert "not-due" in results["learnings-due"].output
    assert repository.git("status", "--porcelain") == ""
