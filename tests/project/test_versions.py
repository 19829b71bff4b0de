"""One version and one revision, wherever they are written, and nothing of a machine."""

from __future__ import annotations

import json
import re
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

import learnings as package
from release import names
from tests.support.checkout import files, pyproject
from tests.support.command import Command
from tests.support.guard import ROOT

VERSION = pyproject()["project"]["version"]
HOMES = re.compile(r"(?<![\w.~:/-])/(?:home|root|Users|work)/[\w.]+")


def read(path: str | Path) -> str:
    return (ROOT / path).read_bytes().decode(errors="replace")


def test_package_metadata_and_command_agree(learnings: Command, tmp_path: Path) -> None:
    assert package.__version__ == VERSION
    assert version("learnings") == VERSION
    assert pyproject()["project"]["urls"]["Repository"] == package.REPOSITORY
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


@pytest.mark.outside
def test_every_file_names_the_same_revision_and_no_folder_of_a_machine() -> None:
    paths = [path.as_posix() for path in files()]
    texts = {path: read(path) for path in paths if not path.startswith(names.EXCEPT)}
    found = {path: places for path, text in texts.items() if (places := names.revisions(text))}
    named = [(path, *place) for path, places in found.items() for place in places]
    again = f"write them anew with: make revision COMMIT={package.REVISION}"
    assert [place for place in named if place[2] != package.REVISION] == [], again
    folders = {path.split("/")[0] for path in found}
    expected = {".github", "README.md", "agent-core", "docs", "examples", "hooks", "src"}
    assert expected <= folders
    # `make revision` would not update a name that is written in another way.
    overlooked = [
        path
        for path, text in texts.items()
        if text.count(package.REVISION) != len(found.get(path, []))
    ]
    assert overlooked == []
    machine = {
        path: [*HOMES.findall(text), *([str(ROOT)] if str(ROOT) in text else [])]
        for path, text in ((path, read(path)) for path in paths)
    }
    assert {path: places for path, places in machine.items() if places} == {}


@pytest.mark.outside
def test_named_revision_exists() -> None:
    if not (ROOT / ".git").exists() or git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("there is no history here")
    if not package.REVISION.startswith("v"):
        kept = ("merge-base", "--is-ancestor", package.REVISION, "HEAD")
        assert git(*kept) is not None, "is no commit of this branch; name one: make revision"
        return
    before = names.revisions(git("show", f"HEAD^:{names.PACKAGE}") or "")
    if {revision for _, revision in before} <= {package.REVISION}:
        assert git("rev-parse", "--verify", f"refs/tags/{package.REVISION}")
    else:
        pytest.skip("this commit is the release: its tag is made right after")


def git(*words: str) -> str | None:
    """Return git's output in the checkout, or None if it fails."""
    done = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", *words], cwd=ROOT, capture_output=True, check=False
    )
    return done.stdout.decode().strip() if done.returncode == 0 else None
