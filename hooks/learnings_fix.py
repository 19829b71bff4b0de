"""Hook `learnings-fix`: the safe fixes of learnings files; all other files are skipped."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from learnings.surfaces.cli.main import main as learnings


def main(argv: Sequence[str] | None = None) -> int:
    """Fix the files given that are learnings files; returns 1 if one was changed, 2 if refused."""
    arguments = sys.argv[1:] if argv is None else argv
    return learnings(["fix", "--force-exclude", "--role=learnings", *arguments])


if __name__ == "__main__":
    raise SystemExit(main())
