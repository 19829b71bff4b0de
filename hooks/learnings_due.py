"""Hook `learnings-due`: says whether consolidation is due, and stops nothing."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    """Print the verdict; returns 0, with --exit-code 1 where it is due, 2 for wrong usage."""
    return start("due", "--hook", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
