"""Hook `memory-index-fix`: fix the memory index and stage nothing."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("fix", "--role=index")

if __name__ == "__main__":
    raise SystemExit(main())
