"""One version and one revision, wherever they are written; and the revision exists."""

from __future__ import annotations

import json
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


def read(path: str | Path) -> str:
    return (ROOT / path).read_bytes().decode(errors="replace")


def test_package_and_metadata_agree() -> None:
    assert package.__version__ == VERSION
    assert version("learnings") == VERSION
    assert json.loads(read(names.PLUGIN))["version"] == VERSION


def test_command_tells_it(learnings: Command, tmp_path: Path) -> None:
    run = learnings("--version", cwd=tmp_path)
    assert (run.code, run.out.split()[-1]) == (0, VERSION)


def test_newest_release_of_the_changelog_is_about_it() -> None:
    unreleased, *sections = names.sections(read(names.CHANGELOG))
    assert (unreleased.name, unreleased.date) == ("Unreleased", "")
    assert [section.name for section in sections[:1]] in ([], [VERSION])
    assert all(section.date for section in sections)


def test_revision_is_the_newest_release_or_a_commit_before_the_first() -> None:
    sections = names.sections(read(names.CHANGELOG))[1:]
    if sections:
        assert f"v{sections[0].name}" == package.REVISION
    else:
        assert len(package.REVISION) == 40, "no tag exists yet; name a commit: make revision"


@pytest.mark.outside
def test_every_file_names_the_same_revision() -> None:
    paths = [path.as_posix() for path in files()]
    texts = {path: read(path) for path in paths if not path.startswith(names.EXCEPT)}
    found = {path: places for path, text in texts.items() if (places := names.revisions(text))}
    wrong = {
        f"{path}:{line}": revision
        for path, places in found.items()
        for line, revision in places
        if revision != package.REVISION
    }
    assert wrong == {}, "write them anew with: make revision COMMIT=" + package.REVISION
    folders = {path.split("/")[0] for path in found}
    expected = {".github", "README.md", "agent-core", "docs", "examples", "hooks", "src"}
    assert expected <= folders


@pytest.mark.outside
def test_no_file_names_it_in_a_way_that_is_overlooked() -> None:
    """`make revision` would not update an unknown name."""
    for path in files():
        if not path.as_posix().startswith(names.EXCEPT):
            text = read(path)
            assert text.count(package.REVISION) == len(names.revisions(text)), path


@pytest.mark.outside
def test_named_revision_exists() -> None:
    if not (ROOT / ".git").exists() or git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("there is no history here")
    if not package.REVISION.startswith("v"):
        kept = ("merge-base", "--is-ancestor", package.REVISION, "HEAD")
        assert git(*kept) is not None, "is no commit of this branch; name one: make revision"
    elif revision_before() in ("", package.REVISION):
        assert git("rev-parse", "--verify", f"refs/tags/{package.REVISION}")
    else:
        pytest.skip("this commit is the release: its tag is made right after")


def git(*words: str) -> str | None:
    """Return git's output in the checkout, or None if it fails."""
    done = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", *words], cwd=ROOT, capture_output=True, check=False
    )
    return done.stdout.decode().strip() if done.returncode == 0 else None


def revision_before() -> str:
    """Return the revision that the commit before HEAD names, "" if it names none."""
    text = git("show", f"HEAD^:{names.PACKAGE}") or ""
    return next((revision for _, revision in names.revisions(text)), "")
