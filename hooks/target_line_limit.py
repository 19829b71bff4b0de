"""Hook `target-line-limit`: the length of target files; all other files are skipped."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from learnings.surfaces.cli.main import main as learnings


def main(argv: Sequence[str] | None = None) -> int:
    """Check the files given that are targets; returns 1 for findings, 2 for wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    return learnings(["check", "--force-exclude", "--role=target", "--rule=line-limit", *arguments])


if __name__ == "__main__":
    raise SystemExit(main())
