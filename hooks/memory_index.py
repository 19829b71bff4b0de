"""Hook `memory-index`: compares the memory index with the files that it lists, both ways."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from learnings.surfaces.cli.main import main as learnings


def main(argv: Sequence[str] | None = None) -> int:
    """Check the index; returns 1 for findings, 2 for wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    return learnings(["check", "--role=index", *arguments])


if __name__ == "__main__":
    raise SystemExit(main())
