"""What coverage counts of a property, in a run of pytest with a property of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.guard import ROOT
from tests.support.measuring import COUNTED_EXAMPLES

CONFTEST = """\
import pytest
from tests.support.measuring import first_examples_counted

@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with first_examples_counted(item):
        yield
"""
MODULE = f"""\
from pathlib import Path
from hypothesis import given, settings, strategies

drawn = []

@settings(max_examples=40, derandomize=True, database=None)
@given(strategies.integers())
def test_property(number):
    drawn.append(number)
    if len(drawn) <= {COUNTED_EXAMPLES}:
        return
    assert number is not None  # line 12

def test_after_it():
    Path(__file__).with_name("drawn").write_text(repr(drawn))  # line 15
"""


def run(folder: Path, *arguments: str) -> str:
    """Run the tests in `folder`; return the examples that the property had."""
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, "test_it.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return (folder / "drawn").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_first_examples_of_a_property_are_counted_and_all_are_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_it.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "pytest.ini").touch()
    drawn = run(tmp_path, "--cov=.", "--cov-report=json")
    report = json.loads((tmp_path / "coverage.json").read_bytes())
    assert drawn.count(",") >= 3 * COUNTED_EXAMPLES
    assert report["files"]["test_it.py"]["missing_lines"] == [12]
    assert run(tmp_path) == drawn
