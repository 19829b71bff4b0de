"""One version, wherever it is written."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import learnings as package
from tests.support.checkout import pyproject
from tests.support.command import Command
from tests.support.guard import ROOT

VERSION = pyproject()["project"]["version"]


def test_package_and_metadata_agree() -> None:
    assert package.__version__ == VERSION
    assert version("learnings") == VERSION


def test_command_tells_it(learnings: Command, tmp_path: Path) -> None:
    run = learnings("--version", cwd=tmp_path)
    assert (run.code, run.out.split()[-1]) == (0, VERSION)


def test_newest_section_of_the_changelog_is_about_it() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## \[?v?(\d[^\]\s]*)", text, flags=re.MULTILINE)
    assert sections[0] == VERSION
