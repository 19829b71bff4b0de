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

SOURCE = "git+https://github.com/agent-learnings/learnings@v0.1.0"
INSTALL = f"pip install {SOURCE}"


def main() -> int:
    """Run `learnings ages` from the package, else from PATH, else by uvx."""
    arguments = ["ages", *sys.argv[1:]]
    package = importlib.util.find_spec("learnings")
    if package is not None and package.origin is not None:
        from learnings.surfaces.cli.main import main as learnings  # noqa: PLC0415  (may be missing)

        return learnings(arguments)
    for name, words in (("learnings", []), ("uvx", ["--from", SOURCE, "learnings"])):
        program = shutil.which(name)
        if program is not None:
            os.execv(program, [program, *words, *arguments])
    print(f"learning-ages.py: learnings is not installed; run: {INSTALL}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
