"""Packages of the action and the build are pinned with hashes and match pyproject.toml."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import learnings as package
from release import names
from tests.support.checkout import files, pyproject
from tests.support.command import Command
from tests.support.guard import ROOT

FILE = ROOT / "action-requirements.txt"
BUILD = ROOT / "build-requirements.txt"
AGAIN = "action-requirements.txt is not what pyproject.toml asks for; write it anew with: make pins"
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def pins(file: Path = FILE) -> dict[str, tuple[str, list[str]]]:
    """Return by name the version of each package in a file and the hashes of its files."""
    text = file.read_text(encoding="utf-8").replace("\\\n", " ")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    parts = ((row[0].partition("=="), row[1:]) for row in rows)
    return {canonicalize_name(pin[0]): (pin[2], hashes) for pin, hashes in parts}


def requested() -> dict[str, Requirement]:
    """Return by name the requirements of the product, its GitHub extra and its build."""
    project = pyproject()["project"]
    rows = [*project["dependencies"], *project["optional-dependencies"]["github"]]
    rows += pyproject()["build-system"]["requires"]
    return {canonicalize_name(Requirement(row).name): Requirement(row) for row in rows}


def with_their_own(names: set[str]) -> set[str]:
    """Return the names with all that the installed packages of these names ask for."""
    known: set[str] = set()
    todo = [*names]
    while todo:
        name = todo.pop()
        if name in known:
            continue
        known.add(name)
        with contextlib.suppress(PackageNotFoundError):  # the build has its own environment
            inner = [Requirement(row) for row in distribution(name).requires or []]
            plain = [row for row in inner if not row.marker or row.marker.evaluate({"extra": ""})]
            todo += [canonicalize_name(row.name) for row in plain]
    return known


def test_each_is_one_version_with_the_hashes_of_its_files() -> None:
    for name, (pinned, words) in [*pins().items(), *pins(BUILD).items()]:
        hashes = [word for word in words if word.startswith("--")]
        assert pinned, name
        assert hashes, name
        assert [text for text in hashes if not _HASH.fullmatch(text)] == [], name


def test_they_are_what_the_project_asks_for() -> None:
    pinned, wanted = pins(), requested()
    assert set(pinned) == with_their_own({*wanted}), AGAIN
    wrong = [str(row) for name, row in wanted.items() if pinned[name][0] not in row.specifier]
    assert wrong == [], AGAIN


def test_the_workflows_build_with_what_is_pinned() -> None:
    pinned = pins(BUILD)
    tools = pyproject()["project"]["optional-dependencies"]["test"]
    tool = next(row for row in tools if row.startswith("build"))
    requested = [Requirement(row) for row in (tool, *pyproject()["build-system"]["requires"])]
    assert [str(row) for row in requested if pinned[row.name][0] not in row.specifier] == []
    for name in ("ci.yml", "release.yml"):
        text = " ".join((ROOT / ".github/workflows" / name).read_text(encoding="utf-8").split())
        flags = "--require-hashes --only-binary :all: --requirement build-requirements.txt"
        assert f"python -m pip install {flags} - run: python -m build --no-isolation" in text


VERSION = pyproject()["project"]["version"]
HOMES = re.compile(r"(?<![\w.~:/-])/(?:home|root|Users|work)/[\w.]+")


def read(path: str | Path) -> str:
    return (ROOT / path).read_bytes().decode(errors="replace")


def test_package_metadata_and_command_agree(learnings: Command, tmp_path: Path) -> None:
    assert package.__version__ == VERSION
    assert version("learnings") == VERSION
    assert names.values(read(names.PACKAGE)) == (package.HOME, package.REVISION)
    assert json.loads(read(names.PLUGIN))["version"] == VERSION
    run = learnings("--version", cwd=tmp_path)
    assert (run.code, run.out.split()[-1]) == (0, VERSION)


def test_newest_release_of_the_changelog_is_the_version_and_the_revision() -> None:
    unreleased, *sections = names.sections(read(names.CHANGELOG))
    assert (unreleased.name, unreleased.date) == ("Unreleased", "")
    assert [section.name for section in sections[:1]] in ([], [VERSION])
    assert all(section.date for section in sections)
    if sections:
        assert f"v{sections[0].name}" == package.REVISION
    else:
        assert len(package.REVISION) == 40, "no tag exists yet; name a commit: make revision"


# A commit, unless it pins an action of others, whose tag is beside it.
COMMIT = re.compile(r"(?<![0-9a-f:])[0-9a-f]{40}(?![0-9a-f]| # v)")
INSTALLED = (".github", "README.md", "agent-core", "docs", "examples", "hooks", "setup.py", "src")


@pytest.mark.outside
def test_every_file_names_the_same_revision_and_no_folder_of_a_machine() -> None:
    texts = {path.as_posix(): read(path) for path in files()}
    found = {
        path: {*COMMIT.findall(text)} - {package.REVISION}
        for path, text in texts.items()
        if path.startswith(INSTALLED)
    }
    again = f"write them anew with: make revision COMMIT={package.REVISION}"
    assert {path: others for path, others in found.items() if others} == {}, again
    folders = {path.split("/")[0] for path, text in texts.items() if package.REVISION in text}
    assert {".github", "README.md", "docs", "examples", "src"} <= folders
    machine = {
        path: [*HOMES.findall(text), *([str(ROOT)] if str(ROOT) in text else [])]
        for path, text in texts.items()
    }
    assert {path: places for path, places in machine.items() if places} == {}


# Whoever registers one of these names runs code where somebody installs by it: the name on an
# index, a project of this name in an organisation (which cannot have a dot), a tool's address.
NOT_OURS = re.compile(
    r"""
    agent-learnings
    | \b(?:pip|pipx|uv\ tool)\ (?:install|run)\ (?:-\S+\ )*["']?learnings\b(?!(?:\[\w+\])?\ @|-)
    | \buvx\ (?:-(?!-from)\S+\ )*learnings\b
    | pypi\.org/\w+/learnings
    | github(?:usercontent)?\.com[/:][\w-]+/learnings\b
    | \buses:\ [\w-]+/learnings[@/]
    """,
    flags=re.VERBOSE,
)


@pytest.mark.outside
def test_no_file_installs_from_a_name_that_is_not_ours() -> None:
    for text in ("pip install learnings", "uvx learnings", "uses: ada/learnings@v0"):
        assert NOT_OURS.search(text), text
    kept = (names.CHANGELOG, "tests/")
    found = {
        path.as_posix(): [match[0] for match in NOT_OURS.finditer(read(path))]
        for path in files()
        if not path.as_posix().startswith(kept)
    }
    home = package.HOME.removeprefix("https://")
    others = {
        path: [text for text in texts if not home or (home not in text and home[11:] not in text)]
        for path, texts in found.items()
    }
    assert {path: texts for path, texts in others.items() if texts} == {}


@pytest.mark.outside
def test_named_revision_exists() -> None:
    if not (ROOT / ".git").exists() or git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("there is no history here")
    if not package.REVISION.startswith("v"):
        kept = ("merge-base", "--is-ancestor", package.REVISION, "HEAD")
        assert git(*kept) is not None, "is no commit of this branch; name one: make revision"
        return
    before = git("show", f"HEAD^:{names.PACKAGE}")
    if before is None or names.values(before)[1] == package.REVISION:
        assert git("rev-parse", "--verify", f"refs/tags/{package.REVISION}")
    else:
        pytest.skip("this commit is the release: its tag is made right after")


def git(*words: str) -> str | None:
    """Return git's output in the checkout, or None if it fails."""
    done = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", *words], cwd=ROOT, capture_output=True, check=False
    )
    return done.stdout.decode().strip() if done.returncode == 0 else None
