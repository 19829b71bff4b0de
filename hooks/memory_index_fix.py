"""Hook `memory-index-fix`: puts the memory index in order and stages nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from learnings.surfaces.cli.main import main as learnings


def main(argv: Sequence[str] | None = None) -> int:
    """Fix the index; returns 1 if that changed it, 2 for wrong usage or where it is refused."""
    arguments = sys.argv[1:] if argv is None else argv
    return learnings(["fix", "--role=index", *arguments])


if __name__ == "__main__":
    raise SystemExit(main())
