"""Hook `learnings-due`: says whether consolidation is due, and stops nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from learnings.surfaces.cli.main import main as learnings


def main(argv: Sequence[str] | None = None) -> int:
    """Print the verdict; returns 0, with --exit-code 1 where it is due, 2 for wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    return learnings(["due", "--hook", *arguments])


if __name__ == "__main__":
    raise SystemExit(main())
