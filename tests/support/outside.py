"""Run a module of the tests as a process without the network guard."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support.guard import ROOT


def failure_of(module: str, *words: str) -> str | None:
    """Run a module with the user's own home; return the last line of its complaint."""
    home = os.environ.get("REAL_HOME") or os.environ.get("HOME", "")
    run = subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=ROOT,
        env=os.environ | {"HOME": home},
        capture_output=True,
        check=False,
    )
    if run.returncode == 0:
        return None
    return (run.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]
