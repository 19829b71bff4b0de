"""Hook `memory-index`: compare the memory index with the files it lists, both ways."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("check", "--role=index")

if __name__ == "__main__":
    raise SystemExit(main())
