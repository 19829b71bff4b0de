#!/usr/bin/env python3
"""Age of every entry of a learnings file: the same as `learnings ages FILE`.

Exit codes: 0, 1 for a missing or unreadable file, 2 where git's history cannot be trusted or
learnings is not installed.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys

INSTALL = "pip install git+https://github.com/agent-learnings/learnings@v0.1.0"


def main() -> int:
    """Run `learnings ages` from the importable package, else from the command on PATH."""
    arguments = ["ages", *sys.argv[1:]]
    if importlib.util.find_spec("learnings") is not None:
        from learnings.surfaces.cli.main import main as learnings  # noqa: PLC0415  (may be missing)

        return learnings(arguments)
    command = shutil.which("learnings")
    if command is not None:
        os.execv(command, [command, *arguments])
    print(f"learning-ages.py: learnings is not installed; run: {INSTALL}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
