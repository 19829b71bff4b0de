"""Hook `learnings-due`: report whether consolidation is due, and stop nothing."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("due", "--hook")

if __name__ == "__main__":
    raise SystemExit(main())
