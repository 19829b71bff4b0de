"""The coverage measured during a test, and its report."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.guard import ROOT

MODULE = """\
def test_it() -> None:
    if __name__ == "nothing":
        print("never")
        print("nor this")
"""


def test_a_new_thread_has_no_tracer() -> None:
    """Two threads that install one at the same time can fail: see pytest_sessionstart."""
    tracers: list[object] = []
    thread = threading.Thread(target=lambda: tracers.append(sys.gettrace()))
    thread.start()
    thread.join()
    assert tracers == [None]


@pytest.mark.slow
def test_a_run_fails_that_covers_too_little(tmp_path: Path) -> None:
    (tmp_path / "test_module.py").write_text(MODULE, encoding="utf-8")
    options = ("--cov=.", "--cov-report=", "-p", "tests.support.coverage_report", "--covered=60")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in run.stdout
    assert "test_module.py       4      2    50%\n" in run.stdout
    assert "50.00 % are covered, 60 % are required" in run.stdout
    assert run.returncode == 1
