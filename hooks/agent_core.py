"""Hook `agent-core`: agent files, and whether what they name exists."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    """Check sub-agents, skills and commands; returns 1 for findings, 2 for wrong usage."""
    return start("check", "--role=agent", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
