"""Hook `agent-core`: agent files, and whether what they name exists."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from learnings.surfaces.cli.main import main as learnings


def main(argv: Sequence[str] | None = None) -> int:
    """Check sub-agents, skills and commands; returns 1 for findings, 2 for wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    return learnings(["check", "--role=agent", *arguments])


if __name__ == "__main__":
    raise SystemExit(main())
