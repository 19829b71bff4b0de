#!/usr/bin/env python3
"""Show the age of every entry of a learnings file, as `learnings ages FILE` does.

Exit codes: 0; 1 for a missing or unreadable file; 2 if git's history cannot be trusted or learnings
is not installed.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

INSTALL = "pipx install /path/to/clone"


def main() -> int:
    """Run `learnings ages` from the package, else from PATH."""
    arguments = ["ages", *sys.argv[1:]]
    package = importlib.util.find_spec("learnings")
    if package is not None and package.origin is not None:
        from learnings.surfaces.cli.main import main as learnings  # noqa: PLC0415  (may be missing)

        return learnings(arguments)
    program = found_program("learnings")
    if program is not None:
        os.execv(program, [program, *arguments])
    print(f"learning-ages.py: learnings is not installed; run: {INSTALL}", file=sys.stderr)
    return 2


# Both scripts in this folder have this function: each must work if copied alone.
def found_program(name: str) -> str | None:
    """Return the absolute path of a program on PATH, or None.

    The current folder, which Windows searches first, and the repository around it do not count,
    because they could contain a program of that name.
    """
    here = Path.cwd()
    tops = [top for top in (here, *here.parents[:-1]) if os.path.lexists(top / ".git")][:1]
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = Path(entry.strip('"'), f"{name}.exe" if os.name == "nt" else name)
        inside = any(top in (program.parent / "x").resolve().parents for top in tops)
        is_there = program.is_absolute() and program.is_file() and os.access(program, os.X_OK)
        if is_there and not inside:
            return str(program)
    return None


if __name__ == "__main__":
    raise SystemExit(main())
