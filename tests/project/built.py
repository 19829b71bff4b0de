"""The wheel that tests install: built by CI, else from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.guard import ROOT


def packages(target: Path) -> Path:
    """Return a folder with the wheel and the source distribution, built in `target` if needed."""
    if wheel := os.environ.get("LEARNINGS_WHEEL"):
        return (ROOT / wheel).parent
    command = [sys.executable, "-m", "build", "--outdir", str(target), str(ROOT)]
    env = os.environ | {"HOME": os.environ["REAL_HOME"]}  # pip's settings may be in it
    subprocess.run(command, env=env, check=True, capture_output=True)
    return target
