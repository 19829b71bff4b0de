"""Packages of the action and the build are pinned with hashes and match pyproject.toml."""

from __future__ import annotations

import contextlib
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.checkout import pyproject
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
    for name, (version, words) in [*pins().items(), *pins(BUILD).items()]:
        hashes = [word for word in words if word.startswith("--")]
        assert version, name
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
