"""What the action installs is pinned with hashes, and is what pyproject.toml asks for."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.checkout import pyproject
from tests.support.guard import ROOT

FILE = ROOT / "action-requirements.txt"
AGAIN = "action-requirements.txt is not what pyproject.toml asks for; write it anew with: make pins"
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def pins() -> dict[str, tuple[str, list[str]]]:
    """Return by name the version of each package and the hashes of its files."""
    text = FILE.read_text(encoding="utf-8").replace("\\\n", " ")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    parts = ((row[0].partition("=="), row[1:]) for row in rows)
    return {canonicalize_name(pin[0]): (pin[2], hashes) for pin, hashes in parts}


def requested() -> list[Requirement]:
    """Return what the product, its extra for GitHub and its build ask for."""
    project = pyproject()["project"]
    build = pyproject()["build-system"]["requires"]
    rows = [*project["dependencies"], *project["optional-dependencies"]["github"], *build]
    return [Requirement(row) for row in rows]


def with_their_own(names: set[str]) -> set[str]:
    """Return the names with all that the installed packages of these names ask for."""
    known: set[str] = set()
    while todo := names - known:
        known |= todo
        for name in todo:
            try:
                rows = distribution(name).requires or []
            except PackageNotFoundError:  # the build has an environment of its own
                continue
            inner = [Requirement(row) for row in rows]
            names = names | {
                canonicalize_name(row.name)
                for row in inner
                if row.marker is None or row.marker.evaluate({"extra": ""})
            }
    return known


def test_each_is_one_version_with_the_hashes_of_its_files() -> None:
    assert [name for name, (_, hashes) in pins().items() if not hashes] == []
    wrong = [text for _, hashes in pins().values() for text in hashes if not _HASH.fullmatch(text)]
    assert wrong == []


def test_they_are_what_the_project_asks_for() -> None:
    pinned = pins()
    names: set[str] = {canonicalize_name(row.name) for row in requested()}
    assert set(pinned) == with_their_own(names), AGAIN
    wrong = [
        str(row)
        for row in requested()
        if pinned[canonicalize_name(row.name)][0] not in row.specifier
    ]
    assert wrong == [], AGAIN


def test_the_action_installs_nothing_else() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8").replace("\\\n", " ")
    calls = [" ".join(line.split()) for line in text.splitlines() if "install -" in line]
    file = '"$GITHUB_ACTION_PATH/action-requirements.txt"'
    assert [call for call in calls if "pip install" not in call] == [
        f"install --require-hashes --only-binary :all: --requirement {file}",
        'install --no-index --no-deps --no-build-isolation "$GITHUB_ACTION_PATH"',
    ]
