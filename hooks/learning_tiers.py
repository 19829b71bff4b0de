"""Hook `learning-tiers`: check the index, themes and raw files of learning tiers."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("tiers", "check")

if __name__ == "__main__":
    raise SystemExit(main())
