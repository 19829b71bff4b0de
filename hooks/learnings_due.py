"""Hook `learnings-due`: report whether consolidation is due, and stop nothing."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("due", "--hook", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
