"""The context of a command that a test calls as a function."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TextIO

from learnings.surfaces.cli.commands import Context
from learnings.workspace.clock import Clock


def context(folder: Path, out: TextIO | None = None, err: TextIO | None = None) -> Context:
    """Return the context of a command in a folder; by default nobody reads its streams."""
    return Context(folder, out=out or io.StringIO(), err=err or io.StringIO(), clock=Clock())
