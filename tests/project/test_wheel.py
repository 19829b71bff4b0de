"""The wheel has everything it should, and nothing else."""

from __future__ import annotations

import os
import re
import tarfile
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

import learnings
from learnings import HOME, REVISION
from tests.project.built import packages
from tests.support.command import Program
from tests.support.guard import ROOT

pytestmark = pytest.mark.slow

FOLDERS = {"learnings": ROOT / "src/learnings", "learnings/hooks": ROOT / "hooks"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the source distribution of the checkout."""
    return packages(tmp_path_factory.mktemp("dist"))


def contents(built: Path) -> dict[str, bytes]:
    (path,) = built.glob("*.whl")
    with ZipFile(path) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist()}


def expected() -> dict[str, bytes]:
    """Return the files of the package by their path in the wheel."""
    return {
        f"{package}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for package, folder in FOLDERS.items()
        for path in folder.rglob("*")
        if path.suffix in {".py", ".json", ".html", ".css"} or path.name == "py.typed"
    }


def test_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    inside = contents(built)
    (information,) = {name.split("/")[0] for name in inside} - {"learnings"}
    assert information.endswith(".dist-info")
    assert f"{information}/licenses/LICENSE" in inside
    package = {name: data for name, data in inside.items() if name.startswith("learnings/")}
    assert package == expected()
    assert {"learnings/py.typed", "learnings/hooks/learnings_check.py"} <= set(package)
    assert any(name.startswith("learnings/surfaces/pages/") for name in package)


def test_source_distribution_holds_what_the_wheel_is_built_from(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    modules = [path for folder in FOLDERS.values() for path in folder.rglob("*.py")]
    own = {path.relative_to(ROOT).as_posix() for path in modules}
    assert own | {"pyproject.toml", "setup.py", "README.md", "LICENSE"} <= names


@pytest.mark.soak
def test_the_index_accepts_the_description(built: Path) -> None:
    files = [*built.glob("*.whl"), *built.glob("*.tar.gz")]
    done = Program("twine")("check", "--strict", *files, cwd=built)
    assert done.code == 0, done.out + done.err
    assert done.out.count("PASSED") == 2


def test_links_of_the_description_work_outside_the_repository(built: Path) -> None:
    (metadata,) = (text for name, text in contents(built).items() if name.endswith("/METADATA"))
    description = metadata.decode().partition("\n\n")[2]
    assert description.startswith("# learnings\n")
    targets = re.findall(r"\]\(([^)\s]+)\)", description)
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []
    ours = f"{HOME}/blob/{REVISION}/"
    paths = [target.removeprefix(ours).partition("#")[0] for target in targets if ours in target]
    assert (len(paths) > 10) is bool(HOME)
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert ("Project-URL: Repository, " in metadata.decode()) is bool(HOME)


def test_only_these_come_along() -> None:
    rows = [Requirement(row) for row in distribution("learnings").requires or []]
    names = [row.name for row in rows if "extra" not in str(row.marker)]
    assert names == [
        *("argcomplete", "GitPython", "Jinja2", "markdown-it-py"),
        *("PyYAML", "ruamel.yaml", "stop-words"),
    ]


@pytest.mark.skipif("LEARNINGS_WHEEL" not in os.environ, reason="runs from an editable install")
def test_the_tests_run_against_the_wheel(built: Path) -> None:
    installed = Path(learnings.__file__).parents[1]
    assert not installed.is_relative_to(ROOT / "src")
    own = [name for name in contents(built) if name.startswith("learnings/")]
    assert {name: (installed / name).read_bytes() for name in own} == expected()
