"""Hook `learnings-lossless`: refuses a commit, or a range of commits, that loses an entry."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from learnings.surfaces.cli.main import main as learnings


def main(argv: Sequence[str] | None = None) -> int:
    """Compare what is committed with what was; returns 1 for a loss, 2 for wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    return learnings(["verify", "--hook", *arguments])


if __name__ == "__main__":
    raise SystemExit(main())
